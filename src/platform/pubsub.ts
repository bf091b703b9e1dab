import { EventEmitter } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '#platform/log.ts';

/**
 * Channels of NOTIFY: `cuebird_due` wakes dispatchers, `cuebird_changes` tells screens what to fetch again,
 * `cuebird_schema` tells everybody that a migration has run.
 */
export type Topic = 'cuebird_due' | 'cuebird_changes' | 'cuebird_schema';

export type PubSub = {
  /** Returns the way to stop listening. After a lost connection every listener hears null: anything may have changed. */
  subscribe(topic: Topic, listener: (payload: string | null) => void): () => void;
  close(): Promise<void>;
};

/** A connection that only listens would never find out that the network has cut it off. */
const asked = { everyMs: 15_000, patienceMs: 10_000 };

const topics: readonly Topic[] = ['cuebird_due', 'cuebird_changes', 'cuebird_schema'];

/** One connection that listens, and comes back when it dies. */
export async function openPubSub(url: string, log: Log, { everyMs, patienceMs } = asked): Promise<PubSub> {
  const events = new EventEmitter({ captureRejections: false });
  events.setMaxListeners(0);
  const closing = new AbortController();
  let reconnected = Promise.resolve();
  let client = await connect();
  const timer = setInterval(() => void ask(client), everyMs).unref();

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({
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
    // Only a connection that listened is replaced when it ends: a failed attempt is one of a reconnect that goes on.
    made.on('end', () => {
      if (!closing.signal.aborted) reconnected = reconnect();
    });
    return made;
  }

  async function ask(listening: pg.Client): Promise<void> {
    try {
      await listening.query('select');
    } catch {
      // With a question still open this closes the socket at once, and its end brings a new connection.
      await listening.end();
    }
  }

  async function reconnect(): Promise<void> {
    for (let delayMs = 100; !closing.signal.aborted; delayMs = Math.min(delayMs * 2, 5_000)) {
      try {
        await wait(delayMs, undefined, { signal: closing.signal });
        client = await connect();
        for (const topic of topics) events.emit(topic, null);
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        log.warn({ error: String(error) }, 'listening again failed');
      }
    }
  }

  return {
    subscribe(topic, listener) {
      events.on(topic, listener);
      return () => events.off(topic, listener);
    },
    async close() {
      closing.abort();
      clearInterval(timer);
      await client.end();
      // One that was being made meanwhile would hold its thread for ever.
      await reconnected;
      await client.end();
    },
  };
}
