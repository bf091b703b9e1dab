import { fallbackChainsOf, contactKey } from '#domain/fallback-chains.ts';
import { loadContacts } from '#engine/claiming/load-contacts.ts';
import { keyInWorkspace } from '#engine/run/contacts.ts';
import type { PreparedJob } from '#engine/run/prepared-job.ts';
import type { Found, WorkspaceFacts } from '#engine/store.ts';

/**
 * Turns the targets of reminders whose channels are tried in order into fallback chains. Loads contacts only for those.
 */
export async function applyFallbackChains(
  prepared: readonly PreparedJob[],
  { found, workspaces }: { found: Found; workspaces: ReadonlyMap<string, WorkspaceFacts> },
): Promise<void> {
  const chained = prepared.flatMap(({ job: { workspace_id: workspaceId }, dispatch }) =>
    'refusal' in dispatch || dispatch.work.mode === 'every' ? [] : [{ workspaceId, dispatch }],
  );
  if (chained.length === 0) return;
  const contacts = await loadContacts(
    chained.filter(({ workspaceId }) => workspaces.get(workspaceId)?.has_contacts === true),
    found,
  );
  for (const { workspaceId, dispatch } of chained) {
    const contactOf = (recipient: string) => {
      const key = contactKey(recipient);
      return key === null ? null : (contacts.get(keyInWorkspace(workspaceId, key)) ?? null);
    };
    dispatch.chains = fallbackChainsOf(dispatch.targets, { channels: dispatch.work.channels, contactOf });
    dispatch.targets = dispatch.chains.flat();
  }
}
