import { ActionIcon, Box, Button, Text } from '@mantine/core';
import { IconPlus, IconSend, IconTrash, IconUsersGroup } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { counted } from '#domain/in-words.ts';
import { type ContactGroup, groupLimits } from '#contract/contact-groups.ts';
import { SmallButton } from '#web/ui/SmallButton.tsx';
import { useContactGroups, useDeleteGroup, useGroupCounts, useGroupUses } from '#web/api/contact-groups.ts';
import { useContactsSearch } from '#web/features/contacts/contacts-search.ts';
import { useWriteTo } from '#web/features/contacts/use-write-to.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { List } from '#web/ui/List.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { TextLink } from '#web/ui/links.tsx';
import list from '#web/ui/list.module.css';
import { messageOf } from '#web/ui/message-of.ts';
import prose from '#web/ui/prose.module.css';
import { useAsked } from '#web/ui/use-asked.ts';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import classes from './groups.module.css';
import { ruleText } from './rule-words.ts';

const GroupDialog = lazy(() => import('./GroupDialog.tsx'));

type Asked = { to: 'edit'; group: ContactGroup | null } | { to: 'delete'; group: ContactGroup };

/** The groups of contacts, each a rule over tags and values. */
export function GroupPanel({ tabs }: { tabs: ReactNode }) {
  const { state, dialog, open } = useDialogState<Asked>();
  const { asked, openCount } = state;
  const groups = useContactGroups();
  // Counted while the list is read.
  useGroupCounts();
  const add = () => open({ to: 'edit', group: null });
  const { open: wanted, change } = useContactsSearch();
  useAsked(wanted, () => {
    add();
    change({ open: undefined });
  });
  const isFull = groups.data !== undefined && groups.data.length >= groupLimits.perWorkspace;
  return (
    <>
      <PageHeader
        title="Contacts"
        subtitle="Groups by a rule: whoever meets it when a reminder is sent gets it"
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add} disabled={isFull}>
            Add Group
          </Button>
        }
      />
      {tabs}
      <List
        noun="groups"
        of={groups}
        above={<Uncounted />}
        cardClass={classes.row}
        card={(group) => (
          <Row
            group={group}
            onEdit={() => open({ to: 'edit', group })}
            onDelete={() => open({ to: 'delete', group })}
          />
        )}
        empty={{
          icon: IconUsersGroup,
          title: 'No groups yet',
          sentence:
            'A group is a rule over tags and values, such as “building is 12 Elm”. A reminder can be sent to everyone who meets it.',
          action: <Button onClick={add}>Add a group</Button>,
        }}
      />
      <Suspense>
        {asked?.to === 'edit' && <GroupDialog key={openCount} group={asked.group} {...dialog} />}
        {asked?.to === 'delete' && <DeleteGroupDialog key={openCount} group={asked.group} {...dialog} />}
      </Suspense>
    </>
  );
}

function Uncounted() {
  const { data, error, refetch } = useGroupCounts();
  if (error === null || data !== undefined) return null;
  return (
    <Text className={prose.lineBelow} py={12} px={16} role="alert">
      The people of the groups could not be counted. {messageOf(error)}{' '}
      <Button variant="subtle" size="compact-sm" onClick={() => void refetch()}>
        Try again
      </Button>
    </Text>
  );
}

type RowProps = { group: ContactGroup; onEdit: () => void; onDelete: () => void };

function Row({ group: { id, name, rule }, onEdit, onDelete }: RowProps) {
  const counts = useGroupCounts().data?.get(id);
  const writeTo = useWriteTo();
  const text = ruleText(rule);
  return (
    <>
      <div className={list.who}>
        <button type="button" className={classes.name} title={name} onClick={onEdit}>
          {name}
        </button>
        <span className={classes.rule} title={text}>
          {text}
        </span>
      </div>
      <Box component="span" className={`figures ${classes.people}`} fz={13}>
        {counts && (
          <TextLink
            inherit
            to="/contacts"
            search={{ group: id }}
            aria-label={`${counted(counts.people, 'person', 'people')} of ${name}`}
          >
            {counted(counts.people, 'person', 'people')}
          </TextLink>
        )}
      </Box>
      <span className={`figures ${prose.small} ${classes.reminders}`}>
        {counts && counted(counts.reminders, 'reminder')}
      </span>
      <SmallButton
        icon={IconSend}
        className={classes.write}
        aria-label={`Write to ${name}`}
        onClick={() => writeTo({ audience: { groups: [id] } })}
      >
        Write
      </SmallButton>
      <ActionIcon
        className={classes.delete}
        variant="subtle"
        color="gray"
        size={36}
        aria-label={`Delete ${name}`}
        onClick={onDelete}
      >
        <IconTrash size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    </>
  );
}

const namedUses = 5;

type DeleteGroupDialogProps = { group: ContactGroup; opened: boolean; onClose: () => void };

/** Asks for confirmation before a group is deleted, and names the reminders that are sent to it. */
function DeleteGroupDialog({ group: { id, name }, opened, onClose }: DeleteGroupDialogProps) {
  const { data: uses, isPending, isError } = useGroupUses(id);
  const { mutateAsync } = useDeleteGroup();
  const named = uses?.data.slice(0, namedUses) ?? [];
  const more = (uses?.total ?? 0) - named.length;
  return (
    <ActDialog
      title={`Delete ${name}?`}
      confirmLabel="Delete group"
      opened={opened}
      onClose={onClose}
      run={() => mutateAsync(id)}
      done={['Group deleted', `${name} is deleted. Its contacts stay.`]}
      failed="Error deleting group"
      isLoading={isPending}
      removesOpener
    >
      <p className={prose.plain} role="status">
        {isPending
          ? 'Looking for the reminders that are sent to it…'
          : isError
            ? 'The reminders that are sent to it could not be loaded. They reach nobody through it any more. Its contacts stay.'
            : uses.total === 0
              ? 'No reminder is sent to it. Its contacts stay.'
              : `${uses.total === 1 ? 'This reminder reaches' : 'These reminders reach'} nobody through it any more. Its contacts stay.`}
      </p>
      {named.length > 0 && (
        <Box className={prose.breaks} component="ul" m="8px 0 0" pl={20}>
          {named.map((reminder) => (
            <li key={reminder.id}>{reminder.name}</li>
          ))}
          {more > 0 && <li>{more.toLocaleString('en')} more</li>}
        </Box>
      )}
    </ActDialog>
  );
}
