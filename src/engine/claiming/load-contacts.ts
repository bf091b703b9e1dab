import { contactKey } from '#domain/fallback-chains.ts';
import type { Started } from '#engine/run/claim-decision.ts';
import type { Dispatch } from '#engine/run/prepared-job.ts';
import type { Found, WorkspaceFacts } from '#engine/store.ts';

/**
 * Loads the contacts of all recipients whom these runs still write to. Runs no query when no workspace has contacts.
 * Nothing refers to a contact by id: recipient lists also come from programs, imports and events, and each attempt uses
 * the contact's present values.
 */
export async function addContacts(
  started: readonly Started[],
  { found, workspaces }: { found: Found; workspaces: ReadonlyMap<string, WorkspaceFacts> },
): Promise<void> {
  const concerned = started.filter(({ run }) => workspaces.get(run.job.workspace_id)?.has_contacts === true);
  if (concerned.length === 0) return;
  const asked = concerned.flatMap(({ run, begun }) =>
    [...begun, ...run.overflow].flatMap((delivery) => {
      const key = run.contactKeyOf(delivery);
      return key === null ? [] : [{ workspaceId: run.job.workspace_id, key }];
    }),
  );
  if (asked.length === 0) return;
  const contacts = await found.contacts(asked);
  for (const { run } of concerned) run.useContacts(contacts);
}

/** Loads the contacts of the recipients of these jobs. Runs no query without one. */
export async function loadContacts(
  dispatches: readonly { workspaceId: string; dispatch: Dispatch }[],
  found: Found,
): ReturnType<Found['contacts']> {
  const asked = dispatches.flatMap(({ workspaceId, dispatch }) =>
    dispatch.targets.flatMap(({ recipient }) => {
      const key = contactKey(recipient);
      return key === null ? [] : [{ workspaceId, key }];
    }),
  );
  return asked.length === 0 ? new Map() : found.contacts(asked);
}
