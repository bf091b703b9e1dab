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
import { defaultPoolSizes, type PoolSizes } from '#platform/connection-budget.ts';
import { DatabaseClient } from '#platform/database-client.ts';
import { type DatabaseRole, urlForRole } from '#platform/roles.ts';
import { FairPool, type Shares } from '#platform/fair-pool.ts';
import { gatherWrites } from '#platform/gathered-writes.ts';
import { releaseResults } from '#platform/release-results.ts';

export type Db = Transaction<Schema>;

export type Database = {
  /** The pool of requests: every use goes through `inTenant`, which sets the workspace and the person. */
  app: Kysely<Schema>;
  appPool: pg.Pool;
  /** The pool of the engine, which sees all workspaces. */
  engine: pg.Pool;
  /**
   * Asks this of every new connection of the engine, before anybody uses it: it may lead to another server than the one before. If it rejects, so does
   * who asked for the connection.
   */
  checkEngineConnections(check: ConnectionCheck): void;
  /** Called for each statement of any pool that is refused because the database has no space left. */
  onFull(listener: () => void): void;
  /** The pool of sign-in; returns Dates, as its library expects. */
  auth: pg.Pool;
  close(): Promise<void>;
};

export function openDatabase(
  ownerUrl: string,
  { encryptionKey, poolSizes }: { encryptionKey: string; poolSizes?: Partial<PoolSizes> },
): Database {
  let onFull = () => {};
  const sizes = { ...defaultPoolSizes, ...poolSizes };
  const pool = (role: DatabaseRole, options: pg.PoolConfig) => {
    const settings = {
      connectionString: urlForRole(ownerUrl, { role, encryptionKey }),
      application_name: `cuebird ${role}`,
      types: wireTypes,
      // A connection whose query timed out is closed, and never reused.
      pipeline: true,
      ...patience,
      max: sizes[role],
      ...options,
    };
    const session = JSON.stringify({ ...sessionSettingsOf(ownerUrl), ...settingsByRole[role] });
    const made = newPool(role, {
      ...settings,
      Client: class extends DatabaseClient {
        constructor() {
          super(settings);
        }
      },
    });
    // A connection that dies is replaced; an error event without a listener would end the process.
    made.on('error', () => {});
    made.on('connect', (client) => {
      // Sends the statements of a transaction in one system call: otherwise the first would wake the server, which on a busy machine runs before the
      // second is sent. With TLS the driver writes to another stream, and nothing is gathered.
      if (client instanceof pg.Client) {
        gatherWrites(client.connection.stream, { until: process.nextTick });
        client.connection.on('errorMessage', (error: unknown) => {
          if (databaseTroubleOf(error) === 'full') onFull();
        });
      }
      releaseResults(client);
      // Not in the startup message, where a pooler refuses or ignores them. Sent with the first statement, before it.
      client.query(setSession, [session]).catch(() => void client.end());
    });
    return made;
  };
  const appPool = pool('app', {});
  let checkConnection: ConnectionCheck = async () => {};
  const engine = pool('engine', {
    verify: (client, done) => void checkConnection(client).then(() => done(), done),
  });
  const auth = pool('auth', { types: undefined });
  const app = new Kysely<Schema>({ dialect: new TenantDialect({ pool: appPool }) });
  return {
    app,
    appPool,
    engine,
    checkEngineConnections(check) {
      checkConnection = check;
    },
    onFull(listener) {
      onFull = listener;
    },
    auth,
    async close() {
      await Promise.all([app.destroy(), engine.end(), auth.end()]);
    },
  };
}

/** Requests and sign-in share their connections by caller; the engine has its own ways. */
const newPool = (role: DatabaseRole, options: pg.PoolConfig) =>
  role === 'engine' ? new pg.Pool(options) : new FairPool(options, sharesOf[role]);

const sharesOf: Record<'app' | 'auth', Shares> = {
  app: { person: 0.4, workspace: 0.6, address: 0.4, strangers: 0.4 },
  auth: { person: 0.5, workspace: 0.5, address: 0.5, strangers: 0.75 },
};

type ConnectionCheck = (client: pg.ClientBase) => Promise<void>;

/** Time-outs, because TCP takes a quarter of an hour to notice a lost connection. The database URL may set others, as in `?query_timeout=60000`. */
const patience = {
  // Longer than the idle time-out, so that connections that died together are gone when one is noticed; and short
  // enough that after one unanswered heartbeat another still renews the lease (90 s).
  query_timeout: 30_000,
  connectionTimeoutMillis: 15_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

const setSession = 'select set_config(key, value, false) from json_each_text($1)';

function sessionSettingsOf(url: string): Record<string, string> {
  const given = new URL(url).searchParams;
  const queryTimeoutMs = Number(given.get('query_timeout') ?? patience.query_timeout);
  return {
    // Ends a statement on the server when nobody waits for it any more. A little before the driver's time-out, so that the caller gets the server's error
    // and the connection stays usable.
    statement_timeout: given.get('statement_timeout') ?? String(Math.ceil(0.95 * queryTimeoutMs)),
    // The locks of a transaction whose process is gone are released before that process's lease ends.
    idle_in_transaction_session_timeout: given.get('idle_in_transaction_session_timeout') ?? '45000',
  };
}

/** Whether the server has ended a statement that took too long (SQLSTATE query_canceled). */
export const isTimedOut = (error: unknown): boolean => error instanceof DatabaseError && error.code === '57014';

/** Whether the wait for a lock of somebody else took too long (SQLSTATE lock_not_available). */
export const isLocked = (error: unknown): boolean => error instanceof DatabaseError && error.code === '55P03';

/** The message with which a function of the schema refuses a caller; null for every other error, such as a missing grant. */
export const refusalOf = (error: unknown): string | null =>
  error instanceof DatabaseError && error.code === '42501' && error.routine === 'exec_stmt_raise'
    ? error.message
    : null;

/** Why the database does not do what it is asked, although nothing is wrong with the question. */
export type DatabaseTrouble = 'full' | 'read_only' | 'out_of_connections' | 'out_of_memory' | 'unreachable';

/**
 * The trouble that an error of the database tells of; null for an error of the question. The driver gives some failures no code, only a sentence.
 * Source of the codes: PostgreSQL's appendix "Error Codes".
 */
export function databaseTroubleOf(error: unknown): DatabaseTrouble | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (!(error instanceof DatabaseError))
    return networkFailures.has(code) || driverFailures.has(error.message) ? 'unreachable' : null;
  const known = troubleOfState.get(code);
  if (known !== undefined) return known;
  // 08: connection; 57P: the server ends or starts; 58: a failure of its machine.
  return error.severity === 'FATAL' || /^(08|57P|58)/.test(code) ? 'unreachable' : null;
}

/** Whether the database can be read and not written to: its disk is full, or it is a standby. */
export function acceptsNoChanges(error: unknown): boolean {
  const trouble = databaseTroubleOf(error);
  return trouble === 'read_only' || trouble === 'full';
}

const troubleOfState: ReadonlyMap<string, DatabaseTrouble> = new Map([
  ['53100', 'full'],
  ['25006', 'read_only'],
  ['53300', 'out_of_connections'],
  ['53200', 'out_of_memory'],
]);

/** What people are told of it. */
export const databaseTroubleText: Record<DatabaseTrouble, string> = {
  full: 'The database has no space left, so that nothing can be saved. An administrator has to make room. Try again in a minute.',
  read_only: 'The database accepts no changes at the moment. Try again in a minute.',
  out_of_connections: 'The database has no connection left. Try again in a few seconds.',
  out_of_memory: 'The database has no memory left. Try again in a few seconds.',
  unreachable: 'The database cannot be reached at the moment. Try again in a few seconds.',
};

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

const appSettings = {
  // Requests read one workspace, by which every large table is indexed: a sequential scan would read the rows of all
  // workspaces.
  enable_seqscan: 'off',
  // Whoever waits for another's lock, such as that of an import of contacts, sits on a connection meanwhile.
  lock_timeout: '5s',
};

const engineSettings = {
  // The engine maintains the queue itself; for other roles triggers do.
  'cuebird.keeps_queue': 'on',
  // Every statement of the engine looks up rows by key. Outdated statistics of a table that changes quickly must not
  // make the planner choose a sequential scan.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Off, because each key of a batch is looked up once: a cache would be filled and never read.
  enable_memoize: 'off',
  plan_cache_mode: 'force_generic_plan',
  // Off, because one statement on three processors delays deliveries.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
};

/** The settings of a session, by its role. */
const settingsByRole: Record<DatabaseRole, Record<string, string>> = {
  app: appSettings,
  engine: engineSettings,
  auth: {},
};

/** Who the database works for. `apiKeyId`: the API key of the actor. `clientAddress`: where the request comes from, for the audit log. */
export type Tenant = {
  workspaceId: string | null;
  userId: string | null;
  apiKeyId?: string;
  clientAddress?: string | undefined;
  /** The transaction changes nothing, and its commit is not waited for. */
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
    // Sent with the work's first statement, to save two round trips. If one of them fails, so do the statements after it: the connection is lost, the
    // transaction aborted, or no row is visible.
    void Promise.all([began, connection.executeQuery(settingOf(tenant))]).catch(() => {});
  }

  /** A read-only transaction has its results before the commit, which is sent and not waited for. */
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

const date = 1082;

/** Instants are read as answers contain them: ISO 8601 in UTC. So are days: as a Date, one would be a moment of this machine's timezone. */
const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === timestamptz ? instantOf : oid === date ? String : pg.types.getTypeParser(oid, format),
};

/**
 * Converts PostgreSQL's text of a UTC session directly: parsing each instant of a page costs more than reading its
 * rows.
 */
const inUtc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** With milliseconds, or with microseconds where there are any: a cursor that is rounded would skip rows. */
function instantOf(text: string): string {
  const [, day, time, fraction = ''] = inUtc.exec(text) ?? [];
  if (time !== undefined) return `${day}T${time}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`;
  const iso = new Date(text).toISOString();
  const micros = /\.\d{3}(\d{1,3})/.exec(text)?.[1];
  return micros === undefined ? iso : iso.replace('Z', `${micros.padEnd(3, '0')}Z`);
}
