import { type Analytics, analyticsLimits, type DeliveryAnalytics } from '#contract/analytics.ts';
import * as rows from '#features/analytics/analytics.db.ts';
import { readDeliveries } from '#features/analytics/deliveries.db.ts';
import { beginsOf, type DayRange, daysOf, namedDays } from '#features/dashboard/day.service.ts';
import { countJobs } from '#features/jobs/jobs.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { csvResponse } from '#platform/csv-stream.ts';

/** Counts of the workspace since it was made. Tests of reminders count in none. */
export async function analyticsOf(ctx: TenantContext): Promise<Analytics> {
  const { db, workspaceId } = ctx;
  const listed = { workspaceId, limit: analyticsLimits.recent };
  const things = await rows.countThings(db, { workspaceId });
  const jobs = await countJobs(ctx, { archived: 'true', tests: 'false' });
  const executions = await rows.measureExecutions(db, { workspaceId });
  return {
    ...things,
    jobs,
    ended_jobs: jobs.completed + jobs.failed,
    success_rate: successRate(jobs),
    executions: { ...executions, latest: await rows.latestExecutions(db, { ...listed, now: ctx.now }) },
    recent_jobs: await rows.newestJobs(db, listed),
  };
}

/** A percentage with one decimal, rounded down: it is 100 only where nothing failed. */
export function successRate({ completed, failed }: { completed: number; failed: number }): number {
  const ended = completed + failed;
  return ended === 0 ? 100 : Math.floor((completed * 1_000) / ended) / 10;
}

/** What became of the messages that were due on these days of the zone, both included. */
export async function deliveryAnalytics(ctx: TenantContext, range: DayRange): Promise<DeliveryAnalytics> {
  const found = await readDeliveries(ctx.db, {
    workspaceId: ctx.workspaceId,
    begins: beginsOf(range),
    most: analyticsLimits,
  });
  const days = namedDays(found.days, range);
  const [median, p95, p99] = found.latency ?? [];
  return {
    from: range.from,
    to: range.to,
    sent: days.reduce((sum, day) => sum + day.sent, 0),
    failed: days.reduce((sum, day) => sum + day.failed, 0),
    days,
    latency: median === undefined || p95 === undefined || p99 === undefined ? null : { median, p95, p99 },
    reasons: found.reasons,
    unreached: found.unreached,
  };
}

/** A line per day and channel. A year has at most 2,196 of them. */
export async function exportDeliveries(ctx: TenantContext, range: DayRange): Promise<Response> {
  const days = await daysOf(ctx, range);
  await recordAct(ctx, { action: 'export.analytics', target: ctx.workspaceId });
  async function* page() {
    yield days.map(({ day, channel, sent, failed }) => [day, channel, String(sent), String(failed)]);
  }
  return csvResponse({
    name: `deliveries-${range.from}-to-${range.to}.csv`,
    head: [`Day (${range.timezone})`, 'Channel', 'Sent', 'Failed'],
    pages: page(),
  });
}
