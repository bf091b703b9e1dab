import { randomBytes } from 'node:crypto';
import type { Auth } from '#features/auth/auth.service.ts';
import { givePlan } from '#features/billing/subscriptions.service.ts';
import { saveContacts } from '#features/contacts/import.service.ts';
import { demoContacts } from '#features/demo/demo.contacts.ts';
import { demoReminders } from '#features/demo/demo.reminders.ts';
import { createReminder } from '#features/reminders/reminders.service.ts';
import { createWorkspace, listWorkspaces } from '#features/workspaces/workspaces.service.ts';
import { type Database, inTenant } from '#platform/database.ts';
import type { SandboxAddresses } from '#sandbox/addresses.ts';

const email = 'demo@cuebird.example';
const firstDelaySeconds = 15;

export type Demo = { userId: string; isNew: boolean; workspaceId: string | null };

type Ports = { database: Database; auth: Auth; sandbox: SandboxAddresses | null; now: Temporal.Instant };

/**
 * On an empty installation: a property manager's account and workspace with believable reminders, the first of which is
 * due in 15 seconds. Later starts find the account again. Null when people are there but no demo.
 */
export async function openDemo(ports: Ports): Promise<Demo | null> {
  const { rows } = await ports.database.auth.query<{ id: string; is_demo: boolean }>(
    'select id, is_demo from profiles order by is_demo desc limit 1',
  );
  const [known] = rows;
  if (known !== undefined && !known.is_demo) return null;
  const userId = known?.id ?? (await createAccount(ports));
  // An interrupted start left an account without a workspace; it is completed now.
  const workspaceId = await createEmptyWorkspace(userId, ports);
  if (workspaceId !== null) await writeReminders({ userId, workspaceId, ports });
  await givePremium(userId, ports);
  return { userId, isNew: workspaceId !== null, workspaceId };
}

async function createAccount({ auth }: Ports): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const { id } = await auth.createPerson({ email, fullName: 'Dana Whitfield', password, isDemo: true });
  return id;
}

/** Null when the account has a workspace already. */
const createEmptyWorkspace = (userId: string, { database, now }: Ports): Promise<string | null> =>
  inTenant(database.app, { workspaceId: null, userId }, async (db) => {
    const person = { db, actor: { kind: 'user' as const, userId }, now };
    if ((await listWorkspaces(person)).length > 0) return null;
    const input = { name: 'Elm & Harbour Properties', description: 'Rent, inspections and leases' };
    return (await createWorkspace(person, input)).id;
  });

/** The demo shows everything, however long it has been there. */
async function givePremium(userId: string, { database, now }: Ports): Promise<void> {
  const workspaces = await inTenant(database.app, { workspaceId: null, userId }, (db) =>
    listWorkspaces({ db, actor: { kind: 'user' as const, userId }, now }),
  );
  const owned = workspaces.filter(({ role }) => role === 'owner').map(({ id }) => id);
  await givePlan(database.engine, { workspaceIds: owned, tier: 'premium' });
}

async function writeReminders({
  userId,
  workspaceId,
  ports,
}: {
  userId: string;
  workspaceId: string;
  ports: Ports;
}): Promise<void> {
  const { database, sandbox, now } = ports;
  await inTenant(database.app, { workspaceId, userId }, async (db) => {
    const ctx = { db, actor: { kind: 'user' as const, userId }, now, workspaceId, role: 'owner' as const };
    const reminders = demoReminders({
      firstAt: now.add({ seconds: firstDelaySeconds }),
      timezone: Temporal.Now.timeZoneId(),
      webhookUrl: sandbox?.webhookUrlFor(workspaceId) ?? null,
    });
    await saveContacts(ctx, demoContacts);
    // Written in reverse, so that the first one is at the top of the list.
    for (const reminder of reminders.toReversed()) await createReminder(ctx, reminder);
  });
}
