import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';
import { InstantText } from '#contract/common.ts';
import { readSetting, replaceSetting, writeSetting } from '#platform/settings.ts';

const key = 'engine.backups';

const BackupState = z.object({
  /** Since when the installation makes backups: the first one is due in the night after. */
  since: InstantText,
  succeeded_at: InstantText.nullable(),
  /** Why the last try failed; null after one that succeeded. */
  failure: z.object({ at: InstantText, message: z.string() }).nullable(),
});
export type BackupState = z.output<typeof BackupState>;

/** The state, which all processes share. The first call sets since when. */
export async function readBackupState(
  db: Pick<ClientBase | Pool, 'query'>,
  now: Temporal.Instant,
): Promise<BackupState> {
  const known = await readSetting(db, key);
  if (known !== undefined) return BackupState.parse(known);
  const value: BackupState = { since: now.toString(), succeeded_at: null, failure: null };
  return BackupState.parse(await replaceSetting(db, { key, value, known: undefined }));
}

export const writeBackupState = (db: Pick<ClientBase | Pool, 'query'>, value: BackupState) =>
  writeSetting(db, { key, value });

/** The hour (UTC) of the backup. */
const hour = 2;
const retryHours = 1;

/** When the next backup is due; in the past for an overdue one. */
export function nextAt({ since, succeeded_at: succeededAt, failure }: BackupState): Temporal.Instant {
  const night = nightAfter(Temporal.Instant.from(succeededAt ?? since));
  if (failure === null) return night;
  const retry = Temporal.Instant.from(failure.at).add({ hours: retryHours });
  return Temporal.Instant.compare(night, retry) > 0 ? night : retry;
}

function nightAfter(instant: Temporal.Instant): Temporal.Instant {
  const at = instant.toZonedDateTimeISO('UTC');
  const night = at.with({ hour, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 });
  return (Temporal.ZonedDateTime.compare(night, at) > 0 ? night : night.add({ days: 1 })).toInstant();
}
