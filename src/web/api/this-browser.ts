import { PushBrowserInput } from '#contract/push.ts';
import { installServiceWorker } from '#web/api/service-worker.ts';

/** Whether this browser can show push notifications. */
export type PushSupport = 'ready' | 'blocked' | 'home_screen_first' | 'missing';

export function pushSupport(): PushSupport {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return Notification.permission === 'denied' ? 'blocked' : 'ready';
  // Apple allows push only for apps that were added to the Home Screen.
  return /\b(?:iPhone|iPad)\b/.test(navigator.userAgent) ? 'home_screen_first' : 'missing';
}

/** The browser or the person refused; the message is shown to the person. */
export class PushRefused extends Error {
  override readonly name = 'PushRefused';
}

/** This browser's endpoint at its push service; null where it is not subscribed. */
export async function ownEndpoint(): Promise<string | null> {
  if (pushSupport() !== 'ready') return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription())?.endpoint ?? null;
}

/** Unsubscribes this browser for every workspace: its push service then refuses further messages. */
export async function stopOwnPush(): Promise<void> {
  if (pushSupport() === 'missing') return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Asks the person to allow notifications, if they were not asked before. Browsers permit this only in a click. */
export async function askPermission(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new PushRefused('This browser was not allowed to show notifications.');
}

/**
 * Subscribes this browser at its push service.
 * @param key the installation's public key, in base64url
 */
export async function subscribeBrowser(key: string): Promise<PushBrowserInput> {
  await installServiceWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  try {
    const before = await pushManager.getSubscription();
    // The subscription is for another key of the installation, with which no message would be accepted.
    if (before !== null && !isFor(before, key)) await before.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    return PushBrowserInput.parse(made.toJSON());
  } catch (cause) {
    throw new PushRefused('The push service of this browser cannot be reached. Try again later.', { cause });
  }
}

function isFor({ options }: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key;
}
