/** The owner of a draft: one person in one workspace, and a new reminder (null), the edited one, or a message to people who were chosen. */
export type DraftKey = { userId: string; workspaceId: string; of: DraftOf };
export type DraftOf = { reminderId: string | null } | { messageId: string };

const prefix = 'cuebird.draft.';

export const draftKey = ({ userId, workspaceId, of }: DraftKey): string =>
  `${prefix}${userId}.${workspaceId}.${'messageId' in of ? `to-${of.messageId}` : (of.reminderId ?? 'new')}`;

/** Whether this browser stores a draft of any user. */
export const hasDrafts = (): boolean => keptKeys().length > 0;

/** Removes every stored draft of this browser, or those of all users except one. */
export function forgetDrafts({ exceptOf }: { exceptOf?: string } = {}): void {
  for (const key of keptKeys())
    if (exceptOf === undefined || !key.startsWith(`${prefix}${exceptOf}.`)) localStorage.removeItem(key);
}

function keptKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  } catch {
    // Blocked storage holds no drafts.
    return [];
  }
}
