import { randomBytes } from 'node:crypto';
import type { Auth } from '#features/auth/auth.service.ts';
import { demoReminders } from '#features/demo/demo.reminders.ts';
import { createReminder } from '#features/reminders/reminders.service.ts';
import { createWorkspace } from '#features/workspaces/workspaces.service.ts';
import { type Database, inTenant } from '#platform/database.ts';
import type { Sandbox } from '#platform/sandbox/sandbox.ts';

const email = 'demo@cuebird.example';
const firstDelaySeconds = 15;

export type Demo = { userId: string; isNew: boolean; workspaceId: string | null };

type Ports = { database: Database; auth: Auth; sandbox: Sandbox | null; now: Temporal.Instant };

/**
 * On an empty installation: a property manager's account and workspace with believable reminders, the first of which is
 * due in 15 seconds. Later starts find the account again. Null when people are there but no demo.
 */
export async function openDemo(ports: Ports): Promise<Demo | null> {
  const { rows } = await ports.database.auth.query<{ id: string; is_demo: boolean }>(
    'select id, is_demo from profiles order by is_demo desc limit 1',
  );
  const [known] = rows;
  if (known !== undefined) return known.is_demo ? { userId: known.id, isNew: false, workspaceId: null } : null;
  const { id } = await ports.auth.createPerson({
    email,
    fullName: 'Dana Whitfield',
    password: randomBytes(24).toString('base64url'),
    isDemo: true,
  });
  return { userId: id, isNew: true, workspaceId: await furnish(id, ports) };
}

async function furnish(userId: string, { database, sandbox, now }: Ports): Promise<string> {
  return inTenant(database.app, { workspaceId: null, userId }, async (db) => {
    const actor = { kind: 'user' as const, userId };
    const workspace = await createWorkspace(
      { db, actor, now },
      { name: 'Elm & Harbour Properties', description: 'Rent, inspections and leases' },
    );
    const ctx = { db, actor, now, workspaceId: workspace.id, role: workspace.role };
    const reminders = demoReminders({
      firstAt: now.add({ seconds: firstDelaySeconds }),
      timezone: Temporal.Now.timeZoneId(),
      webhookUrl: sandbox?.webhookUrlFor(workspace.id) ?? null,
    });
    // The first one is written last, so that it stands on top of the list.
    for (const reminder of reminders.toReversed()) await createReminder(ctx, reminder);
    return workspace.id;
  });
}
