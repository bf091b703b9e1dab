import type { Channel } from '#contract/channels.ts';
import { useDeleteChannel } from '#web/api/channels.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { focusContent } from '#web/ui/focus-content.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

type DeleteChannelDialogProps = { channel: Channel; opened: boolean; onClose: () => void };

/** Asks for confirmation before a channel is deleted. */
export function DeleteChannelDialog({ channel, opened, onClose }: DeleteChannelDialogProps) {
  const { mutateAsync, isPending } = useDeleteChannel();
  const confirm = async () => {
    try {
      await mutateAsync(channel.id);
      notifySuccess('Channel deleted', `“${channel.name}” has been deleted`);
      onClose();
      // The button that opened the dialog is removed with its card.
      focusContent();
    } catch (error) {
      notifyFailure('Error deleting channel', error);
    }
  };
  return (
    <ConfirmDialog
      title="Delete channel?"
      confirmLabel="Delete Channel"
      opened={opened}
      onClose={onClose}
      onConfirm={() => void confirm()}
      isBusy={isPending}
    >
      <strong>{channel.name}</strong> and its configuration will be deleted. Reminders by{' '}
      {channelLooks[channel.type].name} use another channel of that type, if there is one. This cannot be undone.
    </ConfirmDialog>
  );
}
