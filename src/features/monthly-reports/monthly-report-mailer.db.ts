import type { Pool } from 'pg';

export type MonthlyReportRow = {
  id: string;
  workspace_id: string;
  reminder_id: string | null;
  group_id: string | null;
  address: string;
  /** The first day of a month. */
  reported_month: string;
  company: string;
  timezone: string | null;
  /** After how many days the workspace deletes jobs; null where it keeps them. */
  retention_days: number | null;
};

/** What a monthly report `m` of a workspace `w` has, and when nobody may have it mailed now. */
const columns = `m.id, m.workspace_id, m.reminder_id, m.group_id, m.address, m.reported_month::text, w.company_name as company,
            w.settings #>> '{sendingHours,timezone}' as timezone,
            case when jsonb_typeof(w.settings -> 'retentionDays') = 'number'
                 then greatest(30, least(36500, (w.settings ->> 'retentionDays')::numeric))::int end as retention_days`;
const mayBeMailed = `w.delete_after is null and w.suspended_at is null and may_mail_reports(m.workspace_id, m.created_by)
        and (m.reminder_id is null or exists (
              select from reminders r where r.workspace_id = m.workspace_id and r.id = m.reminder_id and r.status <> 'deleted'))
        and not exists (select from suppressions x
                         where x.workspace_id = m.workspace_id and x.channel = 'email' and x.recipient = m.address_key and x.covers <> 'topic')`;

/**
 * Of each workspace one monthly report whose last reported month is before this one, by workspace. Left out are those that nobody may have mailed now: of
 * workspaces that are deleted or suspended, of people who are suspended, or no owners or admins any more, about deleted reminders, and to suppressed addresses.
 * @param of.after the workspace after which they begin
 */
export async function findUnreported(
  pool: Pool,
  { before, now, after, limit }: { before: string; now: string; after: string; limit: number },
): Promise<MonthlyReportRow[]> {
  const { rows } = await pool.query<MonthlyReportRow>(
    `select distinct on (m.workspace_id) ${columns}
       from monthly_reports m
       join workspaces w on w.id = m.workspace_id
      where m.reported_month < $1 and m.workspace_id > $3 and (m.next_attempt_at is null or m.next_attempt_at <= $2)
        and ${mayBeMailed}
      order by m.workspace_id, m.reported_month, m.id limit $4`,
    [before, now, after, limit],
  );
  return rows;
}

type Of = { id: string; reportedMonth: string };

/**
 * Takes the next report of a monthly report for one process, until `nextAttemptAt`, and returns it as it is by now; of concurrent processes one succeeds.
 * Null too where it may not be mailed any more.
 */
export async function takeReport(
  pool: Pool,
  { id, reportedMonth, now, nextAttemptAt }: Of & { now: string; nextAttemptAt: string },
): Promise<MonthlyReportRow | null> {
  const { rows } = await pool.query<MonthlyReportRow>(
    `update monthly_reports m set next_attempt_at = $4
       from workspaces w
      where m.id = $1 and m.reported_month = $2 and (m.next_attempt_at is null or m.next_attempt_at <= $3) and w.id = m.workspace_id
        and ${mayBeMailed}
  returning ${columns}`,
    [id, reportedMonth, now, nextAttemptAt],
  );
  return rows[0] ?? null;
}

export const markReported = (pool: Pool, { id, reportedMonth, month }: Of & { month: string }) =>
  pool.query(
    `update monthly_reports set reported_month = $3, next_attempt_at = null, refused_at = null, refusal = null, refusal_words = null
      where id = $1 and reported_month = $2`,
    [id, reportedMonth, month],
  );

/** Keeps a report that was not accepted from being tried again before `until`, unless its address was changed meanwhile. */
export const deferReport = (
  pool: Pool,
  of: {
    id: string;
    address: string;
    now: string;
    until: string;
    refusal: 'declined' | 'unreachable';
    words: string | null;
  },
) =>
  pool.query(
    `update monthly_reports set next_attempt_at = $3, refused_at = $4, refusal = $5, refusal_words = $6
      where id = $1 and address = $2`,
    [of.id, of.address, of.until, of.now, of.refusal, of.words],
  );
