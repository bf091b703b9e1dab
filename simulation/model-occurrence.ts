import type { Reason } from '#domain/ledger-reasons.ts';
import { maxAttemptsOf } from '#domain/retry.ts';
import { firstOccurrence, nextOccurrence } from '#domain/schedule.ts';
import { skipLines } from '#simulation/lines.ts';
import { dequeue, enqueue, hasJob, insertJob, type NewJobId } from '#simulation/model-jobs.ts';
import { isoOf, type JobRow, type ReminderRow, type Tables } from '#simulation/tables.ts';

type ConformanceState = { tables: Tables; now: Temporal.Instant; because: Reason };

/**
 * The model of `occurrence.service.ts`: how the queue changes when a reminder is written, edited, paused or resumed.
 */
export function scheduleReminder(reminder: ReminderRow, state: ConformanceState & { newId: NewJobId }): void {
  const { tables, now } = state;
  const open = openJobs(tables, reminder.id);
  stop(open, state);
  if (reminder.status !== 'active') {
    for (const job of open.filter((one) => one.status === 'pending' && !hasBegun(one))) {
      dequeue(tables, job);
      Object.assign(job, { status: 'paused', paused_at: isoOf(now) });
    }
    return;
  }
  const waiting = open.filter((job) => job.status !== 'running' && !hasBegun(job));
  const first = firstOccurrence(reminder.schedule_config, { now });
  const [at, ...later] = freeTimes(reminder, { tables, first, except: waiting });
  const [kept, ...others] = waiting;
  for (const job of at === undefined ? waiting : others) deleteJob(tables, job);
  if (at === undefined) return;
  if (kept !== undefined) {
    dequeue(tables, kept);
    Object.assign(kept, {
      ...saidBy(reminder),
      status: 'pending',
      paused_at: null,
      scheduled_for: at,
      run_at: dueAt(at, now),
    });
    enqueue(tables, kept);
  }
  for (const free of kept === undefined ? [at, ...later] : later) insertOccurrence(reminder, { ...state, at: free });
}

const saidBy = ({ name, revision, metadata }: ReminderRow) => ({
  name,
  revision,
  max_attempts: maxAttemptsOf(metadata.channels),
});

export function insertOccurrence(
  reminder: ReminderRow,
  { tables, now, at, newId }: { tables: Tables; now: Temporal.Instant; at: string; newId: NewJobId },
): void {
  const of = { type: 'reminder' as const, reminder_id: reminder.id, scheduled_for: at };
  if (hasJob(tables, of)) return;
  const run_at = dueAt(at, now);
  insertJob(tables, { ...of, ...saidBy(reminder), run_at, workspace_id: reminder.workspace_id, id: newId(of) });
}

const dueAt = (at: string, now: Temporal.Instant) => (at < isoOf(now) ? isoOf(now) : at);

/** Runs before a reminder is deleted. Returns the jobs that are deleted with it. */
export function unscheduleReminder(reminderId: string, state: ConformanceState): JobRow[] {
  const open = openJobs(state.tables, reminderId);
  const waiting = open.filter((job) => job.status !== 'running' && !hasBegun(job));
  stop(open, state);
  for (const job of waiting) deleteJob(state.tables, job);
  return waiting;
}

const hasBegun = (job: JobRow) => job.attempts > 0 || job.expires_at !== null;

const openJobs = (tables: Tables, reminderId: string): JobRow[] =>
  [...tables.jobs.values()]
    .filter(
      (job) =>
        job.reminder_id === reminderId &&
        job.type === 'reminder' &&
        ['pending', 'running', 'paused'].includes(job.status),
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));

/** A running job starts nothing more. One that was tried already ends here. */
export function stop(open: readonly JobRow[], { tables, now, because }: ConformanceState): void {
  const { code, reason } = because;
  for (const job of open) {
    if (job.status === 'running') Object.assign(job, { stop_reason: reason, reason_code: code });
    else if (hasBegun(job)) {
      dequeue(tables, job);
      const ended = { error_message: reason, reason_code: code, completed_at: isoOf(now), paused_at: null };
      Object.assign(job, { status: 'cancelled', ...ended });
      skipLines([...(tables.deliveries.get(job.id)?.values() ?? [])], { ...because, now });
    }
  }
}

function deleteJob(tables: Tables, job: JobRow): void {
  dequeue(tables, job);
  tables.jobs.delete(job.id);
  tables.deliveries.delete(job.id);
  tables.executions = tables.executions.filter((row) => row.job_id !== job.id);
}

/** The first free time from `first` on, and the one after each later time whose job has ended. */
function freeTimes(
  reminder: ReminderRow,
  { tables, first, except }: { tables: Tables; first: Temporal.Instant | null; except: readonly JobRow[] },
): string[] {
  if (first === null) return [];
  const { schedule_config: schedule } = reminder;
  const taken = takenTimes(tables, reminder.id);
  for (const job of except) taken.delete(job.scheduled_for);
  const freeFrom = (from: string) => {
    let at: string | null = from;
    while (at !== null && taken.has(at)) at = nextText(schedule, at);
    return at;
  };
  const at = freeFrom(isoOf(first));
  const isTime = (text: string) => {
    const before = Temporal.Instant.from(text).subtract({ milliseconds: 1 });
    return nextText(schedule, before.toString()) === text;
  };
  const later = [...taken]
    .filter(([time, job]) => at !== null && time > at && isSpent(job) && isTime(time))
    .map(([time]) => freeFrom(time));
  return [...new Set([at, ...later].flatMap((time) => time ?? []))];
}

/** Returns the occurrence after a cancelled one, unless it is scheduled already. */
export function nextUnscheduled(
  reminder: ReminderRow,
  { tables, after }: { tables: Tables; after: Temporal.Instant },
): string | null {
  const taken = takenTimes(tables, reminder.id);
  for (let at = nextText(reminder.schedule_config, after.toString()); at !== null; ) {
    const job = taken.get(at);
    if (job === undefined) return at;
    if (!isSpent(job)) return null;
    at = nextText(reminder.schedule_config, at);
  }
  return null;
}

const takenTimes = (tables: Tables, reminderId: string): Map<string, JobRow> =>
  new Map(
    tables.jobs
      .values()
      .filter((job) => job.reminder_id === reminderId && job.type === 'reminder')
      .map((job) => [job.scheduled_for, job]),
  );

const isSpent = (job: JobRow) => isOver(job) || hasBegun(job);

const isOver = ({ status }: JobRow) => status === 'completed' || status === 'failed' || status === 'cancelled';

function nextText(schedule: ReminderRow['schedule_config'], after: string): string | null {
  const next = nextOccurrence(schedule, { after: Temporal.Instant.from(after) });
  return next === null ? null : isoOf(next);
}
