import { sql } from 'kysely';
import type { MonthlyReport } from '#contract/monthly-reports.ts';
import type { Db } from '#platform/database.ts';

type Scope = { workspaceId: string };

/** A report with the reasons that its row knows; whether the suppression list has its address is asked beside. */
export type FoundReport = Omit<MonthlyReport, 'refusal'> & {
  refused_at: string | null;
  refusal_words: string | null;
  next_attempt_at: string | null;
};

const select = ({ workspaceId, id }: Scope & { id?: string }) => sql<FoundReport>`
  select m.id, m.address, m.reminder_id, m.group_id, coalesce(r.name, g.name) as about, m.created_at,
         coalesce(nullif(p.full_name, ''), p.email) as created_by,
         case when not may_mail_reports(m.workspace_id, m.created_by) then 'creator_may_not'
              when r.status = 'deleted' then 'reminder_deleted' else m.refusal end as obstacle,
         m.refused_at, m.refusal_words, m.next_attempt_at
    from monthly_reports m
    join profiles p on p.id = m.created_by
    left join reminders r on r.workspace_id = m.workspace_id and r.id = m.reminder_id
    left join contact_groups g on g.workspace_id = m.workspace_id and g.id = m.group_id
   where m.workspace_id = ${workspaceId} and ${id === undefined ? sql`true` : sql`m.id = ${id}`}
   order by m.created_at, m.id`;

export const findMonthlyReports = async (db: Db, scope: Scope) => (await select(scope).execute(db)).rows;

export const findMonthlyReport = async (db: Db, of: Scope & { id: string }) => (await select(of).execute(db)).rows[0];

/** Serializes writers of a workspace's reports, so that the limit holds. Returns how many there are. */
export async function lockCount(db: Db, { workspaceId }: Scope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`monthly reports ${workspaceId}`}, 3))`.execute(db);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from monthly_reports where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.count ?? 0;
}

type Row = {
  workspace_id: string;
  reminder_id: string | null;
  group_id: string | null;
  address: string;
  address_key: string;
  created_by: string;
  created_at: string;
  reported_month: string;
};

/** Returns nothing where the address gets this report already. */
export const insertMonthlyReport = (db: Db, row: Row) =>
  db
    .insertInto('monthly_reports')
    .values(row)
    .onConflict((known) => known.columns(['workspace_id', 'reminder_id', 'group_id', 'address_key']).doNothing())
    .returning('id')
    .executeTakeFirst();

/** Whether another report has this address for the same report. */
export async function isTaken(db: Db, { workspaceId, id, key }: Scope & { id: string; key: string }): Promise<boolean> {
  const { rows } = await sql`
    select from monthly_reports m
      join monthly_reports o on o.workspace_id = m.workspace_id and o.id <> m.id and o.address_key = ${key}
       and o.reminder_id is not distinct from m.reminder_id and o.group_id is not distinct from m.group_id
     where m.workspace_id = ${workspaceId} and m.id = ${id}`.execute(db);
  return rows.length > 0;
}

/** What the mail server said of the address before is forgotten, and the report that is due is tried at `until` at the latest. */
export const setAddress = (
  db: Db,
  { workspaceId, id, address, key, until }: Scope & { id: string; address: string; key: string; until: string },
) =>
  db
    .updateTable('monthly_reports')
    .set((row) => ({
      address,
      address_key: key,
      refused_at: null,
      refusal: null,
      refusal_words: null,
      // The least of nothing and a time would be that time.
      next_attempt_at: row
        .case()
        .when('next_attempt_at', 'is not', null)
        .then(row.fn<string>('least', ['next_attempt_at', sql`${until}::timestamptz`]))
        .else(null)
        .end(),
    }))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();

/** Deletes one; with `key` only while it still has this address. */
export const deleteMonthlyReport = (db: Db, { workspaceId, id, key }: Scope & { id: string; key?: string }) =>
  db
    .deleteFrom('monthly_reports')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .$if(key !== undefined, (query) => query.where('address_key', '=', key ?? ''))
    .returning('address')
    .executeTakeFirst();

/** Whether the report exists and still has this address. */
export const hasMonthlyReport = async (db: Db, { workspaceId, id, key }: Scope & { id: string; key: string }) =>
  (await db
    .selectFrom('monthly_reports')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('address_key', '=', key)
    .select('id')
    .executeTakeFirst()) !== undefined;

/** The zone of a workspace, an IANA name; null where none is set. */
export async function findReportZone(db: Db, { workspaceId }: Scope): Promise<string | null> {
  const { rows } = await sql<{ timezone: string | null }>`
    select settings #>> '{sendingHours,timezone}' as timezone from workspaces where id = ${workspaceId}`.execute(db);
  return rows[0]?.timezone ?? null;
}
