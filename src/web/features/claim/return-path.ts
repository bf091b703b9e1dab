// Per tab: signing in, also by way of Google, comes back to the same tab.
const storageKey = 'cuebird.return-path';

/** Where to go once someone has signed in, in place of the dashboard. */
export function rememberReturnPath(path: string | null): void {
  try {
    if (path) sessionStorage.setItem(storageKey, path);
    else sessionStorage.removeItem(storageKey);
  } catch {
    // Without storage the link has to be followed again.
  }
}

export function returnPath(): string | null {
  try {
    return sessionStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
