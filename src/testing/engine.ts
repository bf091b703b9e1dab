import { randomUUIDv7 } from 'node:crypto';
import type { Delivery, Job } from '#contract/jobs.ts';
import { ReminderInput } from '#contract/reminders.ts';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import { type DispatcherLimits, defaultLimits } from '#engine/dispatcher.ts';
import { type Engine, startEngine } from '#engine/engine.ts';
import { createReminder } from '#features/reminders/reminders.service.ts';
import { createWorkspace } from '#features/workspaces/workspaces.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { type Database, inTenant, openDatabase } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import type { HttpAnswer, HttpRequest } from '#platform/outbound/http.ts';
import { openPubSub, type PubSub } from '#platform/pubsub.ts';
import { urlForRole } from '#platform/roles.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { createVirtualClock, type VirtualClock } from '#testing/virtual-clock.ts';

/** What the other side of a webhook does with each request; the default answers 200. */
export type Receiver = (request: HttpRequest) => Promise<HttpAnswer> | HttpAnswer;

export const answerOf = (status: number, body = '', headers: Record<string, string> = {}): HttpAnswer => ({
  kind: 'answer',
  status,
  headers,
  body,
  isComplete: true,
});

export type EngineHouse = {
  database: Database;
  databaseUrl: string;
  clock: VirtualClock;
  /** Every request that the engine has made, in order. */
  requests: HttpRequest[];
  receiver: Receiver;
  start(options?: { limits?: Partial<DispatcherLimits>; isAlone?: boolean; tzVersion?: string }): Promise<Engine>;
  /** A workspace with its owner, as the context of a service call. */
  inWorkspace<T>(workspace: TestWorkspace, work: (ctx: TenantContext) => Promise<T>): Promise<T>;
  createWorkspace(name?: string): Promise<TestWorkspace>;
  /** Resolves once the query answers what the test waits for; it asks again whenever the engine says something changed. */
  until<T>(read: () => Promise<T>, isReached: (value: T) => boolean): Promise<T>;
  jobs(workspace: TestWorkspace): Promise<Job[]>;
  deliveries(workspace: TestWorkspace): Promise<Delivery[]>;
  close(): Promise<void>;
};

export type TestWorkspace = { workspaceId: string; userId: string };

/** The engine on real PostgreSQL, on a clock that the test moves, with a receiver that the test plays. */
export async function openEngineHouse(startAt = '2026-03-02T08:00:00Z'): Promise<EngineHouse> {
  const test = await createTestDatabase();
  const database = openDatabase(test.url, { encryptionKey: TEST_ENCRYPTION_KEY });
  const clock = createVirtualClock(startAt);
  const log = createLog(process.env.LOG_LEVEL ?? 'silent');
  const pubsub = await openPubSub(urlForRole(test.url, { role: 'engine', encryptionKey: TEST_ENCRYPTION_KEY }), log);
  const engines: Engine[] = [];

  const house: EngineHouse = {
    database,
    databaseUrl: test.url,
    clock,
    requests: [],
    receiver: () => answerOf(200, 'thanks'),
    async start({ limits, isAlone = false, tzVersion } = {}) {
      const engine = await startEngine({
        pool: database.engine,
        pubsub,
        secrets: createSecretBox(TEST_ENCRYPTION_KEY),
        defaults: createDefaultRoutes({ sandbox: null, mailServer: null }),
        network: {
          http: {
            request: async (request) => {
              house.requests.push(request);
              return house.receiver(request);
            },
            close: async () => {},
          },
          smtp: { send: async () => ({ kind: 'not_sent', reason: 'no mail in this test' }), close: () => {} },
          now: clock.now,
        },
        clock,
        random: () => 0.5,
        log,
        isAlone,
        tzVersion,
        limits: { ...defaultLimits, ...limits },
      });
      engines.push(engine);
      // Dispatcher, heartbeat, planner and rescuer.
      await clock.untilAsleep(4);
      return engine;
    },
    inWorkspace: ({ workspaceId, userId }, work) =>
      inTenant(database.app, { workspaceId, userId }, (db) =>
        work({ db, actor: { kind: 'user', userId }, now: clock.now(), workspaceId, role: 'owner' }),
      ),
    async createWorkspace(name = 'Elm Street') {
      const userId = randomUUIDv7();
      await database.auth.query('insert into profiles (id, email, full_name) values ($1, $2, $3)', [
        userId,
        `${userId}@example.com`,
        'Dana',
      ]);
      const { id } = await inTenant(database.app, { workspaceId: null, userId }, (db) =>
        createWorkspace({ db, actor: { kind: 'user', userId }, now: clock.now() }, { name, description: '' }),
      );
      return { workspaceId: id, userId };
    },
    until: (read, isReached) => untilReached({ pubsub, read, isReached }),
    jobs: (workspace) =>
      house.inWorkspace(workspace, ({ db }) =>
        db.selectFrom('jobs').selectAll().orderBy('scheduled_for').orderBy('created_at').execute(),
      ),
    deliveries: (workspace) =>
      house.inWorkspace(workspace, ({ db }) => db.selectFrom('deliveries').selectAll().orderBy('recipient').execute()),
    async close() {
      await Promise.all(engines.map((engine) => engine.stop(0)));
      await pubsub.close();
      await database.close();
      await test.drop();
    },
  };
  return house;
}

/** A reminder with one webhook recipient, due every day at nine in Berlin, changed as the test needs it. */
export function writeReminder(
  house: EngineHouse,
  { workspace, ...changes }: { workspace: TestWorkspace } & { [Key in keyof ReminderInput]?: unknown },
) {
  const input = ReminderInput.parse({
    name: 'Rent is due',
    schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate: '2026-03-02T09:00:00', timezone: 'UTC' },
    content: { subject: 'Rent', message: 'Hello {{recipient_name}}', recipients: ['https://hooks.example.com/a'] },
    metadata: { channels: ['webhook'] },
    ...changes,
  });
  return house.inWorkspace(workspace, (ctx) => createReminder(ctx, input));
}

function untilReached<T>({
  pubsub,
  read,
  isReached,
}: {
  pubsub: PubSub;
  read: () => Promise<T>;
  isReached: (value: T) => boolean;
}): Promise<T> {
  return new Promise((resolve, reject) => {
    let isReading = false;
    let isStale = false;
    const look = async (): Promise<void> => {
      if (isReading) {
        isStale = true;
        return;
      }
      isReading = true;
      try {
        do {
          isStale = false;
          const value = await read();
          if (isReached(value)) {
            stop();
            resolve(value);
            return;
          }
        } while (isStale);
      } catch (error) {
        stop();
        reject(error);
      }
      isReading = false;
    };
    const stops = [
      pubsub.subscribe('cuebird_changes', () => void look()),
      pubsub.subscribe('cuebird_due', () => void look()),
    ];
    const stop = () => {
      for (const end of stops) end();
    };
    void look();
  });
}
