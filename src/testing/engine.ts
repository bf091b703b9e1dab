import { defaultAudienceBudget } from '#engine/claiming/audience-budget.ts';
import { randomUUIDv7 } from 'node:crypto';
import type { JobExecution } from '#contract/executions.ts';
import type { Delivery } from '#contract/deliveries.ts';
import type { Job } from '#contract/jobs.ts';
import { ReminderInput } from '#contract/reminders.ts';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import type { SmtpPools } from '#delivery/adapter.ts';
import { type DispatcherLimits, defaultLimits } from '#engine/claiming/dispatcher.ts';
import { type Engine, type EngineDeps, startEngine } from '#engine/engine.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import type { EngineStore } from '#engine/store.ts';
import { createReminder } from '#features/reminders/reminders.service.ts';
import { createWorkspace } from '#features/workspaces/workspaces.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { type Database, inTenant } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import type { HttpAnswer, HttpRequest } from '#platform/outbound/http.ts';
import { openPubSub } from '#platform/pubsub.ts';
import { urlForRole } from '#platform/roles.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { giveBackEngineDatabase, takeEngineDatabase } from '#testing/engine-database.ts';
import { createMortalStore } from '#testing/mortal-store.ts';
import { connectOwner } from '#testing/owner.ts';
import { answerOf, type Receiver } from '#testing/receiver.ts';
import { untilReached } from '#testing/until-reached.ts';
import { createVirtualClock, type VirtualClock } from '#testing/virtual-clock.ts';

/** An engine whose process can be lost: `kill` cuts it off from its database and its network. */
export type Worker = Engine & { kill(): void };

export type EngineFixture = {
  database: Database;
  databaseUrl: string;
  clock: VirtualClock;
  /** Every request of the engine, in order. */
  requests: HttpRequest[];
  /** Answers 200 unless a test replaces it. */
  receiver: Receiver;
  start(options?: StartOptions): Promise<Worker>;
  /** Runs `work` as the owner of a workspace, with the context of a service call. */
  inWorkspace<T>(workspace: TestWorkspace, work: (ctx: TenantContext) => Promise<T>): Promise<T>;
  createWorkspace(name?: string, paid?: { tier: string; trialEndsAt: string }): Promise<TestWorkspace>;
  /** Resolves once the result of `read` satisfies `isReached`; reads again after every change notice of the engine. */
  until<T>(read: () => Promise<T>, isReached: (value: T) => boolean): Promise<T>;
  /** Sorted by time. */
  jobs(workspace: TestWorkspace): Promise<Job[]>;
  jobsWhere(workspace: TestWorkspace, isReached: (jobs: Job[]) => boolean): Promise<Job[]>;
  deliveries(workspace: TestWorkspace): Promise<Delivery[]>;
  executions(workspace: TestWorkspace): Promise<Execution[]>;
  /** The messages of the webhooks, in order. */
  messages(): Message[];
  close(): Promise<void>;
};

type StartOptions = Partial<
  Pick<
    EngineDeps,
    | 'isAlone'
    | 'isPaused'
    | 'tzVersion'
    | 'billing'
    | 'defaults'
    | 'onUnsent'
    | 'clock'
    | 'gatherMs'
    | 'renderer'
    | 'random'
  >
> & {
  limits?: Partial<DispatcherLimits>;
  /** Pools for real mail servers; without them, no mail is sent. */
  smtp?: SmtpPools;
  /** Wraps the engine's store. */
  wrapStore?: (store: EngineStore) => EngineStore;
};
type Execution = Pick<JobExecution, 'job_id' | 'status' | 'error_message' | 'logs'>;
type Message = { recipient: string; message: string; scheduled_for: string; attempt: number; is_test: boolean };

export type TestWorkspace = { workspaceId: string; userId: string };

const noMail = { send: async () => ({ kind: 'not_sent' as const, reason: 'no mail in this test' }), close: () => {} };

/** Dispatcher, heartbeat, scheduler and rescuer. */
const alwaysAsleep = 4;

/** What sleeps in an engine that has nothing to do: these, and the claims of audiences. */
export const engineSleepers = alwaysAsleep + defaultAudienceBudget.workspaces;

/** The engine on real PostgreSQL, with a clock that the test advances and a receiver that the test controls. */
export async function openEngineFixture(startAt = '2026-03-02T08:00:00Z'): Promise<EngineFixture> {
  const taken = await takeEngineDatabase();
  const { url, database } = taken;
  const clock = createVirtualClock(startAt);
  const log = createLog(process.env.LOG_LEVEL ?? 'silent');
  const pubsub = await openPubSub(urlForRole(url, { role: 'engine', encryptionKey: TEST_ENCRYPTION_KEY }), log);
  const workers = new Set<Engine>();
  let hasKilled = false;

  const fixture: EngineFixture = {
    database,
    databaseUrl: url,
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
      const { workspaces } = limits?.audiences ?? defaultAudienceBudget;
      if (options.clock === undefined) await clock.untilAsleep((alwaysAsleep + workspaces) * workers.size);
      return {
        openDeliveries: engine.openDeliveries,
        stop(graceMs) {
          workers.delete(engine);
          return engine.stop(graceMs);
        },
        kill() {
          life.kill();
          workers.delete(engine);
          hasKilled = true;
        },
      };

      async function receive(request: HttpRequest): Promise<HttpAnswer> {
        if (!life.isAlive()) return new Promise(() => {});
        fixture.requests.push(request);
        return fixture.receiver(request);
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
      if (paid !== undefined) await setPlan(fixture.databaseUrl, { id, ...paid });
      return workspace;
    },
    until: (read, isReached) => untilReached({ pubsub, read, isReached }),
    jobsWhere: (workspace, isReached) => fixture.until(() => fixture.jobs(workspace), isReached),
    messages: () => fixture.requests.map((request) => JSON.parse(String(request.body)).data),
    executions: (workspace) =>
      fixture.inWorkspace(workspace, ({ db }) =>
        db
          .selectFrom('executions')
          .select(['job_id', 'status', 'error_message', 'logs'])
          .orderBy('started_at')
          .orderBy('id')
          .execute(),
      ),
    jobs: (workspace) =>
      fixture.inWorkspace(workspace, ({ db }) =>
        db.selectFrom('jobs').selectAll().orderBy('scheduled_for').orderBy('created_at').execute(),
      ),
    deliveries: (workspace) =>
      fixture.inWorkspace(workspace, ({ db }) =>
        db.selectFrom('deliveries').selectAll().orderBy('recipient').execute(),
      ),
    async close() {
      await Promise.all([...workers].map((engine) => engine.stop(0)));
      await pubsub.close();
      // What a killed engine had begun may still come to an end.
      await giveBackEngineDatabase(taken, { canReuse: !hasKilled });
    },
  };
  return fixture;
}

/** A reminder with one webhook recipient, due every day at nine in Berlin, with the test's changes. */
export function writeReminder(
  fixture: EngineFixture,
  { workspace, ...changes }: { workspace: TestWorkspace } & { [Key in keyof ReminderInput]?: unknown },
) {
  const input = ReminderInput.parse({
    name: 'Rent is due',
    schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate: '2026-03-02T09:00:00', timezone: 'UTC' },
    content: { subject: 'Rent', message: 'Hello {{recipient_name}}', recipients: ['https://hooks.example.com/a'] },
    metadata: { channels: ['webhook'] },
    ...changes,
  });
  return fixture.inWorkspace(workspace, (ctx) => createReminder(ctx, input));
}

/** Requests cannot write a plan. */
async function setPlan(
  databaseUrl: string,
  { id, tier, trialEndsAt }: { id: string; tier: string; trialEndsAt: string },
): Promise<void> {
  const owner = await connectOwner(databaseUrl);
  await owner.query('update workspaces set subscription_tier = $2, trial_ends_at = $3 where id = $1', [
    id,
    tier,
    trialEndsAt,
  ]);
  await owner.end();
}
