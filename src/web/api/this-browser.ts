import { PushBrowserInput } from '#contract/push.ts';
import { installServiceWorker } from '#web/api/service-worker.ts';

/** Whether this browser can show push notifications. */
export type PushSupport = 'ready' | 'blocked' | 'home_screen_first' | 'missing';

export function pushSupport(): PushSupport {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return Notification.permission === 'denied' ? 'blocked' : 'ready';
  // Apple offers push to what was added to the Home Screen only.
  return /\b(?:iPhone|iPad)\b/.test(navigator.userAgent) ? 'home_screen_first' : 'missing';
}

/** The sentence is for the person. */
export class PushRefused extends Error {
  override readonly name = 'PushRefused';
}

/** Where this browser takes messages; null where it is not subscribed. */
export async function ownEndpoint(): Promise<string | null> {
  if (pushSupport() !== 'ready') return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription())?.endpoint ?? null;
}

/** In every workspace: its push service then refuses what is sent there. */
export async function stopOwnPush(): Promise<void> {
  if (pushSupport() === 'missing') return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Asks the person, if they were not asked before. Browsers let it ask at a click only. */
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
    // The installation has other keys now: nothing that it sends would be accepted.
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
