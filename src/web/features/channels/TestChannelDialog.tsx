import type { Channel } from '#contract/channels.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { TestChannelForm } from './TestChannelForm.tsx';

type TestChannelDialogProps = { channel: Channel; opened: boolean; onClose: () => void };

/** Sends a real message through a channel. */
export function TestChannelDialog({ channel, opened, onClose }: TestChannelDialogProps) {
  return (
    <Dialog title="Test Channel" opened={opened} onClose={onClose} width={520}>
      <TestChannelForm channel={channel} onDone={onClose} />
    </Dialog>
  );
}
