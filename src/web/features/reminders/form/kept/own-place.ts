const patienceMs = 500;

/**
 * Whether this tab may keep the draft of this key: not while another one does, which would each take the other's away. It
 * does until the signal is aborted. Browsers lend locks on safe pages only; elsewhere the last tab that writes wins.
 */
export function ownPlace(key: string, until: AbortSignal): Promise<boolean> {
  // By the types it is always there.
  if (!('locks' in navigator)) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // A page that is being reloaded lets go a moment after it is gone.
  const signal = AbortSignal.any([until, AbortSignal.timeout(patienceMs)]);
  const held = () => {
    resolve(true);
    return new Promise<void>((letGo) => {
      if (until.aborted) letGo();
      until.addEventListener('abort', () => letGo());
    });
  };
  navigator.locks.request(key, { signal }, held).catch(() => resolve(false));
  return promise;
}
