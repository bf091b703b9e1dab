import { chainsOf, contactKey } from '#domain/chains.ts';
import { askForContacts, keyInWorkspace } from '#engine/contacts.ts';
import type { PreparedJob } from '#engine/prepare.ts';
import type { Found, WorkspaceFacts } from '#engine/store.ts';

/** Where a reminder's channels are tried in order, its targets become chains; contacts are asked for only then. */
export async function chainTargets(
  prepared: readonly PreparedJob[],
  { found, workspaces }: { found: Found; workspaces: ReadonlyMap<string, WorkspaceFacts> },
): Promise<void> {
  const chained = prepared.flatMap(({ job: { workspace_id: workspaceId }, plan }) =>
    'refusal' in plan || plan.work.mode === 'every' ? [] : [{ workspaceId, plan }],
  );
  if (chained.length === 0) return;
  const contacts = await askForContacts(
    chained.filter(({ workspaceId }) => workspaces.get(workspaceId)?.has_contacts === true),
    found,
  );
  for (const { workspaceId, plan } of chained) {
    const contactOf = (recipient: string) => {
      const key = contactKey(recipient);
      return key === null ? null : (contacts.get(keyInWorkspace(workspaceId, key)) ?? null);
    };
    plan.chains = chainsOf(plan.targets, { channels: plan.work.channels, contactOf });
    plan.targets = plan.chains.flat();
  }
}
