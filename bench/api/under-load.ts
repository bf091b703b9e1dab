import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import type { BenchContext } from '../context.ts';
import type { Sink } from '../processes.ts';
import { isAllDone, wakeDispatcher } from '../queue.ts';
import { type Findings, percentile, plainRow, ratioOf } from '../report.ts';
import { tidy, writeReminders } from '../seeds/reminders.ts';
import { reportOf } from '../tally.ts';
import { until } from '../until.ts';
import { askNowAndThen } from './requests.ts';
import type { Session } from './session.ts';

const perSecond = 50;
const idleMs = 10_000;

/** The duration of requests for the list of reminders while another workspace sends webhooks at the maximum rate. */
export async function measureUnderLoad(
  context: BenchContext,
  target: { url: string; session: Session; owner: Client; workspaceId: string; sink: Sink },
): Promise<Findings> {
  const { url, session, owner, workspaceId, sink } = target;
  const { n } = context.sizes;
  const ask = (stop: AbortSignal) => askNowAndThen(url, { session, perSecond, until: stop });
  await ask(AbortSignal.timeout(2_000));
  const idle = await ask(AbortSignal.timeout(idleMs));

  // All jobs are due at one instant, after they are written and the tables are vacuumed.
  const due = Temporal.Now.instant()
    .add({ seconds: 5 + Math.round(n / 4_000) })
    .round('second');
  const at = Array.from({ length: n }, () => due);
  await writeReminders(owner, { workspaceId, channel: 'webhook', recipient: `${sink.origin}/hook`, at });
  await tidy(owner);
  await wakeDispatcher(owner);
  await reportOf(sink.reportUrl);
  await wait(Math.max(0, due.epochMilliseconds - Date.now()));
  const delivered = new AbortController();
  const startedAt = performance.now();
  const asking = ask(delivered.signal);
  await until(() => isAllDone(owner), { everyMs: 100, patienceMs: 300_000 });
  const tookMs = performance.now() - startedAt;
  delivered.abort();
  const loaded = await asking;

  const { requests, distinct } = await reportOf(sink.reportUrl);
  const [p95, idleP95] = [percentile(loaded, 95), percentile(idle, 95)].map((ms) => Number(ms.toFixed(1)));
  const name = (when: string) => `API, list of reminders p95 ${when}`;
  return {
    rows: [
      plainRow(name('idle'), idleP95 ?? null, 'ms'),
      {
        name: name(`while ${n} webhooks go out`),
        value: p95 ?? null,
        unit: 'ms',
        against: 'idle',
        ratio: ratioOf(p95 ?? Number.NaN, idleP95 ?? Number.NaN),
        goal: { is: 'at most', bound: 3 },
      },
    ],
    problems: [
      ...(requests === n && distinct === n ? [] : [`api: ${requests} webhooks, ${distinct} distinct, not ${n}`]),
      ...(loaded.length < 20 ? [`api: only ${loaded.length} requests while webhooks went out`] : []),
    ],
    text: `${idle.length} requests idle, ${loaded.length} while ${Math.round((n / tookMs) * 1000)} webhooks a second went out: p50 ${percentile(idle, 50).toFixed(1)} and ${percentile(loaded, 50).toFixed(1)} ms, at most ${Math.max(...loaded).toFixed(0)} ms`,
  };
}
