import { type AdminOverview, successRateDays } from '#contract/admin-overview.ts';
import { isAdministrator, readFigures } from '#features/admin/overview.db.ts';
import { successRate } from '#features/analytics/analytics.service.ts';
import { windowOf } from '#features/dashboard/day.service.ts';
import type { PersonContext } from '#platform/context.ts';

/** What the admin console shows above its tabs. Today is the day of the caller's zone. */
export async function adminOverview(
  { db, now }: PersonContext,
  { timezone }: { timezone: string },
): Promise<AdminOverview> {
  const today = now.toZonedDateTimeISO(timezone).toPlainDate();
  const { from: dayBegin, to: dayEnd } = windowOf({ from: today.toString(), to: today.toString(), timezone });
  const firstDay = today.subtract({ days: successRateDays - 1 }).toString();
  const { from: since } = windowOf({ from: firstDay, to: firstDay, timezone });
  const isAll = await isAdministrator(db);
  const figures = await readFigures(db, { isAll, dayBegin, dayEnd, since });
  const jobs = { completed: figures.completed_jobs, failed: figures.failed_jobs };
  return {
    scope: isAll ? 'installation' : 'workspaces',
    users: figures.users,
    workspaces: figures.workspaces,
    deliveries_today: { sent: figures.sent, failed: figures.failed },
    success_rate: successRate(jobs),
    ended_jobs: jobs.completed + jobs.failed,
    completed_jobs: jobs.completed,
    demos: figures.demos,
  };
}
