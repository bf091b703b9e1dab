import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Invitation, SentInvitation } from '#contract/invitations.ts';
import type { Workspace } from '#contract/workspaces.ts';
import { useSendInvitation } from '#web/api/invitations.ts';
import { FormButtons } from '#web/ui/FormButtons.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { act } from '#web/ui/act.ts';
import { useSubmit } from '#web/ui/use-submit.ts';
import prose from '#web/ui/prose.module.css';
import { SentLink } from './SentLink.tsx';

type SendAgainDialogProps = { workspace: Workspace; invitation: Invitation; opened: boolean; onClose: () => void };

/** Sends an invitation with a new link, and shows that. */
export function SendAgainDialog({ workspace, invitation, opened, onClose }: SendAgainDialogProps) {
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
