/** Where a draft belongs: to one person in one workspace, and to a new reminder (null) or to the one that it changes. */
export type DraftPlace = { userId: string; workspaceId: string; reminderId: string | null };

const prefix = 'cuebird.draft.';

export const draftKey = ({ userId, workspaceId, reminderId }: DraftPlace): string =>
  `${prefix}${userId}.${workspaceId}.${reminderId ?? 'new'}`;

/** Removes every draft that this browser keeps, or those of everybody but one person. */
export function forgetDrafts({ exceptOf }: { exceptOf?: string } = {}): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(prefix) && (exceptOf === undefined || !key.startsWith(`${prefix}${exceptOf}.`)))
        localStorage.removeItem(key);
  } catch {
    // Where storage is forbidden nothing is kept.
  }
}
