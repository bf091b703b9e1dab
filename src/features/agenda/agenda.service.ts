import type { z } from 'zod';
import type { AgendaEntry } from '#contract/agenda-entry.ts';
import { type Agenda, agendaLimits, type agendaRoutes } from '#contract/agenda.ts';
import * as rows from '#features/agenda/agenda.db.ts';
import { addressedTo } from '#features/agenda/agenda-person.service.ts';
import { entriesOf } from '#features/agenda/agenda-entries.service.ts';
import {
  type Ahead,
  firstOf,
  inOrder,
  inTime,
  jobAhead,
  type WhatComes,
  whatComes,
} from '#features/agenda/ahead.service.ts';
import { beginsOf } from '#features/dashboard/day.service.ts';
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
  const { days, begins, jobs, scheduled, isComplete, person, names, eventReminders } = await lookAhead(ctx, asked);
  const counted = await rows.countJobsAhead(ctx.db, { ...jobs, begins });
  const counts = new Map(counted.map(({ day, count }) => [day, count]));
  const first = each === 0 ? [] : await rows.firstJobsAhead(ctx.db, { ...jobs, begins, each });
  const jobsOf = Map.groupBy(first, ({ day }) => day);
  const shown = scheduled.map((ofDay, at) =>
    each === 0 ? [] : inOrder([...firstOf(ofDay, each), ...(jobsOf.get(at + 1) ?? []).map(jobAhead)]).slice(0, each),
  );
  const describe = await entriesOf(ctx, shown.flat(), { person });
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
  const { days, begins, jobs, scheduled, person } = await lookAhead(ctx, asked);
  const at = days.indexOf(day);
  const [from, to] = [begins[at], begins[at + 1]];
  if (from === undefined || to === undefined)
    throw new Invalid([{ path: 'day', message: `must be one of the next ${agendaLimits.days} days` }]);
  const stored = await rows.listJobsAhead(ctx.db, {
    ...jobs,
    sent: { from: at === 0 ? null : from, to },
    after,
    limit: limit + 1,
  });
  const isAfter = (one: Ahead) => after === null || inTime(one, { atMs: Date.parse(after.at), id: after.id }) > 0;
  const all = inOrder([...(scheduled[at] ?? []).filter(isAfter), ...stored.map(jobAhead)]);
  const page = all.slice(0, limit);
  const last = page.at(-1);
  const isMore = all.length > limit && last !== undefined;
  return {
    data: page.flatMap(await entriesOf(ctx, page, { person })),
    next_cursor: isMore ? encodeCursor({ at: textOf(last.atMs), id: last.id }) : null,
  };
}

type Filter = Omit<Asked, 'entries'>;

/** The occurrences that schedules plan on each day, and what finds the jobs of events and of the API beside them. */
async function lookAhead(ctx: TenantContext, { timezone, reminder, group, tag, channel, contact }: Filter) {
  const { db, workspaceId, now } = ctx;
  const today = now.toZonedDateTimeISO(timezone).toPlainDate();
  const days = Array.from({ length: agendaLimits.days }, (_, at) => today.add({ days: at }).toString());
  const begins = beginsOf({ from: days[0] ?? '', to: days.at(-1) ?? '', timezone });
  const until = Temporal.Instant.from(begins.at(-1) ?? '');
  const names = await namesOf(ctx, { reminder, group });
  const person = contact === undefined ? null : await addressedTo(ctx, { id: contact, to: until.toString() });
  const filter = { reminder, group, tag, channel, ofPerson: person };
  const coming = await whatComes(ctx, { until, filter, most: agendaLimits.reminders });
  const scheduled = await finishInSlices(
    stepThroughDays(coming, { endsMs: begins.slice(1).map((begin) => Date.parse(begin)) }),
  );
  return {
    days,
    begins: begins.slice(0, scheduled.length + 1),
    scheduled,
    jobs: coming.jobs,
    isComplete: coming.hasAllReminders && person?.isComplete !== false && scheduled.length === days.length,
    person,
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

/**
 * The occurrences of each day, day after day, so that what is too much is left out at the end: what these answer are whole days, except where the first has
 * too much by itself.
 */
function* stepThroughDays(
  { reminders, timesOf }: WhatComes,
  { endsMs }: { endsMs: readonly number[] },
): Generator<void, Ahead[][]> {
  const waiting: { times: Iterator<Ahead, undefined>; next: Ahead | undefined }[] = [];
  for (const reminder of reminders) {
    const times = timesOf(reminder);
    waiting.push({ times, next: times.next().value });
    yield;
  }
  const days: Ahead[][] = [];
  let found = 0;
  for (const endMs of endsMs) {
    const day: Ahead[] = [];
    for (const one of waiting) {
      while (one.next !== undefined && one.next.atMs < endMs) {
        found += 1;
        if (found > agendaLimits.occurrences) return days.length === 0 ? [day] : days;
        day.push(one.next);
        one.next = one.times.next().value;
        yield;
      }
    }
    days.push(day);
  }
  return days;
}

const textOf = (ms: number) => new Date(ms).toISOString();
