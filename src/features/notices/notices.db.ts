import type { Pool } from 'pg';
import type { NoticeKind } from '#contract/notices.ts';

/** An occurrence that was not sent. Instants are ISO text. */
export type Notice = {
  job_id: string;
  name: string;
  scheduled_for: string;
  timezone: string;
  reason: string;
  kind: NoticeKind;
};

type Day = { workspaceId: string /** A day in UTC, such as `2026-03-02`. */; day: string };

/** Workspaces with open notices whose owners got no mail on this day, except deleted and suspended ones. */
export async function findUntold(pool: Pool, day: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await pool.query<{ id: string; name: string }>(
    `select w.id, w.name from workspaces w
      where w.delete_after is null and w.suspended_at is null and exists (select from notices n where n.workspace_id = w.id)
        and not exists (select from notice_days d where d.workspace_id = w.id and d.day >= $1)
      order by w.id`,
    [day],
  );
  return rows;
}

/** Reserves this day's mail to the owners; of concurrent processes one succeeds. */
export async function takeDay(pool: Pool, { workspaceId, day }: Day): Promise<boolean> {
  const { rowCount } = await pool.query(
    `insert into notice_days as known (workspace_id, day) values ($1, $2)
     on conflict (workspace_id) do update set day = excluded.day where known.day < excluded.day`,
    [workspaceId, day],
  );
  return rowCount === 1;
}

/** Assigns the open notices to this day's mail. Later ones get mailed on another day. */
export const takeNotices = (pool: Pool, { workspaceId, day }: Day) =>
  pool.query('update notices set mailed_on = $2 where workspace_id = $1', [workspaceId, day]);

/** The number of this day's notices of these kinds, and the first few by time. */
export async function findNoticesOfDay(
  pool: Pool,
  { workspaceId, day, kinds, limit }: Day & { kinds: readonly NoticeKind[]; limit: number },
): Promise<{ count: number; first: Notice[] }> {
  const { rows } = await pool.query<Notice & { count: number }>(
    `select job_id, name, scheduled_for, timezone, reason, kind, count(*) over ()::integer as count from notices
      where workspace_id = $1 and mailed_on = $2 and kind = any ($3) order by scheduled_for, id limit $4`,
    [workspaceId, day, kinds, limit],
  );
  return { count: rows[0]?.count ?? 0, first: rows };
}

export type Owner = { email: string; kinds: NoticeKind[] };

/** The owners of a workspace, each with the kinds of notices that they want. */
export async function findOwners(pool: Pool, workspaceId: string): Promise<Owner[]> {
  const { rows } = await pool.query<{ email: string; notify_missed: boolean; notify_over_plan: boolean }>(
    `select p.email, p.notify_missed, p.notify_over_plan
       from owners_of($1) with ordinality as o (email, at) join profiles p on p.email = o.email
      order by o.at`,
    [workspaceId],
  );
  return rows.map((row) => ({
    email: row.email,
    kinds: [
      ...(row.notify_missed ? (['missed'] as const) : []),
      ...(row.notify_over_plan ? (['over_plan'] as const) : []),
    ],
  }));
}

export const deleteReported = (pool: Pool, { workspaceId, day }: Day) =>
  pool.query('delete from notices where workspace_id = $1 and mailed_on = $2', [workspaceId, day]);

/** Releases the reservation when the mail failed: it is tried again on the same day. */
export const giveBackDay = (pool: Pool, { workspaceId, day }: Day) =>
  pool.query('update notice_days set day = day - 1 where workspace_id = $1 and day = $2', [workspaceId, day]);

export const forgetOlderThan = (pool: Pool, instant: string) =>
  pool.query('delete from notices where created_at < $1', [instant]);
