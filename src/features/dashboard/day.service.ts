import { z } from 'zod';
import type { ChannelDay, Upcoming } from '#contract/day.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { addressedByEvent } from '#domain/event-recipients.ts';
import { countDestinations } from '#domain/recipients.ts';
import { countPeople } from '#features/contact-groups/audience.service.ts';
import * as rows from '#features/dashboard/day.db.ts';
import { withCounts } from '#features/jobs/jobs.service.ts';
import type { TenantContext } from '#platform/context.ts';

const listed = 6;
const upcomingHours = 24;
const failureDays = 7;
const shownDays = 30;

/** The recipients of a job without a reminder, or of an event that names its own recipients. */
const Payload = z.object({
  channels: z.array(z.enum(channelTypes)).optional().catch(undefined),
  recipients: z.array(z.string()).optional().catch(undefined),
  data: z.record(z.string(), z.string()).optional().catch(undefined),
});

export async function dayOf(ctx: TenantContext) {
  const { db, now, workspaceId } = ctx;
  const window = { workspaceId, from: now.toString(), to: now.add({ hours: upcomingHours }).toString() };
  const failed = { workspaceId, since: now.subtract({ hours: failureDays * 24 }).toString() };
  const upcoming = await rows.findUpcoming(db, { ...window, limit: listed });
  const failures = await rows.findFailures(db, { ...failed, limit: listed });
  return {
    upcoming: {
      count: upcoming.length < listed ? upcoming.length : await rows.countUpcoming(db, window),
      next: await asUpcoming(ctx, upcoming),
    },
    failures: {
      count: failures.length < listed ? failures.length : await rows.countFailures(db, failed),
      latest: (await withCounts(ctx, failures)).map(({ id, status: _, scheduled_for: __, ...failure }) => failure),
    },
  };
}

async function asUpcoming(
  ctx: TenantContext,
  found: Awaited<ReturnType<typeof rows.findUpcoming>>,
): Promise<Upcoming[]> {
  const next: Upcoming[] = [];
  for (const row of found) {
    const own = Payload.parse(row.payload);
    const { recipients = [], audience = null } =
      row.content === null || row.metadata === null
        ? { recipients: own.recipients }
        : addressedByEvent({ content: row.content, metadata: row.metadata }, { ...own, data: own.data ?? {} });
    const people = audience === null ? 0 : await countPeople(ctx, { audience });
    const destinations = countDestinations(row.metadata?.channels ?? own.channels ?? []);
    next.push(upcomingOf(row, { own, recipients: recipients.length + people + destinations }));
  }
  return next;
}

function upcomingOf(
  row: Awaited<ReturnType<typeof rows.findUpcoming>>[number],
  { own, recipients }: { own: z.output<typeof Payload>; recipients: number },
): Upcoming {
  return {
    job_id: row.job_id,
    name: row.name,
    scheduled_for: row.scheduled_for,
    timezone: row.schedule_config?.timezone ?? null,
    channels: row.metadata?.channels ?? own.channels ?? ['email'],
    recipients,
    is_pausable: row.type === 'reminder' || row.type === 'event_reminder',
  };
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
