import { isPartlySentExecution } from '#domain/run-outcome.ts';
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
  const people = await rows.countPeople(db, { workspaceId });
  const latest = await rows.latestExecutions(db, { ...listed, now: ctx.now });
  return {
    ...things,
    jobs,
    people,
    success_rate: successRate({ completed: people.reached, failed: people.missed }),
    executions: {
      ...executions,
      latest: latest.map(({ logs, ...run }) => ({ ...run, is_partly_sent: isPartlySentExecution({ ...run, logs }) })),
    },
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
  const {
    days: counted,
    latencies,
    has_more: hasMore,
    ...found
  } = await readDeliveries(ctx.db, {
    workspaceId: ctx.workspaceId,
    begins: beginsOf(range),
    most: analyticsLimits,
  });
  const days = namedDays(counted, range);
  return {
    from: range.from,
    to: range.to,
    sent: days.reduce((sum, day) => sum + day.sent, 0),
    failed: days.reduce((sum, day) => sum + day.failed, 0),
    days,
    latency: latencyOf(latencies),
    ...found,
    are_all_unreached_sought: !hasMore,
  };
}

/** Percentiles in seconds, between two messages in proportion; null without messages. The latencies ascend. */
export function latencyOf(latencies: readonly { ms: number; count: number }[]): DeliveryAnalytics['latency'] {
  const last = latencies.reduce((sum, { count }) => sum + count, 0) - 1;
  if (last < 0) return null;
  const at = (position: number) => {
    let before = 0;
    return latencies.find(({ count }) => (before += count) > position)?.ms ?? 0;
  };
  const percentile = (share: number) => {
    const [low, high] = [at(Math.floor(last * share)), at(Math.ceil(last * share))];
    return (low + (high - low) * ((last * share) % 1)) / 1_000;
  };
  return { median: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) };
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
