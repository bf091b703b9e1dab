import { randomUUID } from 'node:crypto';
import { DatabaseError } from 'pg';
import { DatabaseClient } from '#platform/database-client.ts';

/** The database is reached through a pooler that gives each transaction another connection. */
export class SessionsNotKept extends Error {
  constructor() {
    super(
      'DATABASE_URL: it leads to a pooler in transaction mode, where settings, prepared statements and notifications are lost between transactions. Name the server itself, or have the pooler keep sessions (PgBouncer: pool_mode = session).',
    );
  }
}

/**
 * Checks that a connection stays the same from one transaction to the next: it keeps settings and prepared statements, and hears what is notified while
 * another connection has a transaction open, to which a pooler gives the server's connection that was given back last.
 * @throws SessionsNotKept
 */
export async function assertSessionsKept(url: string): Promise<void> {
  const settings = { connectionString: url, application_name: 'cuebird session check', query_timeout: 60_000 };
  const listening = new DatabaseClient(settings);
  const other = new DatabaseClient(settings);
  try {
    await Promise.all([listening.connect(), other.connect()]);
    if (!(await keepsSession({ listening, other }))) throw new SessionsNotKept();
  } finally {
    await Promise.all([listening, other].map((client) => client.end().catch(() => {})));
  }
}

type Pair = Record<'listening' | 'other', DatabaseClient>;

async function keepsSession({ listening, other }: Pair): Promise<boolean> {
  const name = `cuebird_${randomUUID()}`;
  let isHeard = false;
  listening.on('notification', ({ channel }) => {
    isHeard ||= channel === name;
  });
  try {
    await listening.query(`listen "${name}"`);
    await listening.query("select set_config('cuebird.session_check', $1, false)", [name]);
    const before = await readSession(listening);
    await other.query('begin');
    if ((await readSession(other)).connection === before.connection) return false;
    const after = await readSession(listening);
    if (after.connection !== before.connection || after.setting !== name) return false;
    await other.query(`notify "${name}"`);
    await other.query('commit');
    // PostgreSQL signals the listener within the commit, and sends what was notified before the answer to its next statement: however busy it is.
    await readSession(listening);
    return isHeard;
  } catch (error) {
    if (isUnknownStatement(error)) return false;
    throw error;
  }
}

/** By a prepared statement, which the driver prepares once on each connection. */
async function readSession(client: DatabaseClient): Promise<{ connection: number; setting: string | null }> {
  const { rows } = await client.query<{ connection: number; setting: string | null }>({
    name: 'session-check',
    text: "select pg_backend_pid() as connection, current_setting('cuebird.session_check', true) as setting",
  });
  const [row] = rows;
  if (row === undefined) throw new Error('a select of the session answered no row');
  return row;
}

/** SQLSTATE invalid_sql_statement_name, and duplicate_prepared_statement where another client has prepared it on the same connection. */
const isUnknownStatement = (error: unknown) =>
  error instanceof DatabaseError && (error.code === '26000' || error.code === '42P05');
