import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Delivery, Job, JobExecution } from '#contract/jobs.ts';
import { ReminderInput } from '#contract/reminders.ts';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import type { SmtpPools } from '#delivery/email/smtp-pools.ts';
import { type DispatcherLimits, defaultLimits } from '#engine/dispatcher.ts';
import { type Engine, type EngineDeps, startEngine } from '#engine/engine.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import type { EngineStore } from '#engine/store.ts';
import { createReminder } from '#features/reminders/reminders.service.ts';
import { createWorkspace } from '#features/workspaces/workspaces.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { type Database, inTenant, openDatabase } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import type { HttpAnswer, HttpRequest } from '#platform/outbound/http.ts';
import { openPubSub } from '#platform/pubsub.ts';
import { urlForRole } from '#platform/roles.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { createMortalStore } from '#testing/mortal-store.ts';
import { answerOf, type Receiver } from '#testing/receiver.ts';
import { untilReached } from '#testing/until-reached.ts';
import { createVirtualClock, type VirtualClock } from '#testing/virtual-clock.ts';

/** An engine that can be lost: `kill` leaves it without its database and its network, as the end of its process would. */
export type Worker = Engine & { kill(): void };

export type EngineHouse = {
  database: Database;
  databaseUrl: string;
  clock: VirtualClock;
  /** Every request that the engine has made, in order. */
  requests: HttpRequest[];
  /** Answers 200, if a test does not put its own in place. */
  receiver: Receiver;
  start(options?: StartOptions): Promise<Worker>;
  /** A workspace with its owner, as the context of a service call. */
  inWorkspace<T>(workspace: TestWorkspace, work: (ctx: TenantContext) => Promise<T>): Promise<T>;
  createWorkspace(name?: string, paid?: { tier: string; createdAt: string }): Promise<TestWorkspace>;
  /** Resolves once the query answers what the test waits for; it asks again whenever the engine says something changed. */
  until<T>(read: () => Promise<T>, isReached: (value: T) => boolean): Promise<T>;
  /** By their time. */
  jobs(workspace: TestWorkspace): Promise<Job[]>;
  jobsWhere(workspace: TestWorkspace, isReached: (jobs: Job[]) => boolean): Promise<Job[]>;
  deliveries(workspace: TestWorkspace): Promise<Delivery[]>;
  executions(workspace: TestWorkspace): Promise<Execution[]>;
  /** What the webhooks said, in order. */
  messages(): Message[];
  close(): Promise<void>;
};

type StartOptions = Partial<
  Pick<EngineDeps, 'isAlone' | 'isHeld' | 'tzVersion' | 'billing' | 'defaults' | 'onUnsent' | 'clock' | 'gatherMs'>
> & {
  limits?: Partial<DispatcherLimits>;
  /** Mail to real servers; nowhere, if not given. */
  smtp?: SmtpPools;
  /** Stands between the engine and its store. */
  wrapStore?: (store: EngineStore) => EngineStore;
};
type Execution = Pick<JobExecution, 'job_id' | 'status' | 'error_message' | 'logs'>;
type Message = { recipient: string; message: string; scheduled_for: string; attempt: number; is_test: boolean };

export type TestWorkspace = { workspaceId: string; userId: string };

const noMail = { send: async () => ({ kind: 'not_sent' as const, reason: 'no mail in this test' }), close: () => {} };

/** The engine on real PostgreSQL, on a clock that the test moves, with a receiver that the test plays. */
export async function openEngineHouse(startAt = '2026-03-02T08:00:00Z'): Promise<EngineHouse> {
  const test = await createTestDatabase();
  const database = openDatabase(test.url, { encryptionKey: TEST_ENCRYPTION_KEY });
  const clock = createVirtualClock(startAt);
  const log = createLog(process.env.LOG_LEVEL ?? 'silent');
  const pubsub = await openPubSub(urlForRole(test.url, { role: 'engine', encryptionKey: TEST_ENCRYPTION_KEY }), log);
  const workers = new Set<Engine>();

  const house: EngineHouse = {
    database,
    databaseUrl: test.url,
    clock,
    requests: [],
    receiver: () => answerOf(200, 'thanks'),
    async start({
      limits,
      isAlone = false,
      defaults,
      smtp = noMail,
      wrapStore = (store: EngineStore) => store,
      ...options
    } = {}) {
      const life = createMortalStore(wrapStore(createPostgresStore(database.engine)));
      const engine = await startEngine({
        pool: database.engine,
        store: life.store,
        pubsub,
        secrets: createSecretBox(TEST_ENCRYPTION_KEY),
        defaults: defaults ?? createDefaultRoutes({ sandbox: null, mailServer: null }),
        network: { http: { request: receive, close: async () => {} }, smtp, now: clock.now },
        clock,
        random: () => 0.5,
        log,
        isAlone,
        limits: { ...defaultLimits, ...limits },
        ...options,
      });
      workers.add(engine);
      // Dispatcher, heartbeat, planner and rescuer.
      if (options.clock === undefined) await clock.untilAsleep(4 * workers.size);
      return {
        stop(graceMs) {
          workers.delete(engine);
          return engine.stop(graceMs);
        },
        kill() {
          life.kill();
          workers.delete(engine);
        },
      };

      async function receive(request: HttpRequest): Promise<HttpAnswer> {
        if (!life.isAlive()) return new Promise(() => {});
        house.requests.push(request);
        return house.receiver(request);
      }
    },
    inWorkspace: ({ workspaceId, userId }, work) =>
      inTenant(database.app, { workspaceId, userId }, (db) =>
        work({ db, actor: { kind: 'user', userId }, now: clock.now(), workspaceId, role: 'owner' }),
      ),
    async createWorkspace(name = 'Elm Street', paid) {
      const userId = randomUUIDv7();
      await database.auth.query('insert into profiles (id, email, full_name) values ($1, $2, $3)', [
        userId,
        `${userId}@example.com`,
        'Dana',
      ]);
      const { id } = await inTenant(database.app, { workspaceId: null, userId }, (db) =>
        createWorkspace({ db, actor: { kind: 'user', userId }, now: clock.now() }, { name, description: '' }),
      );
      const workspace = { workspaceId: id, userId };
      if (paid !== undefined)
        await house.inWorkspace(workspace, ({ db }) =>
          sql`update workspaces set subscription_tier = ${paid.tier}, created_at = ${paid.createdAt} where id = ${id}`.execute(
            db,
          ),
        );
      return workspace;
    },
    until: (read, isReached) => untilReached({ pubsub, read, isReached }),
    jobsWhere: (workspace, isReached) => house.until(() => house.jobs(workspace), isReached),
    messages: () => house.requests.map((request) => JSON.parse(String(request.body)).data),
    executions: (workspace) =>
      house.inWorkspace(workspace, ({ db }) =>
        db
          .selectFrom('job_executions')
          .select(['job_id', 'status', 'error_message', 'logs'])
          .orderBy('started_at')
          .orderBy('id')
          .execute(),
      ),
    jobs: (workspace) =>
      house.inWorkspace(workspace, ({ db }) =>
        db.selectFrom('jobs').selectAll().orderBy('scheduled_for').orderBy('created_at').execute(),
      ),
    deliveries: (workspace) =>
      house.inWorkspace(workspace, ({ db }) => db.selectFrom('deliveries').selectAll().orderBy('recipient').execute()),
    async close() {
      await Promise.all([...workers].map((engine) => engine.stop(0)));
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
