import type { Pool } from 'pg';
import type { Log } from '#platform/log.ts';
import { newerMigrations } from '#platform/migrate.ts';
import type { PubSub } from '#platform/pubsub.ts';

const lookEveryMs = 15_000;

/**
 * Detects that a newer version has migrated the database under this process, which no longer understands the schema.
 * `superseded` aborts, with the reason as a sentence, and stays aborted.
 */
export function watchForNewerVersion({
  pool,
  pubsub,
  log,
  folder,
}: {
  pool: Pick<Pool, 'query'>;
  pubsub: Pick<PubSub, 'subscribe'>;
  log: Log;
  folder: URL;
}): { superseded: AbortSignal; stop(): void } {
  const superseded = new AbortController();

  async function look(): Promise<void> {
    try {
      const [name] = await newerMigrations(pool, folder);
      if (name === undefined || superseded.signal.aborted) return;
      const reason = `A newer version has migrated the database (${name}): this process sends nothing any more`;
      log.warn({ migration: name }, reason);
      superseded.abort(reason);
      stop();
    } catch (error) {
      log.warn({ error: String(error) }, 'checking for a newer version failed');
    }
  }

  const unsubscribe = pubsub.subscribe('cuebird_schema', () => void look());
  // Also looks at intervals: a NOTIFY can be lost, and a migration may have run before this process listened.
  const timer = setInterval(() => void look(), lookEveryMs).unref();
  void look();

  function stop(): void {
    unsubscribe();
    clearInterval(timer);
  }

  return { superseded: superseded.signal, stop };
}
