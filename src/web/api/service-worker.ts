/**
 * Registers `public/sw.js`, which shows push notifications, and a page when Cuebird cannot be reached. Browsers without service workers do without
 * both.
 */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  // After the page has loaded, because it fetches a file and starts a thread.
  window.addEventListener('load', () => void installServiceWorker().catch(() => {}));
}

/** The browser fetches the file again with each visit, past its cache, and activates a new one at once. */
export const installServiceWorker = (): Promise<unknown> =>
  navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
