import { Client } from 'pg';
import { migrate } from '../../src/platform/migrate.ts';
import type { Fact } from '../contender.ts';
import { factsOf } from '../contenders/engine.ts';
import { openPostgresCpu } from '../postgres-cpu.ts';
import { openSink, type Sink } from '../processes.ts';
import { inObservedContext, type LockWait, type ObservedContext } from '../profile/observed-context.ts';
import { openStatementTimes, type StatementTime } from '../profile/statement-times.ts';
import { isAllDone } from '../queue.ts';
import { type Findings, median, plainRow, ratioOf } from '../report.ts';
import { writeDue } from '../seeds/reminders.ts';
import { createWorkspace, encryptionKey, webhookChannel } from '../seeds/workspace.ts';
import { type Report, reportOf } from '../tally.ts';
import type { BenchContext } from '../context.ts';
import { until } from '../until.ts';
import { openWorkers } from '../workers/processes.ts';

const counts = [1, 2, 4] as const;

type Run = {
  n: number;
  ms: number;
  postgresMs: number | null;
  /** What each process recorded. */
  deliveries: number[];
  ownMs: number;
  sink: Report;
  facts: Fact[];
  claims: StatementTime[];
  statements: number;
  waits: { statement: string; lock: string; ms: number }[];
};

/** The same number of due webhooks for one, two and four processes on one database. */
export async function workers(context: BenchContext): Promise<Findings> {
  const n = Math.min(context.sizes.n, 20_000);
  const sink = await openSink('http');
  const runs = new Map<number, Run[]>(counts.map((count) => [count, []]));
  try {
    await inObservedContext(context, async (observed) => {
      for (let round = 0; round < context.sizes.rounds; round += 1) {
        const first = round % counts.length;
        for (const count of [...counts.slice(first), ...counts.slice(0, first)]) {
          const run = await deliverWith(observed, { count, n, sink });
          runs.get(count)?.push(run);
          context.say(`round ${round + 1}, ${processes(count)}: ${Math.round((n / run.ms) * 1_000)} per second`);
        }
      }
    });
    return findingsOf(runs, n);
  } finally {
    await sink.stop();
  }
}

async function deliverWith(
  observed: ObservedContext,
  { count, n, sink }: { count: number; n: number; sink: Sink },
): Promise<Run> {
  return observed.inDatabase({}, async (databaseUrl) => {
    await migrate(databaseUrl, { encryptionKey });
    const owner = new Client({ connectionString: databaseUrl });
    await owner.connect();
    const workspaceId = await createWorkspace(owner, { slug: 'bench', channel: webhookChannel });
    const opened = await openWorkers(databaseUrl, count);
    const fill = (of: number) =>
      writeDue(owner, { workspaceId, channel: 'webhook', recipient: `${sink.origin}/hook`, n: of });
    const deliver = async (of: number) => {
      const startedAt = performance.now();
      await opened.start();
      await opened.recorded(of);
      await until(() => isAllDone(owner));
      return performance.now() - startedAt;
    };
    try {
      const warmUp = Math.max(100, Math.round(n / 4));
      await fill(warmUp);
      await deliver(warmUp);
      await opened.stop();
      await fill(n);
      await reportOf(sink.reportUrl);
      observed.takeLockWaits();
      const times = await openStatementTimes(owner);
      const postgres = await openPostgresCpu(databaseUrl);
      const ms = await deliver(n);
      const postgresMs = await postgres.spentMs();
      const ended = await opened.stop();
      const statements = await times.read(new Map(ended.flatMap(({ names }) => names)));
      return {
        n,
        ms,
        postgresMs,
        deliveries: ended.map(({ deliveries }) => deliveries),
        ownMs: ended.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
        sink: await reportOf(sink.reportUrl),
        facts: await factsOf(owner, { workspaceId, total: warmUp + n, jobs: warmUp + n }),
        claims: statements.filter(({ name }) => isClaim(name)),
        statements: statements.reduce((sum, { calls }) => sum + calls, 0),
        waits: namedWaits(observed.takeLockWaits(), statements),
      };
    } finally {
      await opened.close();
      await owner.end();
    }
  });
}

const isClaim = (statement: string) => /^claim-(?:in-order|round-robin)/.test(statement);

const namedWaits = (waits: readonly LockWait[], statements: readonly StatementTime[]) =>
  waits.map(({ statementId, lock, ms }) => ({
    statement: statements.find(({ id }) => id === statementId)?.name ?? 'another statement',
    lock,
    ms,
  }));

const processes = (count: number) => (count === 1 ? '1 process' : `${count} processes`);

function findingsOf(runs: ReadonlyMap<number, readonly Run[]>, n: number): Findings {
  const [alone, ...others] = counts;
  const valueOf = (count: number, value: (run: Run) => number) => median((runs.get(count) ?? []).map(value));
  const postgres = (count: number) => valueOf(count, (run) => ((run.postgresMs ?? Number.NaN) * 1_000) / n);
  const rate = (count: number) => Math.round(valueOf(count, (run) => (n / run.ms) * 1_000));
  const claimMs = (count: number) => valueOf(count, meanClaimMs);
  const most = others.at(-1) ?? alone;
  const name = (what: string, count: number) => `${processes(count)}: ${what}`;
  const isKnown = !Number.isNaN(postgres(alone));
  return {
    rows: [
      ...counts.map((count) => plainRow(name('webhooks in all', count), rate(count), 'per second')),
      ...counts.map((count) => plainRow(name('a claim takes', count), Number(claimMs(count).toFixed(1)), 'ms')),
      plainRow(name('PostgreSQL for each webhook', alone), isKnown ? Math.round(postgres(alone)) : null, 'µs'),
      ...others.map((count) => ({
        ...plainRow(name('PostgreSQL for each webhook', count), isKnown ? Math.round(postgres(count)) : null, 'µs'),
        against: processes(alone),
        ratio: isKnown ? ratioOf(postgres(count), postgres(alone)) : null,
        goal: isKnown && count === most ? ({ is: 'at most', bound: 1.15 } as const) : null,
      })),
      {
        ...plainRow(
          name('claims that waited for a lock', most),
          Math.max(...(runs.get(most) ?? []).map((run) => claimWaits(run).length)),
          '',
        ),
        goal: { is: 'at most', bound: 0 },
      },
    ],
    problems: [...runs].flatMap(([count, some]) => some.flatMap((run) => problemsIn(run, count))),
    text: [...runs].map(([count, some]) => textOf(count, some)).join('\n'),
  };
}

function meanClaimMs({ claims }: Run): number {
  const calls = claims.reduce((sum, claim) => sum + claim.calls, 0);
  return claims.reduce((sum, claim) => sum + claim.ms, 0) / calls;
}

/** Of a claim for what another transaction has locked. A table that grows is locked for a moment, too. */
const claimWaits = ({ waits }: Run) =>
  waits.filter(({ statement, lock }) => isClaim(statement) && /^(?:transaction|tuple)$/.test(lock));

function problemsIn({ n, sink, facts, deliveries }: Run, count: number): string[] {
  const recorded = deliveries.reduce((sum, each) => sum + each, 0);
  return [
    ...facts,
    { what: 'came to the sink', expected: n, found: sink.requests },
    { what: 'distinct ids at the sink', expected: n, found: sink.distinct },
    { what: 'recorded by all processes', expected: n, found: recorded },
  ]
    .filter(({ expected, found }) => expected !== found)
    .map(({ what, expected, found }) => `${processes(count)}: ${found} ${what}, not ${expected}`);
}

/** The share of each process and the waits of the last round. */
function textOf(count: number, runs: readonly Run[]): string {
  const last = runs.at(-1);
  const waited = Object.entries(
    Object.groupBy(last?.waits ?? [], ({ statement, lock }) => `${statement} for a ${lock}`),
  ).map(
    ([what, some = []]) => `${what} ${some.length} times, ${some.reduce((sum, { ms }) => sum + ms, 0).toFixed(0)} ms`,
  );
  const rates = runs.map(({ n, ms }) => Math.round((n / ms) * 1_000)).join(', ');
  const micros = (ms: number | null | undefined) => Math.round(((ms ?? Number.NaN) * 1_000) / (last?.n ?? 1));
  return `${processes(count)}: ${rates} per second; recorded by each: ${last?.deliveries.join(', ')}; CPU µs each: own ${micros(last?.ownMs)}, PostgreSQL ${micros(last?.postgresMs)}, sink ${micros(last?.sink.cpuMs)}; ${Math.round(((last?.statements ?? 0) * 1_000) / (last?.n ?? 1))} statements for 1,000 webhooks; waited longer than 1 ms for a lock: ${waited.length === 0 ? 'none' : waited.join('; ')}`;
}
