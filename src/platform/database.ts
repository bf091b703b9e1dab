import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Schema } from '#platform/schema.ts';
import { type DatabaseRole, urlForRole } from '#platform/roles.ts';
import { TurnSocket } from '#platform/turn-socket.ts';

export type Db = Transaction<Schema>;

export type Database = {
  /** Requests: every use goes through `inTenant`, which names the workspace and the person. */
  app: Kysely<Schema>;
  appPool: pg.Pool;
  /** The delivery actors. */
  engine: pg.Pool;
  /** Sign-in; hands out Dates, as its library expects. */
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
      // A connection whose query was not answered in time is closed then, and never handed out again.
      pipeline: true,
      ...patience,
      ...options,
    });
    // A connection that dies, idle or in somebody's hands, fails its next query and is replaced; an error without a
    // listener would end the process.
    made.on('error', () => {});
    made.on('connect', (client) => void client.on('error', () => {}));
    return made;
  };
  const appPool = pool('app', { max: poolSize, options: optionsOf(appSettings) });
  const engine = pool('engine', { max: 6, options: optionsOf(engineSettings), stream: () => new TurnSocket() });
  const auth = pool('auth', { max: 4, types: undefined });
  const app = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: appPool }) });
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
 * A connection that the network has cut off says nothing, and TCP alone takes a quarter of an hour to notice. The
 * database's address may name other times, as in `?query_timeout=60000`.
 */
const patience = {
  // Longer than idle connections are kept, so that those of the same fate are gone when one is found out; and so short that
  // after one heartbeat that was not answered another still finds its lease (90 s).
  query_timeout: 30_000,
  connectionTimeoutMillis: 15_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  // The other half of it: what a transaction has locked whose process is gone is free again before its lease is over.
  idle_in_transaction_session_timeout: 45_000,
};

const optionsOf = (settings: Record<string, string>) =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

const appSettings = {
  // A request is about one workspace, which every large table is indexed by: to read one whole would be to read the rows of
  // all the others, however few there are for now.
  enable_seqscan: 'off',
};

const engineSettings = {
  // The engine keeps the queue with the jobs itself; for everybody else triggers do.
  'cuebird.keeps_queue': 'on',
  // Every statement of the engine looks up a batch by keys. Statistics that are a minute old in a table that changes by
  // the thousand must not talk the planner into reading it whole.
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
};

/** `apiKeyId`: of the key in whose name the work is done. */
export type Tenant = { workspaceId: string | null; userId: string | null; apiKeyId?: string };

/** Runs `work` in one transaction that sees the rows of this workspace and person, and no others. */
export function inTenant<T>(
  db: Kysely<Schema>,
  { workspaceId, userId, apiKeyId }: Tenant,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('app.workspace_id', ${workspaceId ?? ''}, true), set_config('app.user_id', ${userId ?? ''}, true),
      set_config('app.api_key_id', ${apiKeyId ?? ''}, true)`.execute(tx);
    return work(tx);
  });
}

const timestamptz = 1184;

/** Instants leave the database as they stand on the wire: ISO 8601 in UTC. */
const wireTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === timestamptz ? instantOf : pg.types.getTypeParser(oid, format)),
};

/** As a session in UTC writes it: a page of rows holds a hundred, and to parse each costs more than to read them. */
const inUtc = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** With milliseconds; with microseconds where there are any, so that a cursor made of it loses no row between. */
function instantOf(text: string): string {
  const [, day, time, fraction = ''] = inUtc.exec(text) ?? [];
  if (time !== undefined) return `${day}T${time}.${fraction.padEnd(fraction.length > 3 ? 6 : 3, '0')}Z`;
  const iso = new Date(text).toISOString();
  const micros = /\.\d{3}(\d{1,3})/.exec(text)?.[1];
  return micros === undefined ? iso : iso.replace('Z', `${micros.padEnd(3, '0')}Z`);
}
