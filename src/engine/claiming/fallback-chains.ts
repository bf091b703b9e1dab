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
  const chained = prepared.flatMap(({ job: { workspace_id: workspaceId }, plan }) =>
    'refusal' in plan || plan.work.mode === 'every' ? [] : [{ workspaceId, plan }],
  );
  if (chained.length === 0) return;
  const contacts = await loadContacts(
    chained.filter(({ workspaceId }) => workspaces.get(workspaceId)?.has_contacts === true),
    found,
  );
  for (const { workspaceId, plan } of chained) {
    const contactOf = (recipient: string) => {
      const key = contactKey(recipient);
      return key === null ? null : (contacts.get(keyInWorkspace(workspaceId, key)) ?? null);
    };
    plan.chains = fallbackChainsOf(plan.targets, { channels: plan.work.channels, contactOf });
    plan.targets = plan.chains.flat();
  }
}
