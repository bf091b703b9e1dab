import { sql } from 'kysely';
import { z } from 'zod';
import { deliveryStatuses } from '#contract/deliveries.ts';
import { type JobStatus, type PeopleCounts, type RecipientCounts, shownReasons } from '#contract/job-states.ts';
import { CodeOfRow } from '#contract/reason-codes.ts';
import { ParamsOfRow } from '#contract/reason-params.ts';
import type { Tally } from '#domain/job-state.ts';
import { countsOf } from '#domain/recipient-groups.ts';
import type { Db } from '#platform/database.ts';

type CountedJob = { id: string; status: JobStatus; scheduled_for: string };

/** What a run came to, by messages and by people. */
export type RunCounts = { recipients: RecipientCounts | null; people: PeopleCounts | null };

/** A row of the database function `counts_of_run`. */
const Counted = z.discriminatedUnion('unit', [
  z.object({ unit: z.literal('message'), outcome: z.enum(deliveryStatuses), count: z.number() }),
  z.object({
    unit: z.literal('person'),
    outcome: z.enum(['reached', 'waiting', 'failed', 'skipped', 'excluded']),
    reason_code: CodeOfRow,
    reason_params: ParamsOfRow,
    count: z.number(),
  }),
]);
type Counted = z.output<typeof Counted>;
export type CountedPeople = Extract<Counted, { unit: 'person' }>;

/** How many deliveries of each job a list counts at most. */
const countedAtMost = 1_000;

/**
 * The counts of the jobs of a page. Of jobs with more than `most` deliveries people are not counted; the logs of their last run have the figures of
 * messages.
 */
export async function countOfJobs(
  db: Db,
  { workspaceId, jobs, most = countedAtMost }: { workspaceId: string; jobs: readonly CountedJob[]; most?: number },
): Promise<Map<string, RunCounts>> {
  const ids = jobs.filter(({ status }) => status !== 'running').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ job_id: string }>`
    select j.id as job_id, c.*
      from jobs j
     cross join lateral counts_of_run(j.workspace_id, j.id, j.scheduled_for, ${most + 1}) c
     where j.workspace_id = ${workspaceId} and j.id = any (${ids}::uuid[])`.execute(db);
  const found = Map.groupBy(rows, (row) => row.job_id);
  const counts = new Map(
    ids.map((id): [string, RunCounts] => [id, runCountsOf(z.array(Counted).parse(found.get(id) ?? []))]),
  );
  const long = jobs.filter(({ id }) => (counts.get(id)?.recipients?.total ?? 0) > most);
  if (long.length === 0) return counts;
  const logged = await findLoggedTallies(db, { workspaceId, jobs: long });
  for (const { id } of long) {
    const tally = logged.get(id);
    counts.set(id, { recipients: tally === undefined ? null : countsOf(tally), people: null });
  }
  return counts;
}

const runCountsOf = (counted: readonly Counted[], { inFlight = 0 } = {}) => ({
  recipients: countsOf(tallyOf(counted, inFlight)),
  people: peopleOf(
    counted.filter((row) => row.unit === 'person'),
    inFlight,
  ),
});

function tallyOf(counted: readonly Counted[], inFlight: number): Tally {
  const tally: Tally = {};
  for (const row of counted) if (row.unit === 'message') tally[row.outcome] = row.count;
  if (inFlight > 0) tally.sending = (tally.sending ?? 0) + inFlight;
  return tally;
}

/** The counts of people as the functions of the database give them, by outcome and reason. */
export const peopleCountsOf = (counted: readonly CountedPeople[]): PeopleCounts => peopleOf(counted, 0);

/** @param inFlight attempts without a row, which people of an audience never have: each is somebody of their own */
function peopleOf(counted: readonly CountedPeople[], inFlight: number): PeopleCounts {
  const sums = { reached: 0, waiting: inFlight, failed: 0, skipped: 0, excluded: 0 };
  const unreached: PeopleCounts['unreached'] = [];
  for (const { outcome, reason_code, reason_params, count } of counted) {
    sums[outcome] += count;
    if (outcome === 'failed' || outcome === 'skipped')
      unreached.push({ outcome, reason_code, reason_params, people: count });
  }
  const total = sums.reached + sums.waiting + sums.failed + sums.skipped;
  const words = ({ reason_code: code, reason_params: params }: (typeof unreached)[number]) =>
    `${code} ${JSON.stringify(params)}`;
  unreached.sort((a, b) => b.people - a.people || (words(a) < words(b) ? -1 : 1));
  return { total, ...sums, unreached: unreached.slice(0, shownReasons) };
}

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
): Promise<{ recipients: RecipientCounts; people: PeopleCounts }> {
  const { rows } =
    await sql`select * from counts_of_run(${workspaceId}, ${job.id}, ${job.scheduled_for}, null)`.execute(db);
  const counted = z.array(Counted).parse(rows);
  if (job.status !== 'running') return runCountsOf(counted);
  const running = await sql<{ count: number }>`select count(*)::int as count from running_attempts(${job.id})`.execute(
    db,
  );
  return runCountsOf(counted, { inFlight: running.rows[0]?.count ?? 0 });
}
