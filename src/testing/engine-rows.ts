import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { ChannelType } from '#contract/reminders.ts';
import type { SendingHours } from '#contract/sending-hours.ts';
import { recipientKey } from '#domain/recipients.ts';
import type { TenantContext } from '#platform/context.ts';
import type { EngineHouse, TestWorkspace } from '#testing/engine.ts';

/** Somebody who does not want to hear from the workspace on this channel, however the address is written. */
export const suppress = (
  house: EngineHouse,
  { workspace, channel, recipient }: { workspace: TestWorkspace; channel: ChannelType; recipient: string },
) =>
  house.inWorkspace(workspace, ({ db, workspaceId }) =>
    db
      .insertInto('suppressions')
      .values({ workspace_id: workspaceId, channel, recipient: recipientKey(recipient), reason: 'unsubscribed' })
      .execute(),
  );

/** A webhook channel of the workspace's own, switched on. Returns its id. */
export const addWebhookChannel = (house: EngineHouse, workspace: TestWorkspace): Promise<string> =>
  addChannel(house, { workspace, type: 'webhook', configuration: {} });

/** A channel of the workspace's own, switched on, without secrets. Returns its id. */
export async function addChannel(
  house: EngineHouse,
  {
    workspace,
    type,
    configuration,
    ratePerSecond = null,
  }: {
    workspace: TestWorkspace;
    type: 'webhook' | 'sms';
    configuration: Record<string, unknown>;
    ratePerSecond?: number | null;
  },
): Promise<string> {
  const id = randomUUIDv7();
  await house.inWorkspace(workspace, ({ db, workspaceId, now }) =>
    db
      .insertInto('channels')
      .values({
        id,
        workspace_id: workspaceId,
        name: 'Hooks',
        type,
        configuration: JSON.stringify(configuration),
        rate_limit_per_second: ratePerSecond,
        updated_at: now.toString(),
      })
      .execute(),
  );
  return id;
}

export const switchOff = (house: EngineHouse, { workspace, id }: { workspace: TestWorkspace; id: string }) =>
  house.inWorkspace(workspace, ({ db, now }) =>
    db.updateTable('channels').set({ is_active: false, updated_at: now.toString() }).where('id', '=', id).execute(),
  );

/** Webhooks go out from Monday to Friday, 08:00 to 20:00 in Berlin, changed as the test needs it. */
export const setSendingHours = (
  house: EngineHouse,
  { workspace, ...changes }: { workspace: TestWorkspace } & { [Key in keyof SendingHours]?: unknown },
) =>
  house.inWorkspace(workspace, ({ db, workspaceId }) => {
    const sendingHours = {
      enabled: true,
      days: [1, 2, 3, 4, 5],
      from: '08:00',
      to: '20:00',
      zone: 'recipient',
      timezone: 'Europe/Berlin',
      channels: ['webhook'],
      ...changes,
    };
    return sql`update workspaces set settings = settings || ${JSON.stringify({ sendingHours })}::jsonb
      where id = ${workspaceId}`.execute(db);
  });

type Known = { timezone?: string; name?: string; email?: string; phone?: string; variables?: Record<string, string> };

/** Somebody whom the workspace knows. Returns the contact's id. */
export async function addContact(
  house: EngineHouse,
  { workspace, variables = {}, ...known }: Known & { workspace: TestWorkspace },
): Promise<string> {
  const id = randomUUIDv7();
  await house.inWorkspace(workspace, ({ db, workspaceId }) =>
    db
      .insertInto('contacts')
      .values({ id, workspace_id: workspaceId, ...known, variables: JSON.stringify(variables) })
      .execute(),
  );
  return id;
}

export const changeContact = (
  house: EngineHouse,
  { workspace, id, variables, ...known }: Known & { workspace: TestWorkspace; id: string },
) =>
  house.inWorkspace(workspace, ({ db }) =>
    db
      .updateTable('contacts')
      .set({ ...known, variables: JSON.stringify(variables ?? {}) })
      .where('id', '=', id)
      .execute(),
  );

/** Occurrences that the workspace has sent this month. */
export async function usageOf(house: EngineHouse, workspace: TestWorkspace): Promise<number> {
  const rows = await house.inWorkspace(workspace, ({ db }) =>
    db.selectFrom('monthly_usage').select('occurrences').orderBy('month', 'desc').limit(1).execute(),
  );
  return rows[0]?.occurrences ?? 0;
}

/** Recipients of whom an attempt is on record by now, the ones under way among them. */
export async function begunRecipients({ db }: Pick<TenantContext, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ recipient: string }>`
    select recipient from deliveries where attempts > 0
    union select a.recipient from jobs j cross join lateral attempts_under_way(j.id) a where j.status = 'running'`.execute(
    db,
  );
  return rows.map((row) => row.recipient);
}
