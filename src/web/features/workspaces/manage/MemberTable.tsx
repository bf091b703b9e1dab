import { Avatar, Button, Flex } from '@mantine/core';
import { IconCrown, IconShield } from '@tabler/icons-react';
import type { Member } from '#contract/members.ts';
import { pictureUrl } from '#web/api/picture-url.ts';
import { initialOf } from '#web/ui/initial.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { type Column, Table } from '#web/ui/Table.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './manage.module.css';
import { memberName } from './member-name.ts';

type MemberTableProps = {
  members: readonly Member[];
  /** The viewer, who leaves instead of being removed. */
  userId: string | undefined;
  mayChange: boolean;
  /** The member whose role is being changed. */
  busyId: string | null;
  onRole: (member: Member, role: 'admin' | 'member') => void;
  onRemove: (member: Member) => void;
};

export function MemberTable({ members, userId, mayChange, busyId, onRole, onRemove }: MemberTableProps) {
  const acts: Column<Member> = {
    title: 'Actions',
    isUntitled: true,
    className: classes.acts,
    cell: (member) =>
      member.role !== 'owner' && (
        <Flex component="span" gap={8} justify="flex-end" wrap="wrap">
          <RoleButton member={member} isBusy={busyId === member.id} onRole={onRole} />
          {member.user_id !== userId && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Remove ${memberName(member)}`}
              onClick={() => onRemove(member)}
            >
              Remove
            </Button>
          )}
        </Flex>
      ),
  };
  const who: Column<Member> = {
    title: 'Member',
    cell: (member) => (
      <Flex component="span" gap={12} align="center">
        <Avatar src={pictureUrl(member.avatar_url, member.workspace_id)} alt="" size={32} radius="xl" color="cue">
          {initialOf(memberName(member))}
        </Avatar>
        <Flex component="span" direction="column" miw={0}>
          <span className={classes.name}>
            {memberName(member)}
            {member.user_id === userId && <span className={prose.aside}> (you)</span>}
            <RoleIcon role={member.role} />
          </span>
          <span className={prose.note}>{member.email}</span>
          <span className={classes.phone}>
            {roleWords[member.role]}, joined <InstantText at={member.joined_at} show="day" />
          </span>
        </Flex>
      </Flex>
    ),
  };
  return <Table rows={members} columns={[who, ...facts, ...(mayChange ? [acts] : [])]} />;
}

const roleWords: Record<Member['role'], string> = { owner: 'Owner', admin: 'Admin', member: 'Member' };

const facts: readonly Column<Member>[] = [
  { title: 'Role', className: classes.role, cell: ({ role }) => roleWords[role] },
  { title: 'Joined', className: classes.joined, cell: ({ joined_at: at }) => <InstantText at={at} show="day" /> },
];

/** The role stands beside it as a word. */
function RoleIcon({ role }: { role: Member['role'] }) {
  if (role === 'owner') return <IconCrown size={16} aria-hidden data-role="owner" />;
  return role === 'admin' ? <IconShield size={16} aria-hidden data-role="admin" /> : null;
}

type RoleButtonProps = { member: Member; isBusy: boolean; onRole: MemberTableProps['onRole'] };

function RoleButton({ member, isBusy, onRole }: RoleButtonProps) {
  const [label, role] = member.role === 'admin' ? (['Demote', 'member'] as const) : (['Promote', 'admin'] as const);
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={isBusy}
      aria-label={`${label} ${memberName(member)}`}
      onClick={() => onRole(member, role)}
    >
      {label}
    </Button>
  );
}
