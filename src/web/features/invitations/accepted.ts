// In the browser's storage, because a link that says so would accept for whoever opens it.
const storageKey = 'cuebird.accepted-invitation';

/** Remembers, until the person is signed in, that they accept: in every tab, because a verification mail may open another one. */
export function rememberAccepted(token: string): void {
  try {
    localStorage.setItem(storageKey, token);
  } catch {
    // Without storage they are asked again.
  }
}

/** Whether this invitation was accepted before the sign-in. True once only. */
export function takeAccepted(token: string): boolean {
  try {
    if (localStorage.getItem(storageKey) !== token) return false;
    localStorage.removeItem(storageKey);
    return true;
  } catch {
    return false;
  }
}
