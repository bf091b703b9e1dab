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

const topics: readonly Topic[] = ['cuebird_due', 'cuebird_changes', 'cuebird_schema'];

/** One connection that listens, and comes back when it dies. */
export async function openPubSub(url: string, log: Log): Promise<PubSub> {
  const events = new EventEmitter({ captureRejections: false });
  events.setMaxListeners(0);
  let isOpen = true;
  let client = await connect();

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({ connectionString: url, application_name: 'cuebird listen', keepAlive: true });
    made.on('notification', (message) => events.emit(message.channel, message.payload ?? ''));
    made.on('error', (error) => log.warn({ error: error.message }, 'the listening connection failed'));
    await made.connect();
    for (const topic of topics) await made.query(`listen ${topic}`);
    // Only a connection that listened is replaced when it ends: a failed attempt is one of a reconnect that goes on.
    made.on('end', () => {
      if (isOpen) void reconnect();
    });
    return made;
  }

  async function reconnect(): Promise<void> {
    for (let delayMs = 100; isOpen; delayMs = Math.min(delayMs * 2, 5_000)) {
      await wait(delayMs);
      try {
        client = await connect();
        for (const topic of topics) events.emit(topic, null);
        return;
      } catch (error) {
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
      isOpen = false;
      await client.end();
    },
  };
}
