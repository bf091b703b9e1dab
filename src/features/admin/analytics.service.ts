import { sql } from 'kysely';
import type { Pool } from 'pg';
import { InstallationAnalytics } from '#contract/admin-analytics.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { successRate } from '#features/analytics/analytics.service.ts';
import { deliveriesByDay } from '#features/metrics/recent-figures.service.ts';
import type { PersonContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';

/** @param ports.pool of the role cuebird_engine: what is read of it belongs to no workspace */
export async function installationAnalytics(
  { db, now }: PersonContext,
  { pool, days }: { pool: Pool; days: number },
): Promise<InstallationAnalytics> {
  const today = now.toZonedDateTimeISO('UTC').toPlainDate();
  const range = { from: today.subtract({ days: days - 1 }).toString(), to: today.toString() };
  const growth = await newOnDays(db, range);
  const deliveries = await deliveriesByDay(pool, range);
  const total = (key: 'sent' | 'failed', of = deliveries) => of.reduce((sum, day) => sum + day[key], 0);
  const rated = (of: typeof deliveries) => {
    const [sent, failed] = [total('sent', of), total('failed', of)];
    return { sent, failed, success_rate: successRate({ completed: sent, failed }) };
  };
  return InstallationAnalytics.parse({
    ...range,
    new_users: growth.reduce((sum, day) => sum + day.users, 0),
    new_workspaces: growth.reduce((sum, day) => sum + day.workspaces, 0),
    ...rated(deliveries),
    growth,
    deliveries,
    channels: channelTypes
      .filter((channel) => deliveries.some((day) => day.channel === channel))
      .map((channel) => ({ channel, ...rated(deliveries.filter((day) => day.channel === channel)) })),
  });
}

/** People and workspaces that were new on each day (UTC); days without any are left out. For administrators only. */
async function newOnDays(
  db: Db,
  { from, to }: { from: string; to: string },
): Promise<{ day: string; users: number; workspaces: number }[]> {
  const { rows } = await sql<{ day: string; users: number; workspaces: number }>`
    select day::text as day, people as users, workspaces from installation_growth(${from}::date, ${to}::date)`.execute(
    db,
  );
  return rows;
}
