import type { Client } from 'pg';
import type { Sink } from './processes.ts';
import { wakeDispatcher } from './queue.ts';
import { randomInstants, writeReminders } from './seeds/reminders.ts';
import { type Report, reportOf } from './tally.ts';
import { until } from './until.ts';

/**
 * Schedules reminders of one workspace at random instants of the next seconds. Resolves when all of them are delivered, to the delay of
 * each at the sink.
 */
export async function sendOnTime(
  owner: Client,
  options: { workspaceId: string; sink: Sink; perSecond: number; seconds: number },
): Promise<{ latenessMs: number[]; problems: string[] }> {
  const { workspaceId, sink, seconds } = options;
  const start = Temporal.Now.instant().add({ seconds: 2 });
  const at = randomInstants(start, options);
  const accepted = async () => {
    const { rows } = await owner.query<{ count: number }>(
      "select count(*)::int from deliveries where workspace_id = $1 and status = 'accepted' and scheduled_for >= $2",
      [workspaceId, start.toString()],
    );
    return rows[0]?.count ?? 0;
  };
  await reportOf(sink.reportUrl);
  await writeReminders(owner, { workspaceId, channel: 'webhook', recipient: `${sink.origin}/timed`, at });
  await wakeDispatcher(owner);
  await until(async () => (await accepted()) >= at.length, { everyMs: 250, patienceMs: seconds * 1000 + 60_000 });
  const report = await reportOf(sink.reportUrl);
  return { latenessMs: report.latenessMs, problems: problemsIn(report, { n: at.length, found: await accepted() }) };
}

function problemsIn(report: Report, { n, found }: { n: number; found: number }): string[] {
  const facts = [
    { what: 'came to the sink', count: report.requests },
    { what: 'distinct ids at the sink', count: report.distinct },
    { what: 'deliveries accepted', count: found },
  ];
  return facts.filter(({ count }) => count !== n).map(({ what, count }) => `${count} ${what}, not ${n}`);
}
