// The path is stored per tab: signing in, also through Google, returns to the same tab.
const storageKey = 'cuebird.return-path';

/** Stores the path to open after signing in, instead of the dashboard. */
export function rememberReturnPath(path: string | null): void {
  try {
    if (path) sessionStorage.setItem(storageKey, path);
    else sessionStorage.removeItem(storageKey);
  } catch {
    // Without storage the user has to follow the link again.
  }
}

export function returnPath(): string | null {
  try {
    return sessionStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
