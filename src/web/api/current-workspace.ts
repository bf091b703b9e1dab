import { useSyncExternalStore } from 'react';

const storageKey = 'cuebird.workspace';
const listeners = new Set<() => void>();

// Kept per tab: another tab that switches must not change whose data this one is showing.
let current: string | null = stored();

/** The workspace that requests of this tab are made for, or null before one is chosen. */
export const rememberedWorkspaceId = (): string | null => current;

/** Makes a workspace the current one of this tab and of the next visit; null forgets it. */
export function rememberWorkspace(id: string | null): void {
  current = id;
  try {
    if (id) localStorage.setItem(storageKey, id);
    else localStorage.removeItem(storageKey);
  } catch {
    // Storage may be full or forbidden; the choice then lasts as long as the tab.
  }
  for (const listener of listeners) listener();
}

/** As `rememberedWorkspaceId`, following changes. */
export const useRememberedWorkspaceId = (): string | null => useSyncExternalStore(follow, rememberedWorkspaceId);

/** The current workspace's id, for query keys. Only below the signed-in layout, where one is always chosen. */
export function useWorkspaceId(): string {
  const id = useRememberedWorkspaceId();
  if (!id) throw new Error('No workspace selected');
  return id;
}

function follow(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
