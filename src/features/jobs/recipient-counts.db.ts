import { sql } from 'kysely';
import { z } from 'zod';
import type { JobStatus, RecipientCounts } from '#contract/job-states.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { Tally } from '#domain/job-state.ts';
import { countsOf } from '#domain/recipient-groups.ts';
import type { Db } from '#platform/database.ts';

type CountedJob = { id: string; status: JobStatus; scheduled_for: string };
type Counted = { job_id: string; status: DeliveryStatus; count: number };

/** How many deliveries of each job a list counts at most. */
const countedAtMost = 1_000;

/** The counts of the jobs of a page. Jobs with more than `most` deliveries are not counted: the logs of their last run have the figures. */
export async function countOfJobs(
  db: Db,
  { workspaceId, jobs, most = countedAtMost }: { workspaceId: string; jobs: readonly CountedJob[]; most?: number },
): Promise<Map<string, RecipientCounts>> {
  const ids = jobs.filter(({ status }) => status !== 'running').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Counted>`
    select j.id as job_id, d.status, count(*)::int as count
      from jobs j
     cross join lateral (
       select d.status from deliveries d
        where d.workspace_id = j.workspace_id and d.job_id = j.id and d.scheduled_for = j.scheduled_for
        limit ${most + 1}) d
     where j.workspace_id = ${workspaceId} and j.id = any (${ids}::uuid[])
     group by 1, 2`.execute(db);
  const tallies = Map.groupBy(rows, (row) => row.job_id);
  const counts = new Map(ids.map((id) => [id, countsOf(tallyOf(tallies.get(id) ?? []))]));
  const long = jobs.filter(({ id }) => (counts.get(id)?.total ?? 0) > most);
  if (long.length === 0) return counts;
  const logged = await findLoggedTallies(db, { workspaceId, jobs: long });
  for (const { id } of long) {
    const tally = logged.get(id);
    if (tally === undefined) counts.delete(id);
    else counts.set(id, countsOf(tally));
  }
  return counts;
}

const tallyOf = (rows: readonly Counted[]): Tally => Object.fromEntries(rows.map((row) => [row.status, row.count]));

const Logged = z
  .object({
    accepted: z.number().int(),
    delivered: z.number().int(),
    failed: z.number().int(),
    unknown: z.number().int(),
    skipped: z.number().int(),
  })
  .partial();

/** The figures that the last run of each ended job has logged, which cover all its runs. */
async function findLoggedTallies(
  db: Db,
  { workspaceId, jobs }: { workspaceId: string; jobs: readonly CountedJob[] },
): Promise<Map<string, Tally>> {
  const ended = jobs.filter(({ status }) => status === 'completed' || status === 'failed').map(({ id }) => id);
  const { rows } = await sql<{ id: string; logs: unknown }>`
    select j.id, e.logs
      from jobs j
     cross join lateral (
       select e.logs from executions e
        where e.workspace_id = j.workspace_id and e.job_id = j.id
        order by e.started_at desc limit 1) e
     where j.workspace_id = ${workspaceId} and j.id = any (${ended}::uuid[])`.execute(db);
  return new Map(
    rows.flatMap(({ id, logs }) => {
      const parsed = Logged.safeParse(logs);
      return parsed.success ? [[id, parsed.data]] : [];
    }),
  );
}

/** The exact counts of one job, including attempts in flight without a row. */
export async function countOfJob(
  db: Db,
  { workspaceId, job }: { workspaceId: string; job: CountedJob },
): Promise<RecipientCounts> {
  const { rows } = await sql<Omit<Counted, 'job_id'>>`
    select status, count(*)::int as count from deliveries
     where workspace_id = ${workspaceId} and job_id = ${job.id} and scheduled_for = ${job.scheduled_for}
     group by status`.execute(db);
  const tally: Tally = Object.fromEntries(rows.map((row) => [row.status, row.count]));
  if (job.status !== 'running') return countsOf(tally);
  const running = await sql<{ count: number }>`select count(*)::int as count from running_attempts(${job.id})`.execute(
    db,
  );
  return countsOf({ ...tally, sending: (tally.sending ?? 0) + (running.rows[0]?.count ?? 0) });
}
