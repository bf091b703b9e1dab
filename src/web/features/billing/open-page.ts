import { notifyError } from '#web/ui/notify.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import { ApiError } from '#web/api/client.ts';

/**
 * Opens a page of the payment provider in a new tab. The tab is opened at once, in the click: a browser blocks one that is opened when the
 * address has arrived.
 */
export async function openPage(address: () => Promise<string>, failed: string): Promise<void> {
  const tab = window.open('', '_blank');
  try {
    const url = await address();
    if (tab === null) {
      // The browser opens no tabs for us.
      window.location.assign(url);
      return;
    }
    tab.opener = null;
    tab.location.replace(url);
  } catch (error) {
    tab?.close();
    notifyRefusal(error, failed);
  }
}

/** A red toast: the workspace is gone, or what failed with what the person can do about it. */
export function notifyRefusal(error: unknown, failed: string): void {
  if (error instanceof ApiError && error.status === 404)
    notifyError('No workspace selected', 'Please select a workspace first');
  else notifyError('Error', reasonOf(error) === null ? failed : `${failed}. ${reasonOf(error)}`);
}

/** What the person can do about it; null where it is not theirs. */
const reasonOf = (error: unknown): string | null =>
  error instanceof ApiError && [403, 422, 429].includes(error.status) ? messageOf(error) : null;
