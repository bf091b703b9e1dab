import type { Channel } from '#contract/channels.ts';
import { useSetChannelActive } from '#web/api/channels.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

/** Enables a channel that is disabled, disables one that is not, and tells how it went. */
export function useTurnChannel({ id, name, is_active }: Channel) {
  const { mutateAsync, isPending } = useSetChannelActive();
  // Awaited here: the card may be gone before the answer is told.
  const turn = async () => {
    try {
      await mutateAsync({ id, is_active: !is_active });
      if (is_active) notifySuccess('Channel disabled', `Nothing goes out through ${name} until it is enabled again.`);
      else notifySuccess('Channel enabled', `Reminders can go out through ${name} again.`);
    } catch (error) {
      notifyFailure('Error updating channel', error);
    }
  };
  return { turn, isBusy: isPending };
}
