import type { Pool } from 'pg';
import { InstallationAnalytics } from '#contract/admin-analytics.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { newOnDays } from '#features/admin/growth.db.ts';
import { successRate } from '#features/analytics/analytics.service.ts';
import { deliveriesByDay } from '#features/metrics/recent-figures.service.ts';
import type { PersonContext } from '#platform/context.ts';

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
