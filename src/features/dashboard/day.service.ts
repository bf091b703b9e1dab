import type { ChannelDay, MissedRun } from '#contract/day.ts';
import { missedOf } from '#domain/run-outcome.ts';
import { nextOccurrences } from '#features/agenda/next-occurrences.service.ts';
import * as rows from '#features/dashboard/day.db.ts';
import { peopleOf, withCounts } from '#features/jobs/jobs.service.ts';
import type { TenantContext } from '#platform/context.ts';

const listed = 6;
const countedRuns = 20;
const upcomingHours = 24;
const failureDays = 7;
const shownDays = 30;

export async function dayOf(ctx: TenantContext) {
  const { db, now, workspaceId } = ctx;
  const failed = { workspaceId, since: now.subtract({ hours: failureDays * 24 }).toString() };
  const failures = await rows.findFailures(db, { ...failed, limit: listed });
  return {
    upcoming: await nextOccurrences(ctx, { hours: upcomingHours, listed }),
    failures: {
      count: failures.length < listed ? failures.length : await rows.countFailures(db, failed),
      latest: (await withCounts(ctx, failures)).map(({ id, status: _, scheduled_for: __, ...failure }) => failure),
    },
    missed: await missedRuns(ctx, failed),
  };
}

/** Runs that have ended without reaching somebody. Some of those found may have reached everybody over another channel. */
async function missedRuns(
  ctx: TenantContext,
  { since }: { since: string },
): Promise<{ latest: MissedRun[]; has_more: boolean }> {
  const { db, now, workspaceId } = ctx;
  // The hour is for clocks that differ.
  const until = now.add({ hours: 1 }).toString();
  const found = await rows.findSkippedRuns(db, { workspaceId, since, until, limit: countedRuns });
  const latest: MissedRun[] = [];
  for (const { id, name, completed_at, people, ...run } of await withCounts(ctx, found)) {
    if (latest.length > listed) break;
    // Lists count no more than a thousand messages.
    const all = people ?? (await peopleOf(ctx, { id, ...run }));
    if (missedOf(all) > 0) latest.push({ job_id: id, name, completed_at, people: all });
  }
  return { latest: latest.slice(0, listed), has_more: latest.length > listed };
}

/** The messages of the last 30 days of the caller's calendar, today included, by the time at which each was due. */
export async function deliveryDays(ctx: TenantContext, { timezone }: { timezone: string }) {
  const today = ctx.now.toZonedDateTimeISO(timezone).toPlainDate();
  const range = { from: today.subtract({ days: shownDays - 1 }).toString(), to: today.toString(), timezone };
  return { from: range.from, to: range.to, data: await daysOf(ctx, range) };
}

/** Days in a timezone, such as 2026-12-01; both are included. */
export type DayRange = { from: string; to: string; timezone: string };

/** The instants [from, to) that a range of days covers. */
export const windowOf = ({ from, to, timezone }: DayRange): { from: string; to: string } => ({
  from: beginOf(Temporal.PlainDate.from(from), timezone),
  to: beginOf(Temporal.PlainDate.from(to).add({ days: 1 }), timezone),
});

const beginOf = (day: Temporal.PlainDate, timezone: string) => day.toZonedDateTime(timezone).toInstant().toString();

/** The instants at which each day begins, and the end of the last. */
export function beginsOf({ from, to, timezone }: DayRange): string[] {
  const first = Temporal.PlainDate.from(from);
  return Array.from({ length: first.until(to).days + 2 }, (_, days) => beginOf(first.add({ days }), timezone));
}

/** Replaces the numbers of days by their dates, and sorts them. */
export const namedDays = (
  counted: readonly (Omit<ChannelDay, 'day'> & { day: number })[],
  { from }: Pick<DayRange, 'from'>,
): ChannelDay[] =>
  counted
    .map(({ day, ...of }) => ({
      day: Temporal.PlainDate.from(from)
        .add({ days: day - 1 })
        .toString(),
      ...of,
    }))
    .sort((a, b) => (`${a.day}${a.channel}` < `${b.day}${b.channel}` ? -1 : 1));

/** The messages of each day and channel that has any, by the time at which each was due. */
export const daysOf = async (ctx: TenantContext, range: DayRange): Promise<ChannelDay[]> =>
  namedDays(await rows.countDeliveries(ctx.db, { workspaceId: ctx.workspaceId, begins: beginsOf(range) }), range);
