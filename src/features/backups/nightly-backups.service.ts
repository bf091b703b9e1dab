import { join } from 'node:path';
import type { Pool } from 'pg';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import { DatabaseClient } from '#platform/database-client.ts';
import { backupsKept, type Backups } from '#contract/admin-backups.ts';
import { backupName, backupsIn, createFolder, removeDrafts, removeOlder } from '#features/backups/backup-folder.ts';
import { nextAt, readBackupState, writeBackupState } from '#features/backups/backup-state.ts';
import { recordInstallationAct } from '#platform/audit.ts';
import type { Clock } from '#platform/clock.ts';
import { NotFound } from '#platform/errors.ts';
import type { SettingsInForce } from '#platform/installation-settings.ts';
import type { Log } from '#platform/log.ts';

export type NightlyDeps = {
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  ownerUrl: string;
  folder: string;
  isEncrypted: boolean;
  /** Whether this process leaves backups to others. */
  isLeftToOthers: () => Promise<boolean>;
  clock: Pick<Clock, 'now' | 'sleepUntil'>;
  log: Pick<Log, 'info' | 'error'>;
  settings: Pick<SettingsInForce, 'current' | 'subscribe'>;
  /** Tells the administrators why a backup failed. */
  alert: (detail: string) => Promise<void>;
  /** Ends the alert about failed backups. */
  succeeded: () => Promise<unknown>;
  /** Writes the whole file, or nothing. */
  write: (file: string, options: { now: Temporal.Instant; signal: AbortSignal }) => Promise<{ bytes: number }>;
};

export type NightlyBackups = {
  list(): Promise<Backups>;
  /** The path of a backup file. Throws NotFound. */
  fileOf(name: string): Promise<string>;
  /** Also stops a backup that is being written, which leaves no file. */
  stop(): Promise<void>;
};

/** How often the clock is checked: on a machine that slept, timers do not fire on time. */
const lookEveryMinutes = 10;

/**
 * Backs the database up into the folder each night, in one process at a time. A missed night is made up for, and a failed try repeated after an hour.
 */
export function startNightlyBackups(deps: NightlyDeps): NightlyBackups {
  const { pool, folder, clock, log, settings } = deps;
  const stopping = new AbortController();
  let sleeper = new AbortController();
  const unsubscribe = settings.subscribe(() => sleeper.abort());
  const done = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Created before the check, so that a change during it is not lost.
      sleeper = new AbortController();
      const next = await backUpIfDue(deps, stopping.signal).catch((error: unknown) => {
        log.error({ error: String(error) }, 'looking for a backup that is due failed; trying again');
        return null;
      });
      if (stopping.signal.aborted) return;
      const look = clock.now().add({ minutes: lookEveryMinutes });
      const until = next !== null && Temporal.Instant.compare(next, look) < 0 ? next : look;
      await clock.sleepUntil(until, sleeper.signal);
    }
  }

  return {
    async list() {
      const state = await readBackupState(pool, clock.now());
      return {
        data: await backupsIn(folder),
        folder,
        next_at: settings.current().autoBackups ? nextAt(state).toString() : null,
        will_be_encrypted: deps.isEncrypted,
        failure: state.failure,
      };
    },
    async fileOf(name) {
      if (!(await backupsIn(folder)).some((backup) => backup.name === name)) throw new NotFound('backup');
      return join(folder, name);
    },
    async stop() {
      stopping.abort();
      sleeper.abort();
      unsubscribe();
      await done;
    },
  };
}

/** Makes a backup if one is due. Returns when the next is; null while backups are off or another process makes them. */
async function backUpIfDue(deps: NightlyDeps, signal: AbortSignal): Promise<Temporal.Instant | null> {
  const { pool, clock, settings, isLeftToOthers } = deps;
  const isDue = async () => {
    const next = nextAt(await readBackupState(pool, clock.now()));
    return { next, isDue: Temporal.Instant.compare(next, clock.now()) <= 0 };
  };
  if (!settings.current().autoBackups) return null;
  const first = await isDue();
  if (!first.isDue) return first.next;
  if (await isLeftToOthers()) return null;
  return underLock(deps.ownerUrl, async () => {
    // Checked again under the lock: another process may have made it meanwhile.
    if ((await isDue()).isDue) await backUp(deps, signal);
    return (await isDue()).next;
  });
}

async function backUp({ pool, folder, clock, log, ...deps }: NightlyDeps, signal: AbortSignal): Promise<void> {
  const now = clock.now();
  const state = await readBackupState(pool, now);
  const name = backupName(now, deps);
  try {
    await createFolder(folder);
    await removeDrafts(folder);
    const { bytes } = await deps.write(join(folder, name), { now, signal }).catch(async (error: unknown) => {
      // A thread that was stopped just after it had finished cannot report that: the file shows it.
      const made = (await backupsIn(folder)).find((backup) => backup.name === name);
      if (made === undefined) throw error;
      return made;
    });
    await removeOlder(folder, { kept: backupsKept });
    await writeBackupState(pool, { ...state, succeeded_at: now.toString(), failure: null });
    await deps.succeeded();
    log.info({ name, bytes }, 'the database was backed up');
  } catch (error) {
    // A stopped thread leaves an unfinished file. If it cannot be removed now, the next backup does so.
    await removeDrafts(folder).catch(() => {});
    if (signal.aborted) return;
    const message = error instanceof Error ? error.message : String(error);
    log.error({ name, error: message }, 'a backup failed; trying again in an hour');
    await writeBackupState(pool, { ...state, failure: { at: now.toString(), message } });
    await deps.alert(message);
  }
}

/** Runs the work under a lock that ends with its connection, however the process ends. Null where another process has it. */
async function underLock<T>(ownerUrl: string, work: () => Promise<T>): Promise<T | null> {
  const client = new DatabaseClient({
    connectionString: ownerUrl,
    application_name: 'cuebird backup lock',
    keepAlive: true,
  });
  // Without a listener, a lost connection would end the process.
  await client.connect();
  try {
    const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [
      advisoryLocks.nightlyBackup,
    ]);
    return rows[0]?.locked === true ? await work() : null;
  } finally {
    await client.end();
  }
}

/** @param auth of the role cuebird_auth */
export const recordDownload = (
  auth: Pick<Pool, 'query'>,
  { name, ...by }: { actorId: string; name: string; clientAddress: string; now: Temporal.Instant },
): Promise<void> =>
  recordInstallationAct(auth, { ...by, action: 'admin.backup_downloaded', target: name, details: { name } });

/** When the last nightly backup was made; an ISO instant, null before the first. */
export const lastBackupAt = async (pool: Pool, now: Temporal.Instant): Promise<string | null> =>
  (await readBackupState(pool, now)).succeeded_at;
