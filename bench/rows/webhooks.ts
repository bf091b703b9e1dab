import type { BenchContext } from '../context.ts';
import { openSink } from '../processes.ts';
import { type Entry, medianCpuMicros, medianRate, problemsOf, raceAll, raceText, type Results } from '../racing.ts';
import { startRedis } from '../redis.ts';
import { type Findings, plainRow, ratioOf, type Row } from '../report.ts';

/** The size for slow contenders, which would take minutes for more; it does not change their rates. */
const mostOfSlow = 20_000;

const peers = ['graphile-worker', 'pg-boss', 'bullmq'] as const;

/** From due jobs to answered webhooks with recorded results, compared with common queues and a bare POST loop. */
export async function webhooks(context: BenchContext): Promise<Findings> {
  const { n } = context.sizes;
  const redis = await startRedis(context.say);
  const sink = await openSink('http');
  const nameOf = (label: string, count = n) => `webhooks, N = ${count}: ${label}`;
  try {
    const entry = (label: Entry['contender'], count = n): Entry => ({ label, contender: label, n: count, sink });
    const others = [
      entry('graphile-worker'),
      entry('pg-boss', Math.min(n, mostOfSlow)),
      ...('url' in redis ? [{ ...entry('bullmq', Math.min(n, mostOfSlow)), redisUrl: redis.url }] : []),
      entry('pg-boss, recorded by the batch'),
      entry('bare loop'),
    ];
    const results = await raceAll(context, [entry('cuebird'), ...others]);
    const rate = (label: string) => medianRate(results, label);
    const best = peers.filter((name) => results.has(name)).reduce((a, b) => (rate(b) > rate(a) ? b : a));
    const goals = new Map<string, Row['goal']>([
      [best, { is: 'at least', bound: 1.6 }],
      ['bare loop', { is: 'at least', bound: 0.27 }],
    ]);
    const rows = [
      ...others.map(({ label, n: count }) => plainRow(nameOf(label, count), rate(label), 'per second')),
      ...('missing' in redis ? [plainRow(nameOf(`bullmq (${redis.missing})`), null, 'per second')] : []),
      ...others.map(({ label }) => ({
        ...plainRow(nameOf('cuebird'), rate('cuebird'), 'per second'),
        against: label === best ? `${label}, the best peer` : label,
        ratio: ratioOf(rate('cuebird'), rate(label)),
        goal: goals.get(label) ?? null,
      })),
      ...cpuRows(results, best),
    ];
    return { rows, problems: problemsOf(results), text: raceText(results) };
  } finally {
    await sink.stop();
    if ('url' in redis) await redis.stop();
  }
}

/** The processor time of one webhook, by all three processes, compared with the best peer's. */
function cpuRows(results: Results, best: string): Row[] {
  const [own, peers] = [medianCpuMicros(results, 'cuebird'), medianCpuMicros(results, best)];
  const name = (label: string) => `CPU of a webhook, with PostgreSQL and the sink: ${label}`;
  return [
    plainRow(name(best), peers, 'µs'),
    {
      ...plainRow(name('cuebird'), own, 'µs'),
      against: `${best}, the best peer`,
      ratio: own === null || peers === null ? null : ratioOf(own, peers),
      // Without the processor time of PostgreSQL there is nothing to compare.
      goal: own === null || peers === null ? null : { is: 'at most', bound: 0.65 },
    },
  ];
}
