import { emailKey } from '#contract/email-address.ts';
import { phoneKey } from '#delivery/phone.ts';
import { contactKey } from '#domain/fallback-chains.ts';
import { isPhoneChannel, parseRecipient } from '#domain/recipients.ts';
import type { Contact } from '#domain/variables.ts';
import { international } from '#engine/run/phone-numbers.ts';
import type { Plan } from '#engine/run/prepared-job.ts';
import type { Started } from '#engine/run/claim-decision.ts';
import type { JobRun } from '#engine/run/job-run.ts';
import type { LiveDelivery } from '#engine/run/live-delivery.ts';
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
      const key = routedContactKey(run, delivery);
      return key === null ? [] : [{ workspaceId: run.job.workspace_id, key }];
    }),
  );
  if (asked.length === 0) return;
  const contacts = await found.contacts(asked);
  for (const { run } of concerned) run.useContacts(contacts);
}

/** Loads the contacts of the recipients of these plans. Runs no query when there are no plans. */
export async function loadContacts(
  plans: readonly { workspaceId: string; plan: Plan }[],
  found: Found,
): ReturnType<Found['contacts']> {
  const asked = plans.flatMap(({ workspaceId, plan }) =>
    plan.targets.flatMap(({ recipient }) => {
      const key = contactKey(recipient);
      return key === null ? [] : [{ workspaceId, key }];
    }),
  );
  return asked.length === 0 ? new Map() : found.contacts(asked);
}

/** The recipient's contact; null when the workspace has none. */
export function contactOf(run: JobRun, delivery: Pick<LiveDelivery, 'channel' | 'recipient'>): Contact | null {
  if (run.contacts === null) return null;
  const key = routedContactKey(run, delivery);
  return key === null ? null : (run.contacts.get(keyInWorkspace(run.job.workspace_id, key)) ?? null);
}

export const keyInWorkspace = (workspaceId: string, key: string) => `${workspaceId} ${key}`;

/** `contactKey`, with a number in E.164 as the channel of the delivery dials it. */
function routedContactKey(
  run: JobRun,
  { channel, recipient }: Pick<LiveDelivery, 'channel' | 'recipient'>,
): string | null {
  const { kind, address } = parseRecipient(recipient);
  if (kind === 'email') return emailKey(address);
  if (kind !== 'phone') return null;
  return isPhoneChannel(channel) ? international(run.routes(channel), address) : phoneKey(address);
}
