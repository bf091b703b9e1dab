/** Where a draft belongs: to one person in one workspace, and to a new reminder (null) or to the one that it changes. */
export type DraftPlace = { userId: string; workspaceId: string; reminderId: string | null };

const prefix = 'cuebird.draft.';

export const draftKey = ({ userId, workspaceId, reminderId }: DraftPlace): string =>
  `${prefix}${userId}.${workspaceId}.${reminderId ?? 'new'}`;

/** Whether this browser keeps a draft of anybody. */
export const hasDrafts = (): boolean => keptKeys().length > 0;

/** Removes every draft that this browser keeps, or those of everybody but one person. */
export function forgetDrafts({ exceptOf }: { exceptOf?: string } = {}): void {
  for (const key of keptKeys())
    if (exceptOf === undefined || !key.startsWith(`${prefix}${exceptOf}.`)) localStorage.removeItem(key);
}

function keptKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    // Where storage is forbidden nothing is kept.
    return [];
  }
}
