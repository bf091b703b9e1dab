import type { Pool } from 'pg';
import { type AdminOverview, successRateDays } from '#contract/admin-overview.ts';
import { countOwnPeople, isAdministrator, readFigures } from '#features/admin/overview.db.ts';
import { successRate } from '#features/analytics/analytics.service.ts';
import { windowOf } from '#features/dashboard/day.service.ts';
import { deliveriesByDay } from '#features/metrics/recent-figures.service.ts';
import type { PersonContext } from '#platform/context.ts';

/**
 * What the admin console shows above its tabs. Of workspaces today is the day of the caller's zone, and the ledger is counted; of an installation it is that of UTC, so that the
 * figures are those of its analytics.
 * @param ports.pool of the role cuebird_engine: what is read of it belongs to no workspace
 */
export async function adminOverview(
  { db, now }: PersonContext,
  { pool, timezone }: { pool: Pool; timezone: string },
): Promise<AdminOverview> {
  const today = now.toZonedDateTimeISO(timezone).toPlainDate().toString();
  const { from: dayBegin, to: dayEnd } = windowOf({ from: today, to: today, timezone });
  const isAll = await isAdministrator(db);
  const { users, workspaces, demos, ...own } = await readFigures(db, { isAll, dayBegin, dayEnd });
  const { deliveries_today, reached, missed } = isAll
    ? await messagesOf(pool, now)
    : { deliveries_today: own, ...(await countOwnPeople(db)) };
  return {
    scope: isAll ? 'installation' : 'workspaces',
    users,
    workspaces,
    deliveries_today,
    success_rate: successRate({ completed: reached, failed: missed }),
    reached,
    missed,
    demos,
  };
}

async function messagesOf(pool: Pool, now: Temporal.Instant) {
  const today = now.toZonedDateTimeISO('UTC').toPlainDate();
  const from = today.subtract({ days: successRateDays - 1 }).toString();
  const days = await deliveriesByDay(pool, { from, to: today.toString() });
  const total = (key: 'sent' | 'failed', of = days) => of.reduce((sum, day) => sum + day[key], 0);
  const ofToday = days.filter(({ day }) => day === today.toString());
  return {
    deliveries_today: { sent: total('sent', ofToday), failed: total('failed', ofToday) },
    reached: total('sent'),
    missed: total('failed'),
  };
}
