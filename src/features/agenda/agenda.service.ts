import type { z } from 'zod';
import { type Agenda, type AgendaEntry, agendaLimits, type agendaRoutes } from '#contract/agenda.ts';
import { type ComingTime, comingTimes } from '#domain/coming-times.ts';
import * as rows from '#features/agenda/agenda.db.ts';
import { addressedTo } from '#features/agenda/agenda-person.service.ts';
import { type Ahead, entriesOf } from '#features/agenda/agenda-entries.service.ts';
import { beginsOf } from '#features/dashboard/day.service.ts';
import { type HoursAhead, hoursAhead } from '#features/reminders/forecast-hours.service.ts';
import { remindersPausedUntil } from '#features/workspaces/workspaces.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { decodeCursor, encodeCursor } from '#platform/cursor.ts';
import { Invalid, NotFound } from '#platform/errors.ts';
import { finishInSlices } from '#platform/in-slices.ts';

type Asked = z.output<(typeof agendaRoutes)['getAgenda']['query']>;
type AskedDay = z.output<(typeof agendaRoutes)['listAgendaDay']['query']>;

/**
 * What is sent in the next 60 days of the caller's calendar. It is computed as it is read: the jobs that exist, and what the schedules plan after them.
 * Throws NotFound for a filter by what the workspace does not have.
 */
export async function agendaOf(ctx: TenantContext, { entries: each, ...asked }: Asked): Promise<Agenda> {
  const { days, begins, jobs, scheduled, isComplete, names, eventReminders } = await lookAhead(ctx, asked);
  const counted = await rows.countJobsAhead(ctx.db, { ...jobs, begins });
  const counts = new Map(counted.map(({ day, count }) => [day, count]));
  const first = each === 0 ? [] : await rows.firstJobsAhead(ctx.db, { ...jobs, begins, each });
  const jobsOf = Map.groupBy(first, ({ day }) => day);
  const shown = scheduled.map((ofDay, at) =>
    each === 0 ? [] : inOrder([...firstOf(ofDay, each), ...(jobsOf.get(at + 1) ?? []).map(jobAhead)]).slice(0, each),
  );
  const describe = await entriesOf(ctx, shown.flat());
  const data = scheduled.map((ofDay, at) => ({
    day: days[at] ?? '',
    occurrences: ofDay.length + (counts.get(at + 1) ?? 0),
    entries: (shown[at] ?? []).flatMap(describe),
  }));
  return {
    from: days[0] ?? '',
    to: days[scheduled.length - 1] ?? '',
    is_complete: isComplete,
    data: data.filter(({ occurrences }) => occurrences > 0),
    event_reminders: eventReminders,
    reminders_paused_until: jobs.pausedUntil,
    names,
  };
}

/** Everything that is sent on one of the 60 days, soonest first. Throws as `agendaOf` does. */
export async function listAgendaDay(
  ctx: TenantContext,
  { day, limit, cursor, ...asked }: AskedDay,
): Promise<{ data: AgendaEntry[]; next_cursor: string | null }> {
  const after = decodeCursor(cursor);
  const { days, begins, jobs, scheduled } = await lookAhead(ctx, asked);
  const at = days.indexOf(day);
  const [from, to] = [begins[at], begins[at + 1]];
  if (from === undefined || to === undefined)
    throw new Invalid([{ path: 'day', message: `must be one of the next ${agendaLimits.days} days` }]);
  const stored = await rows.listJobsAhead(ctx.db, { ...jobs, sent: { from, to }, after, limit: limit + 1 });
  const isAfter = (one: Ahead) => after === null || inTime(one, { atMs: Date.parse(after.at), id: after.id }) > 0;
  const all = inOrder([...(scheduled[at] ?? []).filter(isAfter), ...stored.map(jobAhead)]);
  const page = all.slice(0, limit);
  const last = page.at(-1);
  const isMore = all.length > limit && last !== undefined;
  return {
    data: page.flatMap(await entriesOf(ctx, page)),
    next_cursor: isMore ? encodeCursor({ at: textOf(last.atMs), id: last.id }) : null,
  };
}

type Filter = Omit<Asked, 'entries'>;

/** The occurrences that schedules plan on each day, and what finds the jobs of events and of the API beside them. */
async function lookAhead(ctx: TenantContext, { timezone, reminder, group, channel, contact }: Filter) {
  const { db, workspaceId, now } = ctx;
  const today = now.toZonedDateTimeISO(timezone).toPlainDate();
  const days = Array.from({ length: agendaLimits.days }, (_, at) => today.add({ days: at }).toString());
  const begins = beginsOf({ from: days[0] ?? '', to: days.at(-1) ?? '', timezone });
  const until = Temporal.Instant.from(begins.at(-1) ?? '');
  const time = { from: now.toString(), to: until.toString() };
  const names = await namesOf(ctx, { reminder, group });
  const person = contact === undefined ? null : await addressedTo(ctx, { id: contact, ...time });
  const filter = { reminder, group, channel, ofPerson: person };
  const hours = await hoursAhead(ctx, { from: now, until });
  const pausedUntil = (await remindersPausedUntil(ctx))?.toString() ?? null;
  const reminders = await rows.findScheduled(db, { workspaceId, ...filter, limit: agendaLimits.reminders + 1 });
  const taken = await rows.findOccurrenceJobs(db, { workspaceId, ...time });
  const scheduled = await finishInSlices(
    stepThroughDays(reminders.slice(0, agendaLimits.reminders), {
      endsMs: begins.slice(1).map((begin) => Date.parse(begin)),
      nowMs: now.epochMilliseconds,
      pausedUntil,
      hours,
      jobs: new Map(taken.map((job) => [keyOf(job.reminder_id ?? '', Date.parse(job.scheduled_for)), job])),
    }),
  );
  return {
    days,
    begins: begins.slice(0, scheduled.length + 1),
    scheduled,
    jobs: { workspaceId, ...time, filter, pausedUntil, hours },
    isComplete:
      reminders.length <= agendaLimits.reminders && person?.isComplete !== false && scheduled.length === days.length,
    names: { ...names, contact: person?.name ?? null },
    eventReminders: await rows.countEventReminders(db, { workspaceId, ...filter }),
  };
}

async function namesOf({ db, workspaceId }: TenantContext, asked: Pick<Filter, 'reminder' | 'group'>) {
  const names = await rows.findNames(db, { workspaceId, ...asked });
  if (asked.reminder !== undefined && names.reminder === null) throw new NotFound('reminder');
  if (asked.group !== undefined && names.group === null) throw new NotFound('group');
  return names;
}

type Plan = {
  /** When each day ends. */
  endsMs: readonly number[];
  nowMs: number;
  pausedUntil: string | null;
  hours: HoursAhead | null;
  jobs: ReadonlyMap<string, Awaited<ReturnType<typeof rows.findOccurrenceJobs>>[number]>;
};

/**
 * The occurrences of each day, day after day, so that what is too much is left out at the end: what these answer are whole days, except where the first has
 * too much by itself.
 */
function* stepThroughDays(reminders: readonly rows.ScheduledReminder[], plan: Plan): Generator<void, Ahead[][]> {
  const waiting: {
    reminder: rows.ScheduledReminder;
    times: Iterator<ComingTime, undefined>;
    next: ComingTime | undefined;
  }[] = [];
  for (const reminder of reminders) {
    const times = timesOf(reminder, plan);
    waiting.push({ reminder, times, next: times.next().value });
    yield;
  }
  const days: Ahead[][] = [];
  let found = 0;
  for (const endMs of plan.endsMs) {
    const day: Ahead[] = [];
    for (const one of waiting) {
      while (one.next !== undefined && one.next.atMs < endMs) {
        found += 1;
        if (found > agendaLimits.occurrences) return days.length === 0 ? [day] : days;
        day.push(occurrenceAhead(one.reminder, { ...one.next, jobs: plan.jobs }));
        one.next = one.times.next().value;
        yield;
      }
    }
    days.push(day);
  }
  return days;
}

function timesOf(
  { id, schedule_config: schedule, paused_until: ownPause, channels }: rows.ScheduledReminder,
  { endsMs, nowMs, pausedUntil, hours, jobs }: Plan,
) {
  const keepsHours = hours !== null && channels.every((channel) => hours.channels.includes(channel));
  return comingTimes(schedule, {
    // What is due at the very end of a pause is still sent.
    afterMs: Math.max(nowMs, ...[ownPause, pausedUntil].map((end) => (end === null ? 0 : Date.parse(end)))) - 1,
    untilMs: endsMs.at(-1) ?? nowMs,
    isEnded(dueMs) {
      const status = jobs.get(keyOf(id, dueMs))?.status ?? 'pending';
      return status !== 'pending' && status !== 'paused';
    },
    openingMs: (dueMs) => (keepsHours ? hours.openingMs(dueMs) : dueMs),
  });
}

function occurrenceAhead(
  { id, paused_until: ownPause }: rows.ScheduledReminder,
  { dueMs, atMs, jobs }: ComingTime & Pick<Plan, 'jobs'>,
): Ahead {
  const job = jobs.get(keyOf(id, dueMs));
  const isPaused = job?.status === 'paused' && ownPause === null;
  return { id, reminderId: id, jobId: job?.id ?? null, dueMs, atMs, isPaused, type: 'reminder', name: null };
}

const jobAhead = (job: rows.JobAhead): Ahead => ({
  id: job.id,
  reminderId: job.reminder_id,
  jobId: job.id,
  dueMs: Date.parse(job.due_at),
  atMs: Date.parse(job.at),
  isPaused: job.is_paused,
  type: job.type,
  name: job.name,
});

const keyOf = (reminderId: string, dueMs: number) => `${reminderId} ${dueMs}`;

const textOf = (ms: number) => new Date(ms).toISOString();

type InTime = Pick<Ahead, 'atMs' | 'id'>;

const inTime = (one: InTime, other: InTime) =>
  one.atMs - other.atMs || (one.id < other.id ? -1 : Number(one.id > other.id));

const inOrder = (some: readonly Ahead[]): Ahead[] => some.toSorted(inTime);

/** The first few of a day, without sorting all of it. */
function firstOf(day: readonly Ahead[], count: number): Ahead[] {
  let first: Ahead[] = [];
  for (const one of day) {
    const last = first[count - 1];
    if (last === undefined || inTime(one, last) < 0) first = inOrder([...first, one]).slice(0, count);
  }
  return first;
}
