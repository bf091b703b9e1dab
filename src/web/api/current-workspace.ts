import { useSyncExternalStore } from 'react';

const storageKey = 'cuebird.workspace';
const listeners = new Set<() => void>();

// The workspace is kept per tab, so that switching in one tab does not change the data shown in another.
let current: string | null = named() ?? stored();

/** The workspace that this tab's requests name, or null before one is chosen. */
export const rememberedWorkspaceId = (): string | null => current;

/** Makes a workspace the current one of this tab and of the next visit; null clears it. */
export function rememberWorkspace(id: string | null): void {
  current = id;
  try {
    if (id) localStorage.setItem(storageKey, id);
    else localStorage.removeItem(storageKey);
  } catch {
    // Storage may be full or blocked; the choice then lasts until the tab closes.
  }
  for (const listener of listeners) listener();
}

/** `rememberedWorkspaceId` as a hook that follows changes. */
export const useRememberedWorkspaceId = (): string | null => useSyncExternalStore(follow, rememberedWorkspaceId);

/**
 * The current workspace's id, for query keys. Valid only below the signed-in layout, where a workspace is always
 * chosen.
 */
export function useWorkspaceId(): string {
  const id = useRememberedWorkspaceId();
  if (!id) throw new Error('No workspace selected');
  return id;
}

function follow(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A notification leads to a job, in whichever workspace. One that is not the person's own is not entered. */
function named(): string | null {
  return new URLSearchParams(globalThis.location?.search).get('workspace_id');
}

function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
