import { Button, Flex, Select, Stack, Text, TextInput, Group } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type Invitation, InvitationInput, type SentInvitation } from '#contract/invitations.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { useInvitations, useRevokeInvitation, useSendInvitation } from '#web/api/invitations.ts';
import { ApiError } from '#web/api/client.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import { useAsked } from '#web/ui/use-asked.ts';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import prose from '#web/ui/prose.module.css';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { act } from '#web/ui/act.ts';
import { useSubmit } from '#web/ui/use-submit.ts';
import classes from './manage.module.css';
import { Copyable } from '#web/ui/Copyable.tsx';

const route = getRouteApi('/themed/signed-in/admin/workspace/$workspaceId/manage');

type Asked = { to: 'invite' } | { to: 'send' | 'revoke'; invitation: Invitation };

/** Who was invited and has not accepted; for owners and admins. */
export function InvitationSection({ workspace }: { workspace: Workspace }) {
  const { state, open, dialog: shown } = useDialogState<Asked>();
  const { asked, openCount } = state;
  const dialog = { workspace, ...shown };
  const navigate = route.useNavigate();
  useAsked(route.useSearch().open, (to) => {
    void navigate({ search: (before) => ({ ...before, open: undefined }), replace: true, resetScroll: false });
    open({ to });
  });
  return (
    <>
      <RecordSection
        title="Invitations"
        aside={
          <Button size="sm" leftSection={<IconUserPlus size={16} aria-hidden />} onClick={() => open({ to: 'invite' })}>
            Invite
          </Button>
        }
      >
        <List
          isPart
          noun="invitations"
          of={useInvitations(workspace.id)}
          cardClass={classes.invitation}
          card={(invitation) => (
            <Row
              invitation={invitation}
              onSend={() => open({ to: 'send', invitation })}
              onRevoke={() => open({ to: 'revoke', invitation })}
            />
          )}
          empty="Nobody is invited. An invitation goes to an address, and works for 7 days."
        />
      </RecordSection>
      {asked?.to === 'invite' && <InviteDialog key={openCount} {...dialog} />}
      {asked?.to === 'send' && <SendAgainDialog key={openCount} invitation={asked.invitation} {...dialog} />}
      {asked?.to === 'revoke' && <RevokeDialog key={openCount} invitation={asked.invitation} {...dialog} />}
    </>
  );
}

type RowProps = { invitation: Invitation; onSend: () => void; onRevoke: () => void };

function Row({ invitation, onSend, onRevoke }: RowProps) {
  const { email, role, invited_by: by } = invitation;
  return (
    <>
      <Flex component="span" direction="column" miw={0}>
        <span className={classes.name}>{email}</span>
        <span className={prose.note}>
          As {role === 'admin' ? 'an admin' : 'a member'}
          {by !== null && `, invited by ${by || 'Unknown'}`}. <Validity invitation={invitation} />
        </span>
        {invitation.is_inviter_suspended && (
          <Text span fz={13} c="var(--status-waiting)">
            Its link does not work, because {by || 'who sent it'} is suspended. Send it again.
          </Text>
        )}
      </Flex>
      <Flex component="span" gap={8} justify="flex-end" wrap="wrap">
        <Button size="compact-sm" variant="default" aria-label={`Send again to ${email}`} onClick={onSend}>
          Send again
        </Button>
        <Button size="compact-sm" variant="default" aria-label={`Revoke ${email}`} onClick={onRevoke}>
          Revoke
        </Button>
      </Flex>
    </>
  );
}

function Validity({ invitation: { expires_at: end, declined_at: declined } }: { invitation: Invitation }) {
  const [now] = useState(() => Date.now());
  if (declined !== null)
    return (
      <>
        Declined <InstantText at={declined} show="day" />.
      </>
    );
  return (
    <>
      {Date.parse(end) < now ? 'Expired' : 'Expires'} <InstantText at={end} show="day" />.
    </>
  );
}

type RevokeDialogProps = { workspace: Workspace; invitation: Invitation; opened: boolean; onClose: () => void };

function RevokeDialog({ workspace, invitation: { id, email }, ...dialog }: RevokeDialogProps) {
  const { mutateAsync } = useRevokeInvitation(workspace.id);
  return (
    <ActDialog
      title="Revoke the invitation?"
      confirmLabel="Revoke invitation"
      run={() => mutateAsync(id)}
      done={['Invitation revoked', `The link of ${email} no longer works.`]}
      failed="Error revoking invitation"
      removesOpener
      {...dialog}
    >
      The link that {email} got stops working at once.
    </ActDialog>
  );
}

const mayDo = {
  member: 'Works with reminders, templates, contacts and jobs.',
  admin: 'Changes channels, members and settings, too.',
};
const roles = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
];

type InviteDialogProps = { workspace: Workspace; opened: boolean; onClose: () => void };

/** Invites one address; then shows the link to copy. */
function InviteDialog({ workspace, opened, onClose }: InviteDialogProps) {
  const { mutateAsync, isPending } = useSendInvitation(workspace.id);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<'admin' | 'member'>('member');
  const [problem, setProblem] = useState<string | null>(null);
  const [sent, setSent] = useState<SentInvitation | null>(null);

  const submit = useSubmit(async () => {
    const parsed = InvitationInput.safeParse({ email, role });
    if (!parsed.success) return setProblem(parsed.error.issues[0]?.message ?? null);
    await act(mutateAsync(parsed.data).then(setSent), {
      failed: 'Error sending invitation',
      refused: (error) => {
        if (!(error instanceof ApiError) || error.status !== 409) return false;
        setProblem(error.message);
        return true;
      },
    });
  });

  return (
    <Dialog title={`Invite to ${workspace.name}`} opened={opened} onClose={onClose}>
      {sent ? (
        <SentLink sent={sent} onDone={onClose} />
      ) : (
        <form noValidate onSubmit={submit}>
          <Stack gap={16}>
            <TextInput
              label="Email"
              type="email"
              placeholder="anna@example.com"
              maxLength={320}
              value={email}
              error={problem}
              onChange={(event) => {
                setEmail(event.currentTarget.value);
                setProblem(null);
              }}
              data-autofocus
            />
            <Select
              label="Role"
              description={mayDo[role]}
              data={roles}
              allowDeselect={false}
              value={role}
              onChange={(value) => setRole(value === 'admin' ? 'admin' : 'member')}
            />
            <FormButtons onCancel={onClose} isBusy={isPending}>
              Send invitation
            </FormButtons>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

type SendAgainDialogProps = { workspace: Workspace; invitation: Invitation; opened: boolean; onClose: () => void };

/** Sends an invitation with a new link, and shows that. */
function SendAgainDialog({ workspace, invitation, opened, onClose }: SendAgainDialogProps) {
  const { mutateAsync, isPending } = useSendInvitation(workspace.id);
  const [sent, setSent] = useState<SentInvitation | null>(null);
  const send = useSubmit(async () => {
    await act(mutateAsync({ id: invitation.id }).then(setSent), { failed: 'Error sending invitation' });
  });
  return (
    <Dialog title="Send the invitation again?" opened={opened} onClose={onClose}>
      {sent ? (
        <SentLink sent={sent} onDone={onClose} />
      ) : (
        <form noValidate onSubmit={send}>
          <Stack gap={16}>
            <Text className={prose.breaks}>
              {invitation.email} gets a new link, which works for 7 days. The earlier link stops working.
            </Text>
            <FormButtons onCancel={onClose} isBusy={isPending} data-autofocus>
              Send again
            </FormButtons>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

/** The link of an invitation, which is shown only once. */
const SentLink = ({ sent, onDone }: { sent: SentInvitation; onDone: () => void }) => (
  <Stack gap={16}>
    <Text className={prose.breaks} role="status">
      {sent.is_mailed
        ? `The invitation was mailed to ${sent.email}.`
        : `No mail was sent to ${sent.email}: pass the link on yourself.`}{' '}
      The link works once, for this address only, and is not shown again.
    </Text>
    <Copyable text={sent.link} label="Copy invitation link" />
    <Group justify="flex-end">
      {/* The second click of a double click was for the button that stood here. */}
      <Button onClick={({ detail }) => detail < 2 && onDone()}>Done</Button>
    </Group>
  </Stack>
);
