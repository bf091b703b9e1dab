/** A slow computer takes longer than half a second to end a page that is being reloaded. */
const patienceMs = 2_000;

/**
 * Resolves to whether this tab may store the draft of this key: only one tab at a time may, until the signal is
 * aborted. Without the Web Locks API (plain http) every tab may, and the last write wins.
 */
export function ownStorage(key: string, until: AbortSignal): Promise<boolean> {
  // TypeScript's types declare `locks` as always present.
  if (!('locks' in navigator)) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // A reloading page releases its lock shortly after it has unloaded.
  const signal = AbortSignal.any([until, AbortSignal.timeout(patienceMs)]);
  const stored = () => {
    resolve(true);
    return new Promise<void>((release) => {
      if (until.aborted) release();
      until.addEventListener('abort', () => release());
    });
  };
  navigator.locks.request(key, { signal }, stored).catch(() => resolve(false));
  return promise;
}
