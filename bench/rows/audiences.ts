import type { BenchContext } from '../context.ts';
import { openSink } from '../processes.ts';
import { medianRate, problemsOf, raceAll, raceText } from '../racing.ts';
import { type Findings, plainRow, ratioOf } from '../report.ts';

/** From due jobs to answered webhooks with recorded results: people of an audience, compared with as many listed addresses. */
export async function audiences(context: BenchContext): Promise<Findings> {
  const n = 5_000 * Math.max(1, Math.round(Math.min(context.sizes.n, 20_000) / 5_000));
  const sink = await openSink('http');
  try {
    const results = await raceAll(context, [
      { label: 'by audience', contender: 'cuebird, by audience', n, sink },
      { label: 'by address', contender: 'cuebird, by address', n, sink },
    ]);
    const rate = (label: string) => medianRate(results, label);
    const nameOf = (label: string) => `webhooks to people, N = ${n}: ${label}`;
    const against = 'by address';
    return {
      rows: [
        plainRow(nameOf(against), rate(against), 'per second'),
        {
          name: nameOf('by audience'),
          value: rate('by audience'),
          unit: 'per second',
          against,
          ratio: ratioOf(rate('by audience'), rate(against)),
          goal: null,
        },
      ],
      problems: problemsOf(results),
      text: raceText(results),
    };
  } finally {
    await sink.stop();
  }
}
