import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { DatabaseClient } from '#platform/database-client.ts';
import type { Log } from '#platform/log.ts';

/**
 * Channels of NOTIFY: `cuebird_due` wakes dispatchers, `cuebird_changes` reports changed tables to clients,
 * `cuebird_schema` reports that a migration has run, `cuebird_access` that sessions, memberships or keys have ended,
 * `cuebird_settings` that the settings of the installation have changed, `cuebird_webhooks` that events wait for webhooks.
 */
export type Topic =
  | 'cuebird_due'
  | 'cuebird_changes'
  | 'cuebird_schema'
  | 'cuebird_access'
  | 'cuebird_settings'
  | 'cuebird_keys'
  | 'cuebird_webhooks';

export type PubSub = {
  /**
   * Returns a function that stops listening. After a lost connection every listener gets null: anything may have
   * changed.
   */
  subscribe(topic: Topic, listener: (payload: string | null) => void): () => void;
  /** False while announcements may be lost: the connection is down, or has not answered for some seconds. */
  isListening(): boolean;
  close(): Promise<void>;
};

/** The interval of checks: a connection that only listens does not notice that the network has cut it off. */
const asked = { everyMs: 5_000, patienceMs: 10_000 };

/** How late an answer may be before the connection counts as lost. */
const graceMs = 2_000;

const topics: readonly Topic[] = [
  'cuebird_due',
  'cuebird_changes',
  'cuebird_schema',
  'cuebird_access',
  'cuebird_settings',
  'cuebird_keys',
  'cuebird_webhooks',
];

/** One listening connection, which reconnects when it is lost. */
export async function openPubSub(url: string, log: Log, { everyMs, patienceMs } = asked): Promise<PubSub> {
  const events = new EventEmitter({ captureRejections: false });
  events.setMaxListeners(0);
  const closing = new AbortController();
  let reconnected = Promise.resolve();
  // When the server last answered, on the clock of `performance`; null while there is no connection.
  let heardAtMs: number | null = null;
  let client = await connect();
  heardAtMs = performance.now();
  let isAsking = false;
  const timer = setInterval(() => void ask(client), everyMs).unref();

  async function connect(): Promise<pg.Client> {
    const made = new DatabaseClient({
      connectionString: url,
      application_name: 'cuebird listen',
      query_timeout: patienceMs,
      connectionTimeoutMillis: patienceMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    made.on('notification', (message) => events.emit(message.channel, message.payload ?? ''));
    made.on('error', (error) => log.warn({ error: error.message }, 'the listening connection failed'));
    await made.connect();
    try {
      for (const topic of topics) await made.query(`listen ${topic}`);
    } catch (error) {
      void made.end();
      throw error;
    }
    // Only a connection that has listened is replaced here: after a failed attempt, `reconnect` tries again itself.
    made.on('end', () => {
      heardAtMs = null;
      if (!closing.signal.aborted) reconnected = reconnect();
    });
    return made;
  }

  async function ask(listening: pg.Client): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      await listening.query('select');
      if (heardAtMs !== null) heardAtMs = performance.now();
    } catch {
      // With a query in flight, `end` closes the socket at once, and the event of its end makes a new connection.
      await listening.end();
    } finally {
      isAsking = false;
    }
  }

  async function reconnect(): Promise<void> {
    for (let delayMs = 100; !closing.signal.aborted; delayMs = Math.min(delayMs * 2, 5_000)) {
      try {
        await wait(delayMs, undefined, { signal: closing.signal });
        client = await connect();
        for (const topic of topics) events.emit(topic, null);
        heardAtMs = performance.now();
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        log.warn({ error: String(error) }, 'reconnecting the listening connection failed');
      }
    }
  }

  return {
    subscribe(topic, listener) {
      events.on(topic, listener);
      return () => events.off(topic, listener);
    },
    isListening: () => heardAtMs !== null && performance.now() - heardAtMs < everyMs + graceMs,
    async close() {
      closing.abort();
      clearInterval(timer);
      await client.end();
      // A connection that is just being made would keep its thread alive.
      await reconnected;
      await client.end();
    },
  };
}
