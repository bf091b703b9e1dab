import { fork } from 'node:child_process';
import type { ContenderName } from './contender.ts';
import type { House } from './house.ts';
import { fileOf, messageOf, type Sink, stopped } from './processes.ts';
import type { Result, Start } from './race.ts';
import { median } from './report.ts';

export type Entry = {
  /** How it is called in the results. */
  label: string;
  contender: ContenderName;
  n: number;
  sink: Sink;
  template?: string;
  redisUrl?: string | null;
};

export type Results = ReadonlyMap<string, readonly Result[]>;

/** Every entry once in each round, in a database and a process that live for this run only. */
export async function raceAll(house: House, entries: readonly Entry[]): Promise<Results> {
  const results = new Map<string, Result[]>(entries.map(({ label }) => [label, []]));
  for (let round = 0; round < house.sizes.rounds; round += 1) {
    // Each round begins with another one, so that nobody always runs on a machine that the same neighbour left warm.
    const first = round % entries.length;
    for (const entry of [...entries.slice(first), ...entries.slice(0, first)]) {
      const result = await race(house, entry);
      results.get(entry.label)?.push(result);
      house.say(`round ${round + 1}, ${entry.label}: ${rateOf(result)} per second`);
    }
  }
  return results;
}

async function race(house: House, { contender, n, sink, template, redisUrl = null }: Entry): Promise<Result> {
  return house.inDatabase({ template }, async (databaseUrl) => {
    // The heap that `npm start` gives Cuebird, for everybody.
    const child = fork(fileOf('race.ts'), [], { execArgv: ['--max-semi-space-size=64'] });
    const sinkUrl = `${sink.origin}/hook`;
    const start: Start = { name: contender, n, databaseUrl, sinkUrl, reportUrl: sink.reportUrl, redisUrl };
    child.send(start);
    try {
      return await messageOf<Result>(child);
    } finally {
      await stopped(child, 'SIGKILL');
    }
  });
}

const rateOf = ({ n, ms }: Result) => Math.round((n / ms) * 1000);

/** How many a second, in the middle one of the rounds. */
export const medianRate = (results: Results, label: string) => median((results.get(label) ?? []).map(rateOf));

/** Every count that is not what it must be, and everything that came twice or not at all. */
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

/** The rounds, what each process computed for one of them, and the facts of the last round. */
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
