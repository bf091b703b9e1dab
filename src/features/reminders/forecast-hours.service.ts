import { sql } from 'kysely';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Forecast } from '#contract/schedules.ts';
import { SendingHours } from '#contract/sending-hours.ts';
import { openingText } from '#domain/sending-hours-text.ts';
import { openingAt } from '#domain/sending-hours.ts';
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

/** Adds a note to each occurrence outside of the workspace's sending hours, in the workspace's time zone. */
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

/** The sending hours in the settings; null when none are set. */
async function findSendingHours(db: Db, { workspaceId }: { workspaceId: string }): Promise<unknown> {
  const row = await db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(sql<unknown>`settings -> 'sendingHours'`.as('hours'))
    .executeTakeFirst();
  return row?.hours ?? null;
}
