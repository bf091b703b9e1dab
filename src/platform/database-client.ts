import pg, { DatabaseError } from 'pg';
import { hostUrls } from '#platform/database-address.ts';

type Settings = pg.ClientConfig & { connectionString: string };

/** How long a host may take to say whether it accepts changes. */
const patienceMs = 5_000;
/** For how long its word is taken: one answer serves connections that are opened together. */
const validForMs = 1_000;

/**
 * A connection to a database, of whose hosts it takes the one that accepts changes: every connection of the product is made by this. With one host it is a
 * connection of the driver, and asks nothing.
 */
export class DatabaseClient extends pg.Client {
  readonly #settings: Settings;
  readonly #hosts: readonly string[];

  constructor(settings: Settings) {
    const hosts = hostUrls(settings.connectionString);
    super({ ...settings, connectionString: hosts[0] ?? settings.connectionString });
    this.#settings = settings;
    this.#hosts = hosts;
    // A connection that dies fails its next query. An error event without a listener would end the process, and one may come before anybody who connects
    // can listen: in the bytes that say that the connection is ready.
    this.on('error', () => {});
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<pg.Client> | void {
    if (callback === undefined) return this.#connect();
    this.#connect().then(
      () => callback(null),
      (error: Error) => callback(error),
    );
  }

  async #connect(): Promise<pg.Client> {
    if (this.#hosts.length > 1) {
      const url = new URL(await writableHost(this.#hosts, this.#settings));
      // What the driver reads when it connects, also for the name in the server's certificate.
      Object.assign(this, { host: url.hostname.replace(/^\[(.+)\]$/, '$1'), port: Number(url.port || 5432) });
      // A connection that is lost may have been to a host that is no longer the one.
      this.once('end', () => known.delete(keyOf(this.#hosts)));
    }
    return super.connect();
  }
}

/** The hosts that were found lately. */
const known = new Map<string, Promise<string>>();
const keyOf = (hosts: readonly string[]) => hosts.join(' ');

/** The URL of the host that accepts changes. */
function writableHost(hosts: readonly string[], settings: Settings): Promise<string> {
  const key = keyOf(hosts);
  const found = known.get(key);
  if (found !== undefined) return found;
  const search = findWritable(hosts, settings);
  known.set(key, search);
  const forget = () => {
    if (known.get(key) === search) known.delete(key);
  };
  search.then(() => setTimeout(forget, validForMs).unref(), forget);
  return search;
}

/** All are asked at once, so that one that does not answer delays nobody. */
async function findWritable(hosts: readonly string[], settings: Settings): Promise<string> {
  const answers = hosts.map((url) => assertWritable(url, settings));
  try {
    return await Promise.any(answers);
  } catch (error) {
    if (!(error instanceof AggregateError)) throw error;
    const refused = error.errors.find((one) => one instanceof DatabaseError);
    if (refused !== undefined && !error.errors.some((one) => one instanceof HostIsReadOnly)) throw refused;
    throw new NoWritableHost(hosts, error.errors);
  }
}

class HostIsReadOnly extends Error {}

class NoWritableHost extends Error {
  readonly code = 'EHOSTUNREACH';
  constructor(hosts: readonly string[], errors: readonly unknown[]) {
    const reasons = hosts.map((url, at) => {
      const error = errors[at];
      return `${new URL(url).host} ${error instanceof HostIsReadOnly ? error.message : `does not answer: ${String(error)}`}`;
    });
    super(`no host accepts changes: ${reasons.join('; ')}`);
  }
}

async function assertWritable(url: string, settings: Settings): Promise<string> {
  const client = new pg.Client({
    ...settings,
    connectionString: url,
    connectionTimeoutMillis: patienceMs,
    query_timeout: patienceMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ is_standby: boolean; is_read_only: boolean }>(
      "select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only",
    );
    if (rows[0]?.is_standby === true) throw new HostIsReadOnly('is a standby');
    if (rows[0]?.is_read_only === true) throw new HostIsReadOnly('accepts no changes');
    return url;
  } finally {
    void client.end().catch(() => {});
  }
}
