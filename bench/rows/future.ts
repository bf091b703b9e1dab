import type { BenchContext } from '../context.ts';
import { openSink } from '../processes.ts';
import { medianRate, problemsOf, raceAll, raceText } from '../racing.ts';
import { type Findings, plainRow, ratioOf } from '../report.ts';
import { futureTemplate } from '../seeds/future.ts';

/** The same number of webhooks, with many and with few future jobs in the table. */
export async function future(context: BenchContext): Promise<Findings> {
  // Fewer than a slow machine sends in 15 s: then the scheduler reads all reminders, which belongs to a start. More than it
  // sends in a few: two such runs differ by a tenth.
  const n = Math.min(context.sizes.n, 40_000);
  // Rounds can differ by more than the goal allows.
  const rounds = context.sizes.rounds * 2;
  const many = context.sizes.future;
  const few = Math.round(many / 100);
  const sink = await openSink('http');
  try {
    const label = (count: number) => `with ${count} future jobs`;
    const entry = async (count: number) => {
      const template = await futureTemplate(context, count);
      return { label: label(count), contender: 'cuebird' as const, n, sink, template };
    };
    const results = await raceAll({ ...context, sizes: { ...context.sizes, rounds } }, [
      await entry(many),
      await entry(few),
    ]);
    const rate = (count: number) => medianRate(results, label(count));
    const nameOf = (count: number) => `webhooks, N = ${n}, ${label(count)}`;
    const rows = [
      plainRow(nameOf(few), rate(few), 'per second'),
      {
        name: nameOf(many),
        value: rate(many),
        unit: 'per second',
        against: label(few),
        ratio: ratioOf(rate(many), rate(few)),
        goal: { is: 'at least' as const, bound: 0.9 },
      },
    ];
    return { rows, problems: problemsOf(results), text: raceText(results) };
  } finally {
    await sink.stop();
  }
}
