import { fork } from 'node:child_process';
import type { ContenderName } from './contender.ts';
import type { BenchContext } from './context.ts';
import { fileOf, messageOf, type Sink, stopped } from './processes.ts';
import type { Result, Start } from './race.ts';
import { median } from './report.ts';

export type Entry = {
  /** The name in the results. */
  label: string;
  contender: ContenderName;
  n: number;
  sink: Sink;
  template?: string;
  redisUrl?: string | null;
  /** Whether the time of each part of the code and of each statement is measured, which costs a tenth. */
  isProfiled?: boolean;
};

export type Results = ReadonlyMap<string, readonly Result[]>;

/** Runs every entry once per round, each in its own database and process. */
export async function raceAll(context: BenchContext, entries: readonly Entry[]): Promise<Results> {
  const results = new Map<string, Result[]>(entries.map(({ label }) => [label, []]));
  for (let round = 0; round < context.sizes.rounds; round += 1) {
    // Each round starts with a different entry, so that the order favours none.
    const first = round % entries.length;
    for (const entry of [...entries.slice(first), ...entries.slice(0, first)]) {
      const result = await race(context, entry);
      results.get(entry.label)?.push(result);
      context.say(`round ${round + 1}, ${entry.label}: ${rateOf(result)} per second`);
    }
  }
  return results;
}

async function race(
  context: BenchContext,
  { contender, n, sink, template, redisUrl = null, isProfiled = false }: Entry,
): Promise<Result> {
  return context.inDatabase({ template }, async (databaseUrl) => {
    // Every contender gets the heap settings of `npm start`.
    const child = fork(fileOf('race.ts'), [], {
      execArgv: ['--max-semi-space-size=64', '--no-parallel-scavenge', '--no-allocation-site-pretenuring'],
    });
    const sinkUrl = `${sink.origin}/hook`;
    const start: Start = { name: contender, n, databaseUrl, sinkUrl, reportUrl: sink.reportUrl, redisUrl, isProfiled };
    child.send(start);
    try {
      return await messageOf<Result>(child);
    } finally {
      await stopped(child, 'SIGKILL');
    }
  });
}

const rateOf = ({ n, ms }: Result) => Math.round((n / ms) * 1000);

/** The rate per second in the median round. */
export const medianRate = (results: Results, label: string) =>
  Math.round(median((results.get(label) ?? []).map(rateOf)));

/** The processor time of one message in the median round: the contender, PostgreSQL and the sink; null where it is unknown. */
export function medianCpuMicros(results: Results, label: string): number | null {
  const micros = (results.get(label) ?? []).map(
    ({ cpuMs, postgresMs, sink, n }) => ((cpuMs + (postgresMs ?? Number.NaN) + sink.cpuMs) * 1_000) / n,
  );
  const value = median(micros);
  return Number.isNaN(value) ? null : Math.round(value);
}

/** Every wrong count, and every message that arrived twice or not at all. */
export function problemsOf(results: Results): string[] {
  return [...results].flatMap(([label, runs]) =>
    runs.flatMap(({ facts, sink, n }, index) => {
      const seen = [
        { what: 'came to the sink', expected: n, found: sink.requests },
        { what: 'distinct ids at the sink', expected: n, found: sink.distinct },
      ];
      return [...facts, ...seen]
        .filter(({ expected, found }) => expected !== found)
        .map(({ what, expected, found }) => `${label}, round ${index + 1}: ${found} ${what}, not ${expected}`);
    }),
  );
}

/** The rounds, the CPU time of each process in one of them, and the facts of the last round. */
export function raceText(results: Results): string {
  const width = Math.max(...[...results.keys()].map((label) => label.length));
  const lines = [...results].map(([label, runs]) => {
    const each = (cpuMs: (run: Result) => number | null) =>
      micros(median(runs.map((run) => ((cpuMs(run) ?? Number.NaN) * 1000) / run.n)));
    return [
      label.padEnd(width),
      String(medianRate(results, label)).padStart(7),
      `(${runs.map(rateOf).join(', ')})`.padEnd(24),
      each((run) => run.cpuMs),
      each((run) => run.postgresMs),
      each((run) => run.sink.cpuMs),
    ].join('  ');
  });
  const head = `${''.padEnd(width)}  median  ${'(rounds)'.padEnd(24)}  CPU µs each: own  postgres      sink`;
  return [head, ...lines, ...[...results].map(([label, runs]) => factsText(label, runs))].join('\n');
}

function factsText(label: string, runs: readonly Result[]): string {
  const { facts = [], sink, title = '' } = runs.at(-1) ?? {};
  const counts = facts.map(({ what, found }) => `${found} ${what}`).join(', ');
  const duplicates = (sink?.requests ?? 0) - (sink?.distinct ?? 0);
  return `${label}: ${title}\n  ${counts === '' ? '' : `${counts} (with the warm-up); `}the sink saw ${sink?.distinct} ids, ${duplicates} duplicates`;
}

const micros = (value: number) => (Number.isNaN(value) ? '?' : value.toFixed(0)).padStart(8);
