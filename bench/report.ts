import { cpus } from 'node:os';
import { Client } from 'pg';
import type { Result } from './race.ts';

/** One figure. `met` is null where no goal is set. */
export type Row = {
  name: string;
  value: number;
  unit: string;
  against: string | null;
  ratio: number | null;
  goal: number | null;
  met: boolean | null;
};

/** What each comparison has to reach now; later 3 times the best peer and 0.5 of the bare loop. */
const goals = [
  { against: 'graphile-worker', goal: 1 },
  { against: 'bare loop', goal: null },
];

type Results = ReadonlyMap<string, readonly Result[]>;

export function rowsOf(results: Results, n: number): Row[] {
  const rate = (name: string) => Math.round((n / median(results.get(name)?.map(({ ms }) => ms) ?? [])) * 1000);
  const speeds = [...results.keys()].map((name) => ({
    name: `${name}, webhooks`,
    value: rate(name),
    unit: 'per second',
    against: null,
    ratio: null,
    goal: null,
    met: null,
  }));
  const ratios = goals.map(({ against, goal }) => {
    const ratio = Number((rate('cuebird') / rate(against)).toFixed(2));
    const met = goal === null ? null : ratio > goal;
    return { name: 'cuebird, webhooks', value: rate('cuebird'), unit: 'per second', against, ratio, goal, met };
  });
  return [...speeds, ...ratios];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Every count that is not what it must be, and every webhook that came twice or not at all. */
export function problemsOf(results: Results, n: number): string[] {
  return [...results].flatMap(([name, runs]) =>
    runs.flatMap(({ facts, sink }, index) => {
      const seen = [
        { what: 'requests at the sink', expected: n, found: sink.requests },
        { what: 'distinct ids at the sink', expected: n, found: sink.distinct },
      ];
      return [...facts, ...seen]
        .filter(({ expected, found }) => expected !== found)
        .map(({ what, expected, found }) => `${name}, round ${index + 1}: ${found} ${what}, not ${expected}`);
    }),
  );
}

export const jsonLines = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).join('\n');

export function tableText(rows: readonly Row[], { results, n }: { results: Results; n: number }): string {
  const lines = [...results].map(([name, runs]) => {
    const rates = runs.map(({ ms }) => Math.round((n / ms) * 1000));
    const perWebhook = (cpuMs: (run: Result) => number | null) =>
      median(runs.map((run) => ((cpuMs(run) ?? Number.NaN) * 1000) / n));
    return [
      name.padEnd(16),
      String(rows.find((row) => row.name.startsWith(`${name},`))?.value).padStart(7),
      `(${rates.join(', ')})`.padEnd(24),
      micros(perWebhook((run) => run.cpuMs)),
      micros(perWebhook((run) => run.postgresMs)),
      micros(perWebhook((run) => run.sink.cpuMs)),
    ].join('  ');
  });
  const ratios = rows
    .filter((row) => row.against !== null)
    .map(({ against, ratio, goal, met }) => {
      const verdict = goal === null ? '' : `, goal more than ${goal}: ${met === true ? 'met' : 'NOT met'}`;
      return `cuebird / ${against}: ${ratio}${verdict}`;
    });
  const checks = [...results].map(([name, runs]) => {
    const { facts = [], sink, title = '' } = runs.at(-1) ?? {};
    const counts = facts.map(({ what, found }) => `${found} ${what}`).join(', ');
    const duplicates = (sink?.requests ?? 0) - (sink?.distinct ?? 0);
    return `${name}: ${title}\n  ${counts === '' ? '' : `${counts} (with the warm-up); `}the sink saw ${sink?.distinct} ids, ${duplicates} duplicates`;
  });
  const head = `${'webhooks/s'.padEnd(16)}   median  ${'(rounds)'.padEnd(24)}  CPU µs each: own  postgres      sink`;
  return [`${n} webhooks each`, head, ...lines, '', ...ratios, '', ...checks].join('\n');
}

const micros = (value: number) => (Number.isNaN(value) ? '?' : value.toFixed(0)).padStart(8);

export async function machineText(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ version: string; fsync: string; synchronous_commit: string }>(
    "select current_setting('server_version') as version, current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit",
  );
  await client.end();
  const [postgres] = rows;
  const durability = `fsync ${postgres?.fsync}, synchronous_commit ${postgres?.synchronous_commit}`;
  return `${cpus().length} cores ${cpus()[0]?.model}, Node ${process.versions.node}, PostgreSQL ${postgres?.version} (${durability})`;
}
