import type { Pool } from 'pg';
import { defaultSettings, InstallationSettings } from '#contract/admin-settings.ts';
import type { Log } from '#platform/log.ts';
import type { PubSub } from '#platform/pubsub.ts';
import { readSetting } from '#platform/settings.ts';

/** The key under which they are stored in `app_settings`; a trigger announces changes. */
export const settingsKey = 'engine.installation_settings';

export type SettingsInForce = {
  /** The settings as this process knows them: at most moments behind the database. */
  current(): InstallationSettings;
  /** Reads them from the database, after this process has changed them. */
  reload(): Promise<void>;
  /** Calls the listener after each change, and once at first. Returns a function that stops it. */
  subscribe(listener: (settings: InstallationSettings) => void): () => void;
  close(): void;
};

const retryMs = 1_000;

/** Keeps the installation's settings in memory, and reads them again when any process has changed them. */
export async function openInstallationSettings({
  pool,
  pubsub,
  log,
}: {
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  pubsub: Pick<PubSub, 'subscribe'>;
  log: Pick<Log, 'warn'>;
}): Promise<SettingsInForce> {
  const listeners = new Set<(settings: InstallationSettings) => void>();
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;
  // Readings may overlap: the one that began last wins, and until it has ended the settings stay as they are.
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

/** A setting that is not stored has its default. */
async function readSettings(pool: Pool): Promise<InstallationSettings> {
  const stored = StoredSettings.parse((await readSetting(pool, settingsKey)) ?? {});
  return { ...defaultSettings, ...stored };
}

/** Settings that only another version knows are ignored. */
const StoredSettings = InstallationSettings.partial().strip();
