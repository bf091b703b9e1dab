import { Dialling, e164 } from '#delivery/phone.ts';
import { contactKey as keyOfContact } from '#domain/chains.ts';
import { parseRecipient } from '#domain/recipients.ts';
import type { Contact } from '#domain/variables.ts';
import type { Plan } from '#engine/prepare.ts';
import type { LiveDelivery, Run } from '#engine/run.ts';
import type { Found, WorkspaceFacts } from '#engine/store.ts';

type Started = { run: Run; begun: readonly LiveDelivery[] };

/** Finds the contacts of everybody whom these runs still write to. Asks nothing where no workspace has any. */
export async function addContacts(
  started: readonly Started[],
  { found, workspaces }: { found: Found; workspaces: ReadonlyMap<string, WorkspaceFacts> },
): Promise<void> {
  const concerned = started.filter(({ run }) => workspaces.get(run.job.workspace_id)?.has_contacts === true);
  if (concerned.length === 0) return;
  const asked = concerned.flatMap(({ run, begun }) =>
    [...begun, ...run.queued].flatMap((delivery) => {
      const key = contactKey(run, delivery);
      return key === null ? [] : [{ workspaceId: run.job.workspace_id, key }];
    }),
  );
  if (asked.length === 0) return;
  const contacts = await found.contacts(asked);
  for (const { run } of concerned) run.contacts = contacts;
}

/** The contacts of whom these plans write to. Asks nothing for no plans. */
export async function askForContacts(
  plans: readonly { workspaceId: string; plan: Plan }[],
  found: Found,
): ReturnType<Found['contacts']> {
  const asked = plans.flatMap(({ workspaceId, plan }) =>
    plan.targets.flatMap(({ recipient }) => {
      const key = keyOfContact(recipient);
      return key === null ? [] : [{ workspaceId, key }];
    }),
  );
  return asked.length === 0 ? new Map() : found.contacts(asked);
}

/** Who this recipient is to the workspace, null when nobody it knows. */
export function contactOf(run: Run, delivery: Pick<LiveDelivery, 'channel' | 'recipient'>): Contact | null {
  if (run.contacts.size === 0) return null;
  const key = contactKey(run, delivery);
  return key === null ? null : (run.contacts.get(keyInWorkspace(run.job.workspace_id, key)) ?? null);
}

export const keyInWorkspace = (workspaceId: string, key: string) => `${workspaceId} ${key}`;

/** As contacts are found: an address in lower case, a number with its country. */
function contactKey(run: Run, { channel, recipient }: Pick<LiveDelivery, 'channel' | 'recipient'>): string | null {
  const { kind, address } = parseRecipient(recipient);
  if (kind === 'email') return address.toLowerCase();
  if (kind !== 'phone') return null;
  if (address.startsWith('+') || (channel !== 'sms' && channel !== 'whatsapp')) return address;
  const [route] = run.ways(channel);
  return 'problem' in route ? address : (e164(address, Dialling.safeParse(route.config).data) ?? address);
}
