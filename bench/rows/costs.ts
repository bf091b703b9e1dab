import type { BenchContext } from '../context.ts';
import { openSink } from '../processes.ts';
import { inObservedContext } from '../profile/observed-context.ts';
import type { Result } from '../race.ts';
import { problemsOf, raceAll } from '../racing.ts';
import { type Findings, plainRow } from '../report.ts';

const label = 'cuebird, profiled';

/** What one webhook costs, by part of the code and by statement, in a single run with a profiler. */
export async function costs(context: BenchContext): Promise<Findings> {
  const n = Math.min(context.sizes.n, 20_000);
  const sink = await openSink('http');
  try {
    return await inObservedContext(context, async (observed) => {
      const once = { ...observed, sizes: { ...observed.sizes, rounds: 1 } };
      const results = await raceAll(once, [{ label, contender: 'cuebird', n, sink, isProfiled: true }]);
      const [result] = results.get(label) ?? [];
      if (result === undefined) throw new Error('The run has no result.');
      const lines = linesOf(result);
      return {
        rows: lines
          .filter(({ isSum }) => isSum)
          .map(({ name, micros }) => plainRow(`cost of a webhook: ${name}`, micros, 'µs')),
        problems: problemsOf(results),
        text: tableOf(lines, n),
      };
    });
  } finally {
    await sink.stop();
  }
}

type Line = { name: string; micros: number; calls: number | null; isSum: boolean };

/** Statements that take less than this are one line. */
const shownMicros = 0.3;

function linesOf({ n, cpuMs, postgresMs, sink, profile }: Result): Line[] {
  const microsOf = (ms: number) => Number(((ms * 1_000) / n).toFixed(1));
  const sum = (name: string, ms: number): Line => ({ name, micros: microsOf(ms), calls: null, isSum: true });
  const part = (name: string, micros: number): Line => ({
    name,
    micros: Number(micros.toFixed(1)),
    calls: null,
    isSum: false,
  });
  const { parts = [], statements = [] } = profile ?? {};
  const timed = statements.map(({ name, calls, ms }) => ({ name, micros: microsOf(ms), calls, isSum: false }));
  const small = timed.filter(({ micros }) => micros < shownMicros);
  const inSmall = small.reduce((total, { micros }) => total + micros, 0);
  const inStatements = timed.reduce((total, { micros }) => total + micros, 0);
  const inPostgres = microsOf(postgresMs ?? Number.NaN);
  return [
    sum('own', cpuMs),
    ...parts
      .toSorted((a, b) => b.ms - a.ms)
      .map(({ part: name, ms }) => part(name, microsOf(ms)))
      .filter(({ micros }) => micros > 0),
    sum('PostgreSQL', postgresMs ?? Number.NaN),
    ...timed.filter(({ micros }) => micros >= shownMicros),
    part(`${small.length} other statements`, inSmall),
    part('parsing, commits and background processes', Math.max(0, inPostgres - inStatements)),
    sum('sink', sink.cpuMs),
  ];
}

function tableOf(lines: readonly Line[], n: number): string {
  const width = Math.max(...lines.map(({ name }) => name.length)) + 2;
  const rows = lines.map(({ name, micros, calls, isSum }) =>
    [
      `${isSum ? '' : '  '}${name}`.padEnd(width),
      micros.toFixed(1).padStart(7),
      calls === null ? '' : `${String(calls).padStart(7)} calls`,
    ]
      .join('  ')
      .trimEnd(),
  );
  const head = `CPU µs for each of ${n} webhooks`;
  return [head, ...rows].join('\n');
}
