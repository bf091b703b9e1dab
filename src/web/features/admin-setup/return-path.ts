import { returnPathKey as storageKey } from '#contract/return-path-key.ts';

// By default the path is stored per tab: signing in, also through Google, returns to the same tab.

/** Stores the path to open after signing in, instead of the dashboard: in this tab, or in whichever comes first. */
export function rememberReturnPath(path: string | null, { inEveryTab = false } = {}): void {
  try {
    for (const storage of [sessionStorage, localStorage]) storage.removeItem(storageKey);
    if (path) (inEveryTab ? localStorage : sessionStorage).setItem(storageKey, path);
  } catch {
    // Without storage the user has to follow the link again.
  }
}

export function returnPath(): string | null {
  try {
    return sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
