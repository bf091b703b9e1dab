import { Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { InvitationInput, type SentInvitation } from '#contract/invitations.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { ApiError } from '#web/api/client.ts';
import { useSendInvitation } from '#web/api/invitations.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { act } from '#web/ui/act.ts';
import { useSubmit } from '#web/ui/use-submit.ts';
import { SentLink } from './SentLink.tsx';

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
export function InviteDialog({ workspace, opened, onClose }: InviteDialogProps) {
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
              label="E-mail"
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
