import { isWait } from '#domain/ledger-reasons.ts';
import { maxAttempts } from '#domain/retry.ts';
import { isFinal } from '#engine/run/live-delivery.ts';
import type { Evidence } from '#simulation/evidence.ts';
import { actsIn, eventsOf, expectedLines, plainRecipient, remindersOfJobs, versionsIn } from '#simulation/evidence.ts';
import type { DeliveryRow, JobRow } from '#simulation/tables.ts';

/** What the tables must hold once no worker runs any more. */
export const checkTables = (evidence: Evidence): string[] => [
  ...runFaults(evidence),
  ...lostRunFaults(evidence),
  ...strayFaults(evidence),
  ...checkState(evidence, expectedOf(evidence)),
];

/** What the tables must hold whatever has happened before. `expected`: the recipients of a job; null after a loss, when results may come late. */
export function checkState(evidence: Evidence, expected: ReturnType<typeof expectedOf> | null = null): string[] {
  const { rows } = evidence;
  const ledger = Map.groupBy(rows.deliveries, (row) => row.job_id);
  const inOrder = jobsInOrder(evidence);
  return [
    ...rows.claims.map((claim) => `the claim ${claim.id} was left behind`),
    ...queueFaults(evidence),
    ...rows.jobs.flatMap((job) =>
      jobFaults(job, {
        lines: ledger.get(job.id) ?? [],
        expected: expected?.(job) ?? null,
        isCounted: expected !== null,
        isInOrder: inOrder.has(job.id),
      }),
    ),
  ];
}

/** Every claim of a job ends with one run on record at most, its worker's or the rescuer's. */
function runFaults({ rows: { executions }, events }: Evidence): string[] {
  const claims = eventsOf(events, 'claim').flatMap(({ claim }) => claim.started.map(({ run }) => run.job.id));
  const claimed = Map.groupBy(claims, (id) => id);
  return [...Map.groupBy(executions, ({ job_id }) => job_id)].flatMap(([id, runs]) => {
    const count = claimed.get(id)?.length ?? 0;
    return runs.length > count ? [`${id} was claimed ${count} times and has ${runs.length} runs`] : [];
  });
}

/** A job that failed has the run that failed on record, also after a retry of it. */
function lostRunFaults({ rows: { jobs, executions }, events }: Evidence): string[] {
  const retried = actsIn(events).flatMap(({ act, done: { before } }) =>
    act.kind === 'job' && act.action === 'retry'
      ? before.filter(({ id, status }) => id === act.jobId && status === 'failed').map(({ id }) => id)
      : [],
  );
  const failures = Map.groupBy(
    [...retried, ...jobs.filter(({ status }) => status === 'failed').map(({ id }) => id)],
    (id) => id,
  );
  const runs = Map.groupBy(executions, ({ job_id }) => job_id);
  return jobs.flatMap(({ id }) => {
    const [failed, kept] = [failures.get(id)?.length ?? 0, runs.get(id)?.length ?? 0];
    return kept < failed ? [`${id} has failed ${failed} times and has ${kept} runs`] : [];
  });
}

/** After a fail-over a message that was sent may be of a job that was moved since. */
function strayFaults({ rows: { jobs, deliveries } }: Evidence): string[] {
  const ledger = Map.groupBy(deliveries, (row) => row.job_id);
  return jobs.flatMap(({ id, scheduled_for: time }) => {
    const strays = (ledger.get(id) ?? []).filter((row) => row.scheduled_for !== time).length;
    return strays > 0
      ? [`${strays} recipients of ${id} are in the ledger under a time that the job does not have`]
      : [];
  });
}

const jobsInOrder = ({ events }: Evidence): ReadonlySet<string> =>
  new Set(
    eventsOf(events, 'claim').flatMap(({ claim }) =>
      claim.started.flatMap(({ run }) => (run.work.mode === 'in_order' ? [run.job.id] : [])),
    ),
  );

function queueFaults({ rows: { jobs, queue } }: Evidence): string[] {
  const pending = new Set(jobs.filter(({ status }) => status === 'pending').map((job) => `${job.id} ${job.run_at}`));
  const queued = queue.map((row) => `${row.job_id} ${row.run_at}`);
  return [
    ...[...pending].filter((one) => !queued.includes(one)).map((one) => `${one} is pending and not in the queue`),
    ...queued.filter((one) => !pending.has(one)).map((one) => `${one} is in the queue and not pending`),
  ];
}

/** `isInOrder`: of a person only the last channel counts. */
type OwnedRows = {
  lines: readonly DeliveryRow[];
  expected: ReadonlySet<string> | null;
  isCounted: boolean;
  isInOrder: boolean;
};

function jobFaults(job: JobRow, owned: OwnedRows): string[] {
  const { id, status } = job;
  const lines = owned.lines.filter((row) => row.scheduled_for === job.scheduled_for);
  return [
    ...lines.flatMap((row) => lineFaults(row, job)),
    ...(status === 'running' ? [`${id} is running, but no worker is`] : []),
    ...(status === 'completed' || status === 'failed' ? resultFaults(job, { ...owned, lines }) : []),
    ...(status === 'cancelled' && job.reason_code === null ? [`${id} was cancelled without a reason`] : []),
  ];
}

function lineFaults(row: DeliveryRow, job: JobRow): string[] {
  const said = `${row.recipient} of ${job.id}`;
  const faults: string[] = [];
  if (row.status === 'sending') faults.push(`${said} is being sent to, but no worker is running`);
  else if (!isFinal(row.status) && job.status !== 'pending' && job.status !== 'paused')
    faults.push(`${said} has no outcome (${row.status}), and the job has ended (${job.status})`);
  if (row.attempts > maxAttempts(row.channel)) faults.push(`${said} was tried ${row.attempts} times`);
  if (isFinal(row.status) !== (row.completed_at !== null))
    faults.push(`${said} is ${row.status}, ended ${row.completed_at}`);
  if ((row.reason === null) !== (row.reason_code === null))
    faults.push(`${said} has the code ${row.reason_code}, and the reason ${row.reason}`);
  if (row.status === 'failed' && row.reason_code !== null && isWait(row.reason_code))
    faults.push(`${said} has failed, although it only waited (${row.reason_code})`);
  return faults;
}

function resultFaults(job: JobRow, { lines, expected, isCounted, isInOrder }: OwnedRows): string[] {
  const has = (status: DeliveryRow['status']) => lines.some((row) => row.status === status);
  const isAnsweredLate = lines.some((row) => row.status === 'accepted' && row.unknowns > 0);
  const keys = lines.map((row) => `${row.channel} ${plainRecipient(row.recipient)}`);
  const faults = [...(expected ?? [])]
    .filter((one) => !keys.includes(one))
    .map((one) => `${one} is not in the ledger of ${job.id}`);
  if (new Set(keys).size < keys.length) faults.push(`a recipient of ${job.id} is in the ledger twice`);
  const hasFailed = !isInOrder && (has('failed') || has('unknown'));
  if (job.status === 'completed' && (hasFailed || !has('accepted')))
    faults.push(`${job.id} is completed, but its recipients are not`);
  if (job.status === 'failed' && !has('failed') && !has('unknown') && !isAnsweredLate)
    faults.push(`${job.id} has failed, and none of its recipients`);
  if (isCounted && !isInOrder && !isAnsweredLate) faults.push(...countFaults(job, lines));
  return faults;
}

/** `2 of 3 failed` means two of three. */
function countFaults(job: JobRow, lines: readonly DeliveryRow[]): string[] {
  const [, some, all, kind] = /^(\d+) of (\d+) (failed|skipped)/.exec(job.error_message ?? '') ?? [];
  if (kind === undefined) return [];
  const statuses = kind === 'failed' ? ['failed', 'unknown'] : ['skipped'];
  const counted = lines.filter((row) => statuses.includes(row.status)).length;
  return counted === Number(some) && lines.length === Number(all)
    ? []
    : [`${job.id} says "${some} of ${all} ${kind}", the ledger ${counted} of ${lines.length}`];
}

/** The recipients of a job, by its reminder; null when unknown, or not applicable because the job was refused. */
function expectedOf(evidence: Evidence): (job: JobRow) => Set<string> | null {
  const runs = new Map(
    eventsOf(evidence.events, 'claim').flatMap(({ claim }) => claim.started.map(({ run }) => [run.job.id, run])),
  );
  const reminders = remindersOfJobs(evidence);
  const versions = versionsIn(evidence.events);
  return (job) => {
    if (job.type !== 'reminder' || runs.get(job.id)?.work.recipients.length === 0) return null;
    const reminderId = reminders.get(job.id);
    const said = versions.find((one) => one.reminderId === reminderId && one.revision === job.revision)?.input;
    return said === undefined || said.metadata.channel_mode === 'in_order'
      ? null
      : expectedLines(said.content.recipients, said.metadata.channels);
  };
}
