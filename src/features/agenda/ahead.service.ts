import type { AgendaEntry } from '#contract/agenda-entry.ts';
import type { JobType } from '#contract/job-types.ts';
import { type ComingTime, comingTimes } from '#domain/coming-times.ts';
import * as rows from '#features/agenda/agenda.db.ts';
import { type HoursAhead, hoursAhead } from '#features/reminders/forecast-hours.service.ts';
import { remindersPausedUntil } from '#features/workspaces/workspaces.service.ts';
import type { TenantContext } from '#platform/context.ts';

/** An occurrence that lies ahead, or has begun and not ended: a planned one of a reminder, or a job. */
export type Ahead = {
  id: string;
  reminderId: string | null;
  jobId: string | null;
  dueMs: number;
  atMs: number;
  state: AgendaEntry['state'];
  type: JobType;
  /** The name of a job; null where it is its reminder's. */
  name: string | null;
};

export type WhatComes = {
  reminders: rows.ScheduledReminder[];
  /** False where there are more reminders than asked for. */
  hasAllReminders: boolean;
  /** The occurrences that the schedule of a reminder plans and that have not begun, soonest first. */
  timesOf: (reminder: rows.ScheduledReminder) => Iterator<Ahead, undefined>;
  /** What finds the jobs beside them: those of events and of the API, and all that have begun. */
  jobs: rows.JobsAhead;
};

/** What is sent from now until an instant. The agenda, the dashboard and the calendar feeds read it here, so that they show the same. */
export async function whatComes(
  { db, workspaceId, now }: Pick<TenantContext, 'db' | 'workspaceId' | 'now'>,
  { until, filter, most }: { until: Temporal.Instant; filter: rows.AgendaFilter; most: number },
): Promise<WhatComes> {
  const time = { from: now.toString(), to: until.toString() };
  const hours = await hoursAhead({ db, workspaceId }, { from: now, until });
  const pausedUntil = (await remindersPausedUntil({ db, workspaceId, now }))?.toString() ?? null;
  const reminders = await rows.findScheduled(db, { workspaceId, ...filter, limit: most + 1 });
  const taken = await rows.findOccurrenceJobs(db, { workspaceId, ...time });
  const plan = {
    nowMs: now.epochMilliseconds,
    untilMs: until.epochMilliseconds,
    pausedUntil,
    hours,
    jobs: new Map(taken.map((job) => [keyOf(job.reminder_id ?? '', Date.parse(job.scheduled_for)), job])),
  };
  return {
    reminders: reminders.slice(0, most),
    hasAllReminders: reminders.length <= most,
    timesOf: (reminder) => stepThroughTimes(reminder, plan),
    jobs: { workspaceId, ...time, filter, pausedUntil, hours },
  };
}

/** The first of the jobs beside the schedules. */
export const firstJobs = (
  { db }: Pick<TenantContext, 'db'>,
  { jobs, limit }: Pick<WhatComes, 'jobs'> & { limit: number },
): Promise<rows.JobAhead[]> =>
  rows.listJobsAhead(db, { ...jobs, sent: { from: null, to: jobs.to }, after: null, limit });

type Plan = {
  nowMs: number;
  untilMs: number;
  pausedUntil: string | null;
  hours: HoursAhead | null;
  jobs: ReadonlyMap<string, Awaited<ReturnType<typeof rows.findOccurrenceJobs>>[number]>;
};

function* stepThroughTimes(
  reminder: rows.ScheduledReminder,
  { nowMs, untilMs, pausedUntil, hours, jobs }: Plan,
): Generator<Ahead, undefined> {
  const { id, schedule_config: schedule, paused_until: ownPause, channels } = reminder;
  const keepsHours = hours !== null && channels.every((channel) => hours.channels.includes(channel));
  const times = comingTimes(schedule, {
    // What is due at the very end of a pause is still sent.
    afterMs: Math.max(nowMs, ...[ownPause, pausedUntil].map((end) => (end === null ? 0 : Date.parse(end)))) - 1,
    untilMs,
    isEnded(dueMs) {
      const job = jobs.get(keyOf(id, dueMs));
      // One that has begun is among `jobs`.
      return job !== undefined && job.status !== 'paused' && (job.status !== 'pending' || job.is_begun);
    },
    openingMs: (dueMs) => (keepsHours ? hours.openingMs(dueMs) : dueMs),
  });
  for (const time of times) yield occurrenceAhead(reminder, { ...time, jobs });
}

function occurrenceAhead(
  { id, paused_until: ownPause }: rows.ScheduledReminder,
  { dueMs, atMs, jobs }: ComingTime & Pick<Plan, 'jobs'>,
): Ahead {
  const job = jobs.get(keyOf(id, dueMs));
  const state = job?.status === 'paused' && ownPause === null ? 'paused' : 'scheduled';
  return { id, reminderId: id, jobId: job?.id ?? null, dueMs, atMs, state, type: 'reminder', name: null };
}

export const jobAhead = (job: rows.JobAhead): Ahead => ({
  id: job.id,
  reminderId: job.reminder_id,
  jobId: job.id,
  dueMs: Date.parse(job.due_at),
  atMs: Date.parse(job.at),
  state: job.state,
  type: job.type,
  name: job.name,
});

const keyOf = (reminderId: string, dueMs: number) => `${reminderId} ${dueMs}`;

type InTime = Pick<Ahead, 'atMs' | 'id'>;

export const inTime = (one: InTime, other: InTime): number =>
  one.atMs - other.atMs || (one.id < other.id ? -1 : Number(one.id > other.id));

export const inOrder = (some: readonly Ahead[]): Ahead[] => some.toSorted(inTime);

/** The first few of these, without sorting all of them. */
export function firstOf(all: Iterable<Ahead>, count: number): Ahead[] {
  let first: Ahead[] = [];
  for (const one of all) {
    const last = first[count - 1];
    if (last === undefined || inTime(one, last) < 0) first = inOrder([...first, one]).slice(0, count);
  }
  return first;
}
