import type { Client } from 'pg';
import { expect, type TestContext } from 'vitest';
import type { DispatcherLimits } from '#engine/dispatcher.ts';
import { createTestDatabase } from '#testing/database.ts';
import type { FaultPoint } from '#testing/fault-points.ts';
import { connectOwner } from '#testing/owner.ts';
import { createInstallation, type CuebirdProcess } from '#testing/process.ts';
import { type Sink, startSink } from '#testing/sink.ts';
import { type DueReminder, writeReminders } from './due-reminders.ts';
import { report } from './table.ts';

/** What the processes of a scene are told before they start. */
export type WorkerOptions = {
  limits?: Partial<DispatcherLimits>;
  die?: { point: FaultPoint; passing: number };
  /** A newer version's folder of migrations. */
  migrations?: URL;
  /** How far its clock is ahead of ours. */
  aheadMs?: number;
  env?: Record<string, string>;
  /** The product as it is, without any of the above. */
  isPlain?: boolean;
};

export type Scene = {
  databaseUrl: string;
  sink: Sink;
  /** Writes reminders that are due, with a few long lists of recipients among them. */
  writeDue(recipients: number, since?: Temporal.DurationLike): Promise<void>;
  write(reminders: readonly DueReminder[]): Promise<void>;
  /** Starts a worker that may be the only one or one of several. */
  start(options?: WorkerOptions): CuebirdProcess;
  /** What the database holds at this moment. */
  look(): Promise<Look>;
  /** Every row that tells what became of jobs and recipients. */
  everything(): Promise<unknown[]>;
  /** Resolves once the query finds nothing; it asks again whenever the engine says that something changed. */
  none(query: string, values?: unknown[]): Promise<void>;
  allJobsEnded(): Promise<void>;
};

export type Look = {
  jobs: Record<string, number>;
  deliveries: Record<string, number>;
  /** Attempts that have begun and have no outcome, by the worker that began them. */
  underWay: { recipient: string; worker: string }[];
  /** Runs that ended well, by job. */
  finishedRuns: Record<string, number>;
};

/** A lost worker's jobs are in other hands after its lease and a sweep, and what a busy machine needs for itself. */
export const promisedMs = ({ leaseMs, sweepMs }: Pick<DispatcherLimits, 'leaseMs' | 'sweepMs'>) =>
  leaseMs + sweepMs + 2_500;

/** Short, so that a scenario is told in seconds; long enough for a machine that is busy with other things. */
export const quickLimits = {
  leaseMs: 4_000,
  heartbeatMs: 1_000,
  sweepMs: 1_000,
  maxSleepMs: 1_000,
};

/** The address of the database with settings of the connection, in place of those that count minutes. */
export function withSettings(databaseUrl: string, settings: Record<string, string>): string {
  const url = new URL(databaseUrl);
  for (const [name, value] of Object.entries(settings)) url.searchParams.set(name, value);
  return url.href;
}

/** How long a process that does not go on keeps what it has locked. */
export const quickSettings = { idle_in_transaction_session_timeout: '2500' };

/** A database, a receiver of webhooks, and the real processes between them, until the test is over. */
export async function openScene(
  { onTestFinished, onTestFailed }: Pick<TestContext, 'onTestFinished' | 'onTestFailed'>,
  { answerAfterMs = 100, database }: { answerAfterMs?: number; database?: { url: string; drop(): Promise<void> } } = {},
): Promise<Scene> {
  const [own, sink, installation] = await Promise.all([
    database ?? createTestDatabase(),
    startSink({ answerAfterMs }),
    createInstallation(),
  ]);
  const { url: databaseUrl } = own;
  const processes: CuebirdProcess[] = [];
  onTestFailed(() => {
    for (const { pid, output } of processes) console.error(`process ${pid}:\n${output()}`);
  });
  onTestFinished(async () => {
    await installation.remove();
    await sink.close();
    await own.drop();
  });
  const scene: Scene = {
    databaseUrl,
    sink,
    writeDue: (recipients, since = { seconds: 10 }) => scene.write(dueReminders(sink, { recipients, since })),
    write: (reminders) => writeReminders(databaseUrl, reminders),
    start({ limits = quickLimits, die, migrations, aheadMs, env, isPlain = false } = {}) {
      const started = installation.start({
        ...(isPlain ? {} : { entry: 'src/testing/faulty-server.ts' }),
        env: {
          DATABASE_URL: isPlain ? databaseUrl : withSettings(databaseUrl, quickSettings),
          FAULTS: JSON.stringify({ limits, die, migrations, aheadMs }),
          SANDBOX: 'off',
          ...env,
        },
      });
      processes.push(started);
      return started;
    },
    look: () => asOwner(databaseUrl, look),
    everything: () => asOwner(databaseUrl, async (owner) => (await owner.query(everything)).rows),
    none: (query, values = []) => asOwner(databaseUrl, (owner) => foundNone(owner, { query, values })),
    allJobsEnded: () => scene.none("select from jobs where status in ('pending', 'running') limit 1"),
  };
  return scene;
}

let tenants = 0;

/** Nine of ten reminders' recipients stand alone, the others in lists of forty. */
function dueReminders(
  sink: Sink,
  { recipients, since }: { recipients: number; since: Temporal.DurationLike },
): DueReminder[] {
  const at = Temporal.Now.instant().subtract(since).round('second');
  const urls = Array.from({ length: recipients }, () => sink.urlFor(`tenant ${(tenants += 1)}`));
  const alone = Math.ceil(recipients * 0.9);
  const lists = Map.groupBy(urls.slice(alone).entries(), ([index]) => Math.floor(index / 40));
  return [
    ...urls.slice(0, alone).map((url) => ({ at, recipients: [url] })),
    ...[...lists.values()].map((list) => ({ at, recipients: list.map(([, url]) => url) })),
  ];
}

/** The name under which a process stands in its claims ends with this. */
export const workerOf = (process: CuebirdProcess) => `:${process.pid}`;

/** The attempts of a worker that a fault has cut off. */
export const cutOff = ({ underWay }: Look, process: CuebirdProcess): ReadonlySet<string> =>
  new Set(underWay.flatMap(({ worker, recipient }) => (worker.endsWith(workerOf(process)) ? [recipient] : [])));

/**
 * What must be true after every fault: nobody was forgotten, every job ended well and once, and nobody was served twice
 * but whose attempt was in flight, under the same webhook-id.
 */
export async function expectAllServed(
  scene: Scene,
  fault: { scenario: string; inFlight: ReadonlySet<string>; at: number; takenUpAt: number | null },
): Promise<void> {
  const endedAt = Date.now();
  const { jobs, deliveries, finishedRuns } = await scene.look();
  const recipients = Object.values(deliveries).reduce((sum, count) => sum + count, 0);
  const served = Map.groupBy(scene.sink.calls, ({ recipient }) => scene.sink.urlFor(recipient));
  const doubled = [...served].filter(([, calls]) => calls.length > 1);
  report({
    scenario: fault.scenario,
    recipients,
    lost: recipients - served.size,
    duplicated: scene.sink.calls.length - served.size,
    inFlight: fault.inFlight.size,
    takenUpMs: fault.takenUpAt === null ? null : fault.takenUpAt - fault.at,
    endedMs: endedAt - fault.at,
  });
  expect(served.size).toBe(recipients);
  expect(deliveries).toEqual({ accepted: recipients });
  expect(jobs).toEqual({ completed: Object.keys(finishedRuns).length });
  expect(Object.values(finishedRuns).filter((runs) => runs !== 1)).toEqual([]);
  expect(doubled.map(([recipient]) => recipient).filter((recipient) => !fault.inFlight.has(recipient))).toEqual([]);
  expect(doubled.filter(([, calls]) => new Set(calls.map(({ id }) => id)).size > 1)).toEqual([]);
  expect(new Set(scene.sink.calls.map(({ id }) => id)).size).toBe(recipients);
}

async function asOwner<T>(url: string, work: (owner: Client) => Promise<T>): Promise<T> {
  const owner = await connectOwner(url);
  const { promise: died, reject } = Promise.withResolvers<never>();
  // Also when nothing is asked of it, as while it listens.
  owner.on('error', reject);
  died.catch(() => {});
  try {
    return await Promise.race([work(owner), died]);
  } finally {
    await owner.end();
  }
}

async function foundNone(owner: Client, { query, values }: { query: string; values: unknown[] }): Promise<void> {
  let changed = Promise.withResolvers<void>();
  owner.on('notification', () => changed.resolve());
  await owner.query('listen cuebird_changes');
  for (;;) {
    changed = Promise.withResolvers();
    const { rows } = await owner.query(query, values);
    if (rows.length === 0) return;
    await changed.promise;
  }
}

async function look(owner: Client): Promise<Look> {
  // Of one moment.
  await owner.query('begin isolation level repeatable read');
  const jobs = await countBy(owner, 'select status as name, count(*)::int from jobs group by 1');
  const deliveries = await countBy(owner, 'select status as name, count(*)::int from deliveries group by 1');
  const { rows } = await owner.query<{ recipient: string; worker: string }>(underWay);
  const finishedRuns = await countBy(owner, finished);
  await owner.query('commit');
  return { jobs, deliveries, underWay: rows, finishedRuns };
}

/** First attempts stand in their claim alone, later ones in the ledger. */
const underWay = `
  select b ->> 3 as recipient, c.worker
    from claims c
   cross join json_array_elements(c.begun) b
   where not exists (select from deliveries d where d.job_id = (b ->> 1)::uuid and d.channel = b ->> 2 and d.recipient = b ->> 3)
   union
  select d.recipient, c.worker
    from deliveries d
    join jobs j on j.id = d.job_id
    join claims c on c.id = j.claim_id
   where d.status = 'sending'`;

const everything = `
  select to_jsonb(j) as row from jobs j union all
  select to_jsonb(d) from deliveries d union all
  select to_jsonb(e) from job_executions e
   order by 1`;

const finished = `
  select job_id::text as name, count(*)::int from job_executions where status = 'completed' group by 1`;

async function countBy(owner: Client, query: string): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ name: string; count: number }>(query);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
