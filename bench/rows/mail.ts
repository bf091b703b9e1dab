import type { BenchContext } from '../context.ts';
import { openSink } from '../processes.ts';
import { medianRate, problemsOf, raceAll, raceText } from '../racing.ts';
import { type Findings, plainRow, ratioOf } from '../report.ts';

/** From due jobs to accepted mail with recorded results, compared with nodemailer's pool with as many connections. */
export async function mail(context: BenchContext): Promise<Findings> {
  const n = Math.min(context.sizes.n, 20_000);
  const sink = await openSink('smtp');
  try {
    const results = await raceAll(context, [
      { label: 'cuebird', contender: 'cuebird mail', n, sink },
      { label: 'bare nodemailer', contender: 'bare nodemailer', n, sink },
    ]);
    const rate = (label: string) => medianRate(results, label);
    const nameOf = (label: string) => `mail, N = ${n}, 5 connections: ${label}`;
    const against = 'bare nodemailer';
    const rows = [
      plainRow(nameOf(against), rate(against), 'per second'),
      {
        name: nameOf('cuebird'),
        value: rate('cuebird'),
        unit: 'per second',
        against,
        ratio: ratioOf(rate('cuebird'), rate(against)),
        goal: { is: 'at least' as const, bound: 0.8 },
      },
    ];
    return { rows, problems: problemsOf(results), text: raceText(results) };
  } finally {
    await sink.stop();
  }
}
