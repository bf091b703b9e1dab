import { maxAttempts } from '#domain/retry.ts';
import { firstOccurrence, nextOccurrence } from '#domain/schedule.ts';
import { skipLines } from '#testing/simulation/lines.ts';
import { dequeue, enqueue, hasJob, insertJob, type NewJobId } from '#testing/simulation/model-jobs.ts';
import { isoOf, type JobRow, type ReminderRow, type Tables } from '#testing/simulation/tables.ts';

type Room = { tables: Tables; now: Temporal.Instant; reason: string };

/** What `occurrence.service.ts` makes of the queue when a reminder was written, edited, paused or resumed. */
export function planReminder(reminder: ReminderRow, room: Room & { newId: NewJobId }): void {
  const { tables, now } = room;
  const open = openJobs(tables, reminder.id);
  stop(open, room);
  if (reminder.status !== 'active') {
    for (const job of open.filter(({ status, attempts }) => status === 'pending' && attempts === 0)) {
      dequeue(tables, job);
      Object.assign(job, { status: 'paused', paused_at: isoOf(now) });
    }
    return;
  }
  const waiting = open.filter((job) => job.status !== 'running' && job.attempts === 0);
  const at = nextFreeInstant(reminder, { tables, now, except: waiting });
  const [kept, ...others] = waiting;
  for (const job of at === null ? waiting : others) deleteJob(tables, job);
  if (at === null) return;
  const { id: reminder_id, workspace_id, name, revision, metadata } = reminder;
  const said = { name, revision, max_attempts: Math.max(...metadata.channels.map(maxAttempts)) };
  if (kept === undefined) {
    const of = { type: 'reminder' as const, reminder_id, scheduled_for: at };
    if (!hasJob(tables, of)) insertJob(tables, { ...of, ...said, workspace_id, id: room.newId(of) });
    return;
  }
  dequeue(tables, kept);
  Object.assign(kept, { ...said, status: 'pending', paused_at: null, scheduled_for: at, run_at: at });
  enqueue(tables, kept);
}

/** Before a reminder is deleted. */
export function unplanReminder(reminderId: string, room: Room): void {
  const open = openJobs(room.tables, reminderId);
  stop(open, room);
  for (const job of open) if (job.status !== 'running' && job.attempts === 0) deleteJob(room.tables, job);
}

const openJobs = (tables: Tables, reminderId: string): JobRow[] =>
  [...tables.jobs.values()]
    .filter(
      (job) =>
        job.reminder_id === reminderId &&
        job.type === 'reminder' &&
        ['pending', 'running', 'paused'].includes(job.status),
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));

/** What runs starts nothing more; what has been tried already ends here. */
function stop(open: readonly JobRow[], { tables, now, reason }: Room): void {
  for (const job of open) {
    if (job.status === 'running') job.stop_reason = reason;
    else if (job.attempts > 0) {
      dequeue(tables, job);
      const ended = { error_message: reason, completed_at: isoOf(now), paused_at: null };
      Object.assign(job, { status: 'cancelled', ...ended });
      skipLines([...(tables.deliveries.get(job.id)?.values() ?? [])], { reason, now });
    }
  }
}

function deleteJob(tables: Tables, job: JobRow): void {
  dequeue(tables, job);
  tables.jobs.delete(job.id);
  tables.deliveries.delete(job.id);
  tables.executions = tables.executions.filter((row) => row.job_id !== job.id);
}

function nextFreeInstant(
  reminder: ReminderRow,
  { tables, now, except }: { tables: Tables; now: Temporal.Instant; except: readonly JobRow[] },
): string | null {
  const taken = new Set(
    tables.jobs
      .values()
      .filter((job) => job.reminder_id === reminder.id && job.type === 'reminder' && !except.includes(job))
      .map((job) => job.scheduled_for),
  );
  let at = firstOccurrence(reminder.schedule_config, { now });
  while (at !== null && taken.has(isoOf(at))) at = nextOccurrence(reminder.schedule_config, { after: at });
  return at === null ? null : isoOf(at);
}
