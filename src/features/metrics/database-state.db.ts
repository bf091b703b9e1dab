import type { Pool } from 'pg';

/** Figures of the whole installation that only the database has. */
export type DatabaseState = {
  /** Jobs that are due and not claimed, at most `mostDue`. */
  queue_due: number;
  /** When the job that waits longest was due, as an ISO instant; null when nothing is due. */
  oldest_due: string | null;
  running_jobs: number;
  size_bytes: number;
  connections: number;
  max_connections: number;
};

/** Due jobs are counted up to this number. */
export const mostDue = 100_000;

/** Reads these figures. Jobs of workspaces that are being deleted or suspended, and of demos that have sent all they may, wait in the queue, but do not count as due. */
export async function readDatabaseState(pool: Pool, now: Temporal.Instant): Promise<DatabaseState> {
  const { rows } = await pool.query<Record<keyof DatabaseState, string | null>>(
    `with due as (
       select q.run_at from queue q
        where q.run_at <= $1
          and not exists (select from workspaces w
                           where w.id = q.workspace_id and (w.delete_after is not null or w.suspended_at is not null or w.demo_spent_at is not null))
        order by q.run_at limit $2
     )
     select (select count(*) from due) as queue_due,
            (select min(run_at) from due) as oldest_due,
            (select coalesce(sum(cardinality(job_ids)), 0) from claims) as running_jobs,
            pg_database_size(current_database()) as size_bytes,
            (select count(*) from pg_stat_activity where datname = current_database()) as connections,
            current_setting('max_connections') as max_connections`,
    [now.toString(), mostDue],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a select of counts answered no row');
  return {
    queue_due: Number(row.queue_due),
    oldest_due: row.oldest_due,
    running_jobs: Number(row.running_jobs),
    size_bytes: Number(row.size_bytes),
    connections: Number(row.connections),
    max_connections: Number(row.max_connections),
  };
}
