import type { AgendaEntry } from '#contract/agenda-entry.ts';
import { agendaLimits } from '#contract/agenda.ts';
import * as rows from '#features/agenda/agenda.db.ts';
import { entriesOf } from '#features/agenda/agenda-entries.service.ts';
import { type Ahead, firstOf, inOrder, jobAhead, type WhatComes, whatComes } from '#features/agenda/ahead.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { finishInSlices } from '#platform/in-slices.ts';

/** How many occurrences are counted at most: the dashboard asks again with each job. */
const mostCounted = 10_000;

/** What is sent in the next hours and what has begun: how many occurrences, and the first `listed`. */
export async function nextOccurrences(
  ctx: TenantContext,
  { hours, listed }: { hours: number; listed: number },
): Promise<{ count: number; is_complete: boolean; next: AgendaEntry[] }> {
  const until = ctx.now.add({ hours });
  const coming = await whatComes(ctx, { until, filter: { ofPerson: null }, most: agendaLimits.reminders });
  const scheduled = await finishInSlices(stepThroughFirst(coming, listed));
  const begins = [coming.jobs.from, coming.jobs.to];
  const [jobs] = await rows.countJobsAhead(ctx.db, { ...coming.jobs, begins });
  const first = await rows.firstJobsAhead(ctx.db, { ...coming.jobs, begins, each: listed });
  const next = inOrder([...scheduled.first, ...first.map(jobAhead)]).slice(0, listed);
  return {
    count: scheduled.count + (jobs?.count ?? 0),
    is_complete: coming.hasAllReminders && scheduled.count < mostCounted,
    next: next.flatMap(await entriesOf(ctx, next, { person: null })),
  };
}

function* stepThroughFirst(
  { reminders, timesOf, jobs: { to } }: WhatComes,
  listed: number,
): Generator<void, { count: number; first: Ahead[] }> {
  const untilMs = Date.parse(to);
  let first: Ahead[] = [];
  let count = 0;
  for (const reminder of reminders) {
    yield;
    const times = timesOf(reminder);
    for (let next = times.next().value; next !== undefined && next.atMs < untilMs; next = times.next().value) {
      first = firstOf([...first, next], listed);
      count += 1;
      if (count === mostCounted) return { count, first };
      yield;
    }
  }
  return { count, first };
}
