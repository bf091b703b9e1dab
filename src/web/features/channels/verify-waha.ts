import type { Channel } from '#contract/channels.ts';
import { useVerifyWaha } from '#web/api/channels.ts';
import { notifyError, notifyFailure } from '#web/ui/notify.tsx';
import { reloadWithToast } from './toast-after-reload.ts';

/** Verifies a WAHA channel. A negative result and a failed request have titles of their own. */
export function useVerify({ id }: Channel) {
  const { mutateAsync, isPending } = useVerifyWaha();
  const verify = async () => {
    try {
      const { success, message } = await mutateAsync(id);
      if (success) reloadWithToast('Verification successful', message);
      else notifyError('Verification failed', message || 'Unable to verify WAHA connection');
    } catch (error) {
      notifyFailure('Verification error', error);
    }
  };
  return { verify, isBusy: isPending };
}
