import type { TestContext } from 'vitest';
import type { DispatcherLimits } from '#engine/claiming/dispatcher.ts';
import { createTestDatabase } from '#testing/database.ts';
import type { FaultPoint } from '#testing/fault-points.ts';
import { createInstallation, type CuebirdProcess } from '#testing/process.ts';
import { type Sink, startSink } from '#testing/sink.ts';
import { type DueReminder, dueReminders, writeReminders } from './due-reminders.ts';
import { asOwner, everything, foundNone, type Look, look } from './look.ts';
import { type MailServer, startMailServer } from './mail-server.ts';

/** What the processes of a scene are told before they start. */
export type WorkerOptions = {
  limits?: Partial<DispatcherLimits>;
  die?: { point: FaultPoint; passing: number };
  /** A newer version's folder of migrations. */
  migrations?: URL;
  /** How far its engine's clock is ahead of the database's. */
  aheadMs?: number;
  /** How far the clock of its machine is ahead of ours. */
  machineAheadMs?: number;
  /** Of its connections to the database. */
  settings?: Record<string, string>;
  /** Another way to the same database; empty for the built-in one. */
  databaseUrl?: string;
  dataDir?: string;
  /** What it is told of the standby of its database. */
  standby?: 'synchronous';
  /** The product as it is, without any of the above. */
  isPlain?: boolean;
};

export type Scene = {
  databaseUrl: string;
  sink: Sink;
  mail: MailServer;
  written: { reminders: number; recipients: number };
  /** Everything that was handed to anybody, with what its receiver knows a repetition by. */
  messages(): { recipient: string; id: string }[];
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

/** Short, so that a scenario is told in seconds; long enough for a machine that is busy with other things. */
export const quickLimits = {
  leaseMs: 4_000,
  heartbeatMs: 1_000,
  sweepMs: 1_000,
  maxSleepMs: 1_000,
};

/**
 * How many deliveries a worker has in flight at least, once it claims no more: it waits then until a quarter of its
 * slots is free. Two workers that start together may lock rows in turns, so that a claim brings fewer than there are slots.
 */
export const leastInFlight = ({ slots }: { slots: number }) => Math.floor(slots * 0.75) + 1;

/** A module that sets the clocks of a process ahead, in all of its threads. */
const clockAhead = (ms: number) =>
  `data:text/javascript,${encodeURIComponent(`
    const now = Date.now, instant = Temporal.Now.instant;
    Date.now = () => now() + ${ms};
    Temporal.Now.instant = () => instant().add({ milliseconds: ${ms} });`)}`;

/** When each call came that came more than once, and when it was answered. */
function repeatedCalls({ calls }: Sink): string[] {
  const byId = Map.groupBy(calls, ({ id }) => id).values();
  return [...byId]
    .filter((same) => same.length > 1)
    .map((same) => same.map(({ receivedAt, answeredAt }) => `${receivedAt} to ${answeredAt}`).join(', '));
}

/** The address of the database with settings of the connection, in place of those that count minutes. */
function withSettings(databaseUrl: string, settings: Record<string, string>): string {
  return `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}${new URLSearchParams(settings).toString()}`;
}

/** How long a process that does not go on keeps what it has locked. */
export const quickSettings = { idle_in_transaction_session_timeout: '2500' };

/** A database, a receiver of webhooks, and the real processes between them, until the test is over. */
export async function openScene(
  { onTestFinished, onTestFailed }: Pick<TestContext, 'onTestFinished' | 'onTestFailed'>,
  { answerAfterMs = 100, database }: { answerAfterMs?: number; database?: { url: string; drop(): Promise<void> } } = {},
): Promise<Scene> {
  const [own, sink, mail, installation] = await Promise.all([
    database ?? createTestDatabase(),
    startSink({ answerAfterMs }),
    startMailServer({ answerAfterMs }),
    createInstallation(),
  ]);
  const { url: databaseUrl } = own;
  const processes: CuebirdProcess[] = [];
  onTestFailed(() => {
    for (const { pid, output } of processes) console.error(`process ${pid}:\n${output()}`);
    console.error(`calls that were repeated:\n${repeatedCalls(sink).join('\n')}`);
  });
  onTestFinished(async () => {
    await installation.remove();
    await Promise.all([sink.close(), mail.close()]);
    await own.drop();
  });
  const scene: Scene = {
    databaseUrl,
    sink,
    mail,
    written: { reminders: 0, recipients: 0 },
    messages: () => [
      ...sink.calls.map(({ recipient, id }) => ({ recipient: sink.urlFor(recipient), id })),
      ...mail.messages,
    ],
    writeDue: (recipients, since = { seconds: 10 }) => scene.write(dueReminders(sink, { recipients, since })),
    async write(reminders) {
      await writeReminders(databaseUrl, { reminders });
      scene.written.reminders += reminders.length;
      scene.written.recipients += reminders.flatMap((reminder) => reminder.recipients).length;
    },
    start({
      isPlain = false,
      databaseUrl: url = databaseUrl,
      dataDir,
      settings = quickSettings,
      machineAheadMs,
      standby,
      ...faults
    } = {}) {
      const started = installation.start({
        ...(isPlain ? {} : { entry: 'src/testing/faulty-server.ts' }),
        env: {
          DATABASE_URL: isPlain ? url : withSettings(url, settings),
          FAULTS: JSON.stringify({ limits: quickLimits, ...faults }),
          SANDBOX: 'off',
          SMTP_URL: mail.url,
          MAIL_FROM: 'Cuebird <cuebird@example.com>',
          EMAIL_VERIFICATION: 'off',
          ...(machineAheadMs === undefined ? {} : { NODE_OPTIONS: `--import ${clockAhead(machineAheadMs)}` }),
          ...(standby === undefined ? {} : { DATABASE_STANDBY: standby }),
          ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
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
