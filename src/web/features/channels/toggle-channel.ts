import type { Channel } from '#contract/channels.ts';
import { useSetChannelActive } from '#web/api/channels.ts';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

/** Enables or disables a channel and shows the result. */
export function useToggleChannel({ id, name, is_active }: Channel) {
  const { mutateAsync, isPending } = useSetChannelActive();
  // The result is handled here and not in a mutation callback: the card may be unmounted before the response.
  const toggle = async () => {
    try {
      await mutateAsync({ id, is_active: !is_active });
      if (is_active) notifySuccess('Channel disabled', `${name} sends nothing until it is enabled again.`);
      else notifySuccess('Channel enabled', `${name} can send reminders again.`);
    } catch (error) {
      notifyFailure('Error updating channel', error);
    }
  };
  return { toggle, isBusy: isPending };
}
