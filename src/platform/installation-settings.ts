import type { Pool } from 'pg';
import { defaultSettings, InstallationSettings } from '#contract/admin-settings.ts';
import type { Log } from '#platform/log.ts';
import type { PubSub } from '#platform/pubsub.ts';
import { readSetting } from '#platform/settings.ts';

/** Under this name they are stored; a trigger announces its changes. */
export const settingsKey = 'engine.installation_settings';

export type SettingsInForce = {
  /** As this process knows them: at most moments behind the database. */
  current(): InstallationSettings;
  /** Reads them from the database, after a change in this process. */
  reload(): Promise<void>;
  /** Calls the listener after each change, and once at first. Returns a function that stops it. */
  subscribe(listener: (settings: InstallationSettings) => void): () => void;
  close(): void;
};

const retryMs = 1_000;

/** Keeps the settings of the installation in memory, and reads them again when any process has changed them. */
export async function openInstallationSettings({
  pool,
  pubsub,
  log,
}: {
  /** Of the role cuebird_engine. */
  pool: Pool;
  pubsub: Pick<PubSub, 'subscribe'>;
  log: Pick<Log, 'warn'>;
}): Promise<SettingsInForce> {
  const listeners = new Set<(settings: InstallationSettings) => void>();
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;
  // Of two readings that overlap, the one that began later is newer; the other one counts until that has ended.
  let readings = 0;
  let newest = 0;
  // Subscribed before the first reading, so that no change is missed.
  const unsubscribe = pubsub.subscribe('cuebird_settings', reloadLater);
  let settings = await readSettings(pool);

  async function reload(): Promise<void> {
    const reading = (readings += 1);
    const found = await readSettings(pool);
    if (reading < newest) return;
    newest = reading;
    settings = found;
    for (const listener of listeners) listener(settings);
  }

  function reloadLater(): void {
    clearTimeout(retry);
    reload().catch((error: unknown) => {
      if (isClosed) return;
      log.warn({ error: String(error) }, 'reading the settings failed; trying again');
      retry = setTimeout(reloadLater, retryMs).unref();
    });
  }

  return {
    current: () => settings,
    reload,
    subscribe(listener) {
      listeners.add(listener);
      listener(settings);
      return () => void listeners.delete(listener);
    },
    close() {
      isClosed = true;
      clearTimeout(retry);
      unsubscribe();
    },
  };
}

/** What is not stored has its default. */
async function readSettings(pool: Pool): Promise<InstallationSettings> {
  const stored = StoredSettings.parse((await readSetting(pool, settingsKey)) ?? {});
  return { ...defaultSettings, ...stored };
}

/** Names of other versions are left out. */
const StoredSettings = InstallationSettings.partial().strip();
