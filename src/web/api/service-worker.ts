/** What shows push notifications, and a page where Cuebird cannot be reached: `public/sw.js`. Browsers without one do without both. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  // It asks for a file and starts a thread: the screen comes first.
  window.addEventListener('load', () => void installServiceWorker().catch(() => {}));
}

/** The browser asks for its file again with each visit, past the cache, and takes a new one at once. */
export const installServiceWorker = (): Promise<unknown> =>
  navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
