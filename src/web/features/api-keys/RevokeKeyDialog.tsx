import type { ApiKey } from '#contract/api-keys.ts';
import { useRevokeApiKey } from '#web/api/api-keys.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

type RevokeKeyDialogProps = { workspaceId: string; apiKey: ApiKey; opened: boolean; onClose: () => void };

export function RevokeKeyDialog({ workspaceId, apiKey, opened, onClose }: RevokeKeyDialogProps) {
  const { mutateAsync, isPending } = useRevokeApiKey(workspaceId);
  const confirm = async () => {
    try {
      await mutateAsync(apiKey.id);
      notifySuccess('API key revoked', `Requests with ${apiKey.name} are refused from now on.`);
      onClose();
      // The button that opened the dialog is removed from its row.
      focusContent();
    } catch (error) {
      notifyFailure('Error revoking API key', error);
    }
  };
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      confirmLabel="Revoke key"
      opened={opened}
      onClose={onClose}
      onConfirm={() => void confirm()}
      isBusy={isPending}
    >
      Programs that use it are refused at once. This cannot be undone; to replace it without a gap, rotate it.
    </ConfirmDialog>
  );
}
