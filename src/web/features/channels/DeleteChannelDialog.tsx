import type { Channel } from '#contract/channels.ts';
import { useDeleteChannel } from '#web/api/channels.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';

type DeleteChannelDialogProps = { channel: Channel; opened: boolean; onClose: () => void };

/** Asks for confirmation before a channel is deleted. */
export function DeleteChannelDialog({ channel, opened, onClose }: DeleteChannelDialogProps) {
  const { mutateAsync } = useDeleteChannel();
  return (
    <ActDialog
      title="Delete channel?"
      confirmLabel="Delete Channel"
      opened={opened}
      onClose={onClose}
      run={() => mutateAsync(channel.id)}
      done={['Channel deleted', `“${channel.name}” has been deleted`]}
      failed="Error deleting channel"
      removesOpener
    >
      <strong>{channel.name}</strong> and its configuration will be deleted. Reminders by{' '}
      {channelLooks[channel.type].name} use another channel of that type, if there is one. This cannot be undone.
    </ActDialog>
  );
}
