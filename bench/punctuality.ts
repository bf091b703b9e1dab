import type { Client } from 'pg';
import type { Sink } from './processes.ts';
import { wakeDispatcher } from './queue.ts';
import { randomInstants, writeReminders } from './seeds/reminders.ts';
import { type Report, reportOf } from './tally.ts';
import { until } from './until.ts';

/**
 * Schedules reminders of these workspaces at random instants of some seconds, which begin in `leadSeconds`; the rate is that of each workspace. Resolves
 * when all of them are delivered, to the delay of each at the sink.
 */
export async function sendOnTime(
  owner: Client,
  options: {
    workspaceIds: readonly string[];
    sink: Sink;
    perSecond: number;
    seconds: number;
    leadSeconds?: number;
    /** Called when all are written. */
    onWritten?: () => Promise<void>;
  },
): Promise<{ latenessMs: number[]; problems: string[] }> {
  const { workspaceIds, sink, seconds, leadSeconds = 2 } = options;
  // In whole milliseconds, as the instants are: one that is rounded to before it would not be counted.
  const start = Temporal.Now.instant().round('millisecond').add({ seconds: leadSeconds });
  let n = 0;
  const accepted = async () => {
    const { rows } = await owner.query<{ count: number }>(
      "select count(*)::int from deliveries where workspace_id = any ($1) and status = 'accepted' and scheduled_for >= $2",
      [workspaceIds, start.toString()],
    );
    return rows[0]?.count ?? 0;
  };
  await reportOf(sink.reportUrl);
  for (const workspaceId of workspaceIds) {
    const at = randomInstants(start, options);
    await writeReminders(owner, { workspaceId, channel: 'webhook', recipient: `${sink.origin}/timed`, at });
    n += at.length;
  }
  await wakeDispatcher(owner);
  await options.onWritten?.();
  const wasLate = Temporal.Instant.compare(Temporal.Now.instant(), start) > 0;
  await until(async () => (await accepted()) >= n, {
    everyMs: 250,
    patienceMs: (leadSeconds + seconds) * 1000 + 60_000,
  });
  const report = await reportOf(sink.reportUrl);
  const problems = problemsIn(report, { n, found: await accepted() });
  if (wasLate) problems.push('some were due before all were written');
  return { latenessMs: report.latenessMs, problems };
}

function problemsIn(report: Report, { n, found }: { n: number; found: number }): string[] {
  const facts = [
    { what: 'came to the sink', count: report.requests },
    { what: 'distinct ids at the sink', count: report.distinct },
    { what: 'deliveries accepted', count: found },
  ];
  return facts.filter(({ count }) => count !== n).map(({ what, count }) => `${count} ${what}, not ${n}`);
}
