import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Forecast } from '#contract/schedules.ts';
import { SendingHours } from '#contract/sending-hours.ts';
import { openingText } from '#domain/sending-hours-text.ts';
import { openingAt, windowsWithin } from '#domain/sending-hours.ts';
import type { TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';

type Scheduled = { next_run_at: string | null; metadata: { channels: readonly ChannelType[] } };

/** When the sending hours open for a reminder whose next run is outside of them on every channel, as an ISO instant; null for other reminders. */
export async function openings(
  ctx: Pick<TenantContext, 'db' | 'workspaceId'>,
): Promise<(reminder: Scheduled) => string | null> {
  const { data: hours } = SendingHours.safeParse(await findSendingHours(ctx.db, { workspaceId: ctx.workspaceId }));
  if (hours?.enabled !== true) return () => null;
  const { timezone, channels } = hours;
  const delayed = new Set<ChannelType>(channels);
  return ({ next_run_at: at, metadata }) => {
    if (at === null || !metadata.channels.every((channel) => delayed.has(channel))) return null;
    const instant = Temporal.Instant.from(at);
    const opening = openingAt(hours, { at: instant, timezone });
    return opening.equals(instant) ? null : opening.toString();
  };
}

/** Adds a note to each occurrence outside of the workspace's sending hours, in the workspace's timezone. */
export async function withHours(ctx: TenantContext, forecast: Forecast): Promise<Forecast> {
  const { data: hours } = SendingHours.safeParse(await findSendingHours(ctx.db, { workspaceId: ctx.workspaceId }));
  if (hours?.enabled !== true) return forecast;
  const { timezone } = hours;
  const late = forecast.occurrences.flatMap((at) => {
    const opening = openingAt(hours, { at: Temporal.Instant.from(at), timezone });
    if (opening.equals(Temporal.Instant.from(at))) return [];
    return [{ at, note: `Outside of sending hours: waits until ${openingText(opening, timezone)}` }];
  });
  return { ...forecast, notes: [...forecast.notes, ...late] };
}

/** The sending hours of a time that lies ahead. */
export type HoursAhead = {
  /** The channels that keep them. */
  channels: readonly ChannelType[];
  /** When they open and close in turn, beginning with an opening. */
  edges: readonly string[];
  /** When what is due at this time may be sent: then, or when they open. In epoch milliseconds. */
  openingMs: (dueMs: number) => number;
};

/** The workspace's sending hours for what is due from one instant until another; null where it has none. */
export async function hoursAhead(
  { db, workspaceId }: Pick<TenantContext, 'db' | 'workspaceId'>,
  time: { from: Temporal.Instant; until: Temporal.Instant },
): Promise<HoursAhead | null> {
  const { data: hours } = SendingHours.safeParse(await findSendingHours(db, { workspaceId }));
  if (hours?.enabled !== true) return null;
  const windows = windowsWithin(hours, { ...time, timezone: hours.timezone });
  const closesMs = windows.map(({ closes }) => closes.epochMilliseconds);
  return {
    channels: hours.channels,
    edges: windows.flatMap(({ opens, closes }) => [opens.toString(), closes.toString()]),
    openingMs(dueMs) {
      const window = windows[firstAfter(closesMs, dueMs)];
      return window === undefined ? dueMs : Math.max(dueMs, window.opens.epochMilliseconds);
    },
  };
}

/** The index of the first of these ascending numbers that is greater. */
function firstAfter(sorted: readonly number[], than: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > than) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The sending hours in the settings; null when none are set. */
async function findSendingHours(db: Db, { workspaceId }: { workspaceId: string }): Promise<unknown> {
  const row = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(sql<unknown>`settings -> 'sendingHours'`.as('hours'))
    .executeTakeFirst();
  return row?.hours ?? null;
}
