import type { Webhook } from '#contract/webhooks.ts';
import { useDeleteWebhook } from '#web/api/webhooks.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

type DeleteWebhookDialogProps = { workspaceId: string; webhook: Webhook; opened: boolean; onClose: () => void };

export function DeleteWebhookDialog({ workspaceId, webhook, opened, onClose }: DeleteWebhookDialogProps) {
  const { mutateAsync, isPending } = useDeleteWebhook(workspaceId);
  const confirm = async () => {
    try {
      await mutateAsync(webhook.id);
      notifySuccess('Webhook deleted');
      onClose();
      // The button that opened the dialog is removed with its row.
      focusContent();
    } catch (error) {
      notifyFailure('Error deleting the webhook', error);
    }
  };
  return (
    <ConfirmDialog
      title={`Delete the webhook to ${webhook.url}?`}
      confirmLabel="Delete webhook"
      opened={opened}
      onClose={onClose}
      onConfirm={() => void confirm()}
      isBusy={isPending}
    >
      Its log goes with it, and events that wait are not sent. This cannot be undone.
    </ConfirmDialog>
  );
}
