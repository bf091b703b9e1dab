import { z } from 'zod';
import { notifySuccess } from '#web/ui/notify.tsx';

const storageKey = 'cuebird.toast';
const Toast = z.object({ title: z.string(), message: z.string() });

/** Reloads the page and shows the toast afterwards. */
export function reloadWithToast(title: string, message: string): void {
  sessionStorage.setItem(storageKey, JSON.stringify({ title, message } satisfies z.output<typeof Toast>));
  window.location.reload();
}

/** Shows the toast that was stored before a reload, once. */
export function showToastOfReload(): void {
  const kept = sessionStorage.getItem(storageKey);
  if (kept === null) return;
  sessionStorage.removeItem(storageKey);
  const { title, message } = Toast.parse(JSON.parse(kept));
  notifySuccess(title, message);
}
