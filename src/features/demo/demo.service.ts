import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import type { Auth } from '#features/auth/auth.service.ts';
import { givePlan } from '#features/billing/subscriptions.service.ts';
import { fillDemo, type FillPorts } from '#features/demo/fill-demo.service.ts';
import { pastDays } from '#features/demo/past/past-runs.ts';
import { createWorkspace, listWorkspaces } from '#features/workspaces/workspaces.service.ts';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import { type Database, type Db, inTenant } from '#platform/database.ts';
import { onConnection } from '#platform/transaction.ts';

const email = 'demo@cuebird.example';

export const demoPerson = 'Dana Whitfield';
export const demoWorkspace = { name: 'Elm & Harbour Properties', description: 'Rent, inspections and leases' };

export type Demo = { userId: string; isNew: boolean; workspaceId: string | null };

export type DemoPorts = FillPorts & { database: Database; now: Temporal.Instant };

/**
 * On an empty installation: a property manager's account and workspace with a believable past, the first reminder of which is
 * due in 15 seconds. Later starts find the account again. Null when people are there but no demo.
 */
export const openDemo = (ports: DemoPorts & { auth: Auth }): Promise<Demo | null> =>
  // Of several processes that start at once on an empty database, one makes the demo, and the others find it.
  onConnection(ports.database.auth, async (client) => {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.demo]);
    const demo = await openLocked(ports);
    await client.query('select pg_advisory_unlock($1)', [advisoryLocks.demo]);
    return demo;
  });

async function openLocked({ auth, ...ports }: DemoPorts & { auth: Auth }): Promise<Demo | null> {
  const { rows } = await ports.database.auth.query<{ id: string; is_demo: boolean }>(
    'select id, is_demo from profiles where demo_until is null order by is_demo desc limit 1',
  );
  const [known] = rows;
  if (known !== undefined && !known.is_demo) return null;
  const userId = known?.id ?? (await createAccount(auth));
  // An interrupted start left an account without a workspace; it is completed now.
  const workspaceId = await createDemoWorkspace(ports, { userId, timezone: Temporal.Now.timeZoneId() });
  await givePremium(userId, ports);
  return { userId, isNew: workspaceId !== null, workspaceId };
}

async function createAccount(auth: Auth): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const { id } = await auth.createPerson({ email, fullName: demoPerson, password, isDemo: true });
  return id;
}

/** Creates the demo's workspace completely or not at all. Returns its id; null when the account has a workspace already. */
export async function createDemoWorkspace(
  ports: DemoPorts,
  { userId, timezone }: { userId: string; timezone: string },
): Promise<string | null> {
  const { database, now } = ports;
  await makePastMonths(ports);
  return inTenant(database.app, { workspaceId: null, userId }, async (db) => {
    const person = { db, actor: { kind: 'user' as const, userId }, now };
    if ((await listWorkspaces(person)).length > 0) return null;
    const { id: workspaceId } = await createWorkspace(person, demoWorkspace);
    await enterWorkspace(db, { workspaceId });
    await fillDemo({ ...person, workspaceId, role: 'owner' }, { timezone, ports });
    return workspaceId;
  });
}

/** Creates the months of the ledger that the past needs: by default only present and coming ones exist. */
async function makePastMonths({ database, now }: DemoPorts): Promise<void> {
  const first = now
    .subtract({ hours: 24 * pastDays })
    .toZonedDateTimeISO('UTC')
    .toPlainDate()
    .with({ day: 1 });
  await database.engine.query('select ensure_month_partitions($1::date, 3)', [first.toString()]);
}

/** The demo has every feature, however old it is. */
async function givePremium(userId: string, { database, now }: DemoPorts): Promise<void> {
  const workspaces = await inTenant(database.app, { workspaceId: null, userId }, (db) =>
    listWorkspaces({ db, actor: { kind: 'user' as const, userId }, now }),
  );
  const owned = workspaces.filter(({ role }) => role === 'owner').map(({ id }) => id);
  await givePlan(database.engine, { workspaceIds: owned, tier: 'premium' });
}

/** Sets the workspace in which the rest of this transaction works. */
const enterWorkspace = (db: Db, { workspaceId }: { workspaceId: string }) =>
  sql`select set_config('app.workspace_id', ${workspaceId}, true)`.execute(db);
