import { AsyncLocalStorage } from 'node:async_hooks';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  type Transaction,
  type TransactionSettings,
} from 'kysely';
import pg, { DatabaseError } from 'pg';
import type { Schema } from '#platform/schema.ts';
import { type DatabaseRole, urlForRole } from '#platform/roles.ts';
import { gatherWrites } from '#platform/gathered-writes.ts';
import { releaseResults } from '#platform/release-results.ts';

export type Db = Transaction<Schema>;

export type Database = {
  /** The pool of requests: every use goes through `inTenant`, which sets the workspace and the person. */
  app: Kysely<Schema>;
  appPool: pg.Pool;
  /** The pool of the engine. */
  engine: pg.Pool;
  /** The pool of sign-in; returns Dates, as its library expects. */
  auth: pg.Pool;
  close(): Promise<void>;
};

export function openDatabase(
  ownerUrl: string,
  { encryptionKey, poolSize = 10 }: { encryptionKey: string; poolSize?: number },
): Database {
  const pool = (role: DatabaseRole, options: pg.PoolConfig) => {
    const made = new pg.Pool({
      connectionString: urlForRole(ownerUrl, { role, encryptionKey }),
      application_name: `cuebird ${role}`,
      types: wireTypes,
      // A connection whose query timed out is closed, and never reused.
      pipeline: true,
      ...patience,
      statement_timeout: statementTimeoutOf(ownerUrl),
      ...options,
    });
    // A connection that dies fails its next query and is replaced; an error event without a listener would end the
    // process.
    made.on('error', () => {});
    made.on('connect', (client) => {
      client.on('error', () => {});
      // Sends the statements of a transaction in one system call. With one for each, the first would wake the server, which on a
      // busy machine gets the processor before the second is sent. With TLS, the driver writes to another stream than the socket.
      if (client instanceof pg.Client) gatherWrites(client.connection.stream, { until: process.nextTick });
      releaseResults(client);
    });
    return made;
  };
  const appPool = pool('app', { max: poolSize, options: optionsOf(appSettings) });
  const engine = pool('engine', { max: 6, options: optionsOf(engineSettings) });
  const auth = pool('auth', { max: 4, types: undefined });
  const app = new Kysely<Schema>({ dialect: new TenantDialect({ pool: appPool }) });
  return {
    app,
    appPool,
    engine,
    auth,
    async close() {
      await Promise.all([app.destroy(), engine.end(), auth.end()]);
    },
  };
}

/**
 * A silently lost connection takes TCP a quarter of an hour to notice. The database URL may set other times, as in
 * `?query_timeout=60000`.
 */
const patience = {
  // Longer than the idle time-out, so that connections that died together are gone when one is noticed; and short
  // enough that after one unanswered heartbeat another still renews the lease (90 s).
  query_timeout: 30_000,
  connectionTimeoutMillis: 15_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // On the server: locks of a transaction whose process is gone are released before its lease ends.
  idle_in_transaction_session_timeout: 45_000,
};

/**
 * The server ends a statement that would go on using a processor when nobody waits for it any more. A little earlier, so that
 * whoever waits is told by the server, and the connection is kept.
 */
const statementTimeoutOf = (url: string) =>
  Math.ceil(0.95 * Number(new URL(url).searchParams.get('query_timeout') ?? patience.query_timeout));

/** Whether the server has ended a statement that took too long (SQLSTATE query_canceled). */
export const isTimedOut = (error: unknown): boolean => error instanceof DatabaseError && error.code === '57014';

/** What a function of the schema says who may not call it; null for every other error, such as a missing grant. */
export const refusalOf = (error: unknown): string | null =>
  error instanceof DatabaseError && error.code === '42501' && error.routine === 'exec_stmt_raise'
    ? error.message
    : null;

/**
 * Whether the database cannot be reached, or has ended the connection. The driver gives some of these failures no code, only a sentence.
 */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error instanceof DatabaseError) return error.severity === 'FATAL' || /^(08|57P)/.test(code);
  return networkFailures.has(code) || driverFailures.has(error.message);
}

const networkFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

const driverFailures = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
]);

const optionsOf = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

const appSettings = {
  // Requests read one workspace, by which every large table is indexed: a sequential scan would read the rows of all
  // workspaces.
  enable_seqscan: 'off',
};

const engineSettings = {
  // The engine maintains the queue itself; for other roles triggers do.
  'cuebird.keeps_queue': 'on',
  // Every statement of the engine looks up rows by key. Outdated statistics of a table that changes quickly must not
  // make the planner choose a sequential scan.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Each key of a batch is looked up once: a cache of what was found is filled and never read.
  enable_memoize: 'off',
  plan_cache_mode: 'force_generic_plan',
  // A statement that takes three processors lets deliveries wait.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
};

/** `apiKeyId`: the API key of the actor. `clientAddress`: where the request comes from, for the audit log. */
export type Tenant = {
  workspaceId: string | null;
  userId: string | null;
  apiKeyId?: string;
  clientAddress?: string | undefined;
  /** The transaction may change nothing. It does not wait for its commit. */
  isReadOnly?: boolean;
};

/** Runs `work` in one transaction that sees the rows of this workspace and person, and no others. */
export function inTenant<T>(db: Kysely<Schema>, tenant: Tenant, work: (tx: Db) => Promise<T>): Promise<T> {
  return tenants.run(tenant, () => db.transaction().execute(work));
}

const tenants = new AsyncLocalStorage<Tenant>();

/** Tells the database the tenant of `inTenant` when a transaction begins. */
export class TenantDialect extends PostgresDialect {
  readonly #pool: pg.Pool;
  constructor({ pool }: { pool: pg.Pool }) {
    super({ pool });
    this.#pool = pool;
  }
  override createDriver() {
    return new TenantDriver({ pool: this.#pool });
  }
}

class TenantDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    const tenant = tenants.getStore();
    if (tenant === undefined) return super.beginTransaction(connection, settings);
    const began = super.beginTransaction(
      connection,
      tenant.isReadOnly === true ? { ...settings, accessMode: 'read only' } : settings,
    );
    // Both are sent with the first statement of the work, without two waits for the network. When one of them fails,
    // so do the statements after it: the connection is lost, the transaction aborted, or no row is visible.
    void Promise.all([began, connection.executeQuery(settingOf(tenant))]).catch(() => {});
  }

  /** What was only read is known before the commit, which is sent and not waited for. */
  override async commitTransaction(connection: DatabaseConnection) {
    const committed = super.commitTransaction(connection);
    if (tenants.getStore()?.isReadOnly !== true) return committed;
    void committed.catch(() => {});
  }
}

const settingOf = ({ workspaceId, userId, apiKeyId, clientAddress }: Tenant) =>
  CompiledQuery.raw(
    "select set_config('app.workspace_id', $1, true), set_config('app.user_id', $2, true), set_config('app.api_key_id', $3, true), set_config('app.client_address', $4, true)",
    [workspaceId ?? '', userId ?? '', apiKeyId ?? '', clientAddress ?? ''],
  );

const timestamptz = 1184;

/** Instants are read as they are sent: ISO 8601 in UTC. */
const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === timestamptz ? instantOf : pg.types.getTypeParser(oid, format)),
};

/**
 * Converts PostgreSQL's text of a UTC session directly: parsing each instant of a page costs more than reading its
 * rows.
 */
const inUtc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** With milliseconds, or microseconds where there are any, so that a cursor skips no row. */
function instantOf(text: string): string {
  const [, day, time, fraction = ''] = inUtc.exec(text) ?? [];
  if (time !== undefined) return `${day}T${time}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`;
  const iso = new Date(text).toISOString();
  const micros = /\.\d{3}(\d{1,3})/.exec(text)?.[1];
  return micros === undefined ? iso : iso.replace('Z', `${micros.padEnd(3, '0')}Z`);
}
