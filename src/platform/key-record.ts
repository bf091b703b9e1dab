import { isDeepStrictEqual } from 'node:util';
import type { ClientBase, Pool } from 'pg';
import { DatabaseClient } from '#platform/database-client.ts';
import { z } from 'zod';
import { type EncryptionKeys, keyFingerprint } from '#platform/encryption-keys.ts';
import { readSetting, replaceSetting, writeSetting } from '#platform/settings.ts';

/** Which encryption keys the database is used with, by their fingerprints. */
const KeyRecord = z.object({
  newest: z.string(),
  /** Keys that were replaced, with which processes may still read. */
  replaced: z.array(z.string()),
  /** Keys that are not accepted any more. */
  revoked: z.array(z.string()),
  /** Whether every sealed value has been sealed again with the newest key. */
  is_resealed: z.boolean(),
});
export type KeyRecord = z.output<typeof KeyRecord>;

const keyRecordName = 'engine.encryption_keys';
export const keyChannel = 'cuebird_keys';

type Executor = Pick<ClientBase | Pool, 'query'>;

/** The record; null in a database that no process of this version has used yet. */
export async function readKeyRecord(db: Executor): Promise<KeyRecord | null> {
  const stored = await readSetting(db, keyRecordName);
  return stored === undefined ? null : KeyRecord.parse(stored);
}

/** Thrown when this process has a key that was replaced by another one. */
export class KeyReplaced extends Error {
  constructor({ had, newest }: { had: string; newest: string }) {
    super(
      `The encryption key that is set here (fingerprint ${had}) was replaced by another one (fingerprint ${newest}). ` +
        'Copy encryption.key from where "npm run rotate-key" has run into DATA_DIR, or set ENCRYPTION_KEY to the newer key and OLDER_ENCRYPTION_KEYS to this one.',
    );
  }
}

/** Throws KeyReplaced before a process that would seal with an older key changes anything. */
export async function assertKeyNotReplaced(ownerUrl: string, keys: EncryptionKeys): Promise<void> {
  const owner = new DatabaseClient({ connectionString: ownerUrl, application_name: 'cuebird keys' });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ is_there: boolean }>(
      "select to_regclass('public.app_settings') is not null as is_there",
    );
    const record = rows[0]?.is_there === true ? await readKeyRecord(owner) : null;
    if (record !== null) assertCurrent(record, keys);
  } finally {
    await owner.end();
  }
}

export function assertCurrent(record: KeyRecord, { newest }: EncryptionKeys): void {
  const had = keyFingerprint(newest);
  if (isReplaced(record, had)) throw new KeyReplaced({ had, newest: record.newest });
}

export const isReplaced = ({ newest, replaced, revoked }: KeyRecord, fingerprint: string): boolean =>
  fingerprint !== newest && [...replaced, ...revoked].includes(fingerprint);

/**
 * Records that the database is used with these keys from now on, and tells every process. When several start at once, only one writes.
 * @returns false where none of the keys is the one that the database was used with: then nothing is recorded
 */
export async function takeKeysIntoUse(db: Executor, keys: EncryptionKeys): Promise<boolean> {
  const newest = keyFingerprint(keys.newest);
  const older = keys.older.map(keyFingerprint);
  for (;;) {
    const known = await readKeyRecord(db);
    if (known?.newest === newest) return true;
    if (known !== null && !older.includes(known.newest)) return false;
    const replaced = known === null ? older : [...known.replaced, known.newest];
    const value = { newest, replaced, revoked: known?.revoked ?? [], is_resealed: replaced.length === 0 };
    const stored = await replaceSetting(db, { key: keyRecordName, value, known: known ?? null });
    if (KeyRecord.parse(stored).newest !== newest) continue;
    await announce(db);
    return true;
  }
}

/** Records that everything is sealed with the newest key. */
export const recordResealed = (db: Executor): Promise<void> =>
  changeKeyRecord(db, (record) => ({ ...record, is_resealed: true }));

/** Records that these keys are revoked; every process forgets them at once. */
export async function recordRevoked(db: Executor, fingerprints: readonly string[]): Promise<void> {
  await changeKeyRecord(db, (record) => ({
    ...record,
    replaced: record.replaced.filter((one) => !fingerprints.includes(one)),
    revoked: [...new Set([...record.revoked, ...fingerprints])],
  }));
  await announce(db);
}

async function changeKeyRecord(db: Executor, change: (record: KeyRecord) => KeyRecord): Promise<void> {
  for (;;) {
    const known = await readKeyRecord(db);
    if (known === null) return;
    const value = change(known);
    const stored = KeyRecord.parse(await replaceSetting(db, { key: keyRecordName, value, known }));
    // Tries again when another process, started with a newer key, has changed the record meanwhile.
    if (isDeepStrictEqual(stored, value)) return;
  }
}

/** Replaces the record that a backup contained: from now on the database is used with these keys. */
export async function resetKeyRecord(
  db: Executor,
  { keys, isResealed }: { keys: EncryptionKeys; isResealed: boolean },
): Promise<void> {
  const value: KeyRecord = {
    newest: keyFingerprint(keys.newest),
    replaced: keys.older.map(keyFingerprint),
    revoked: [],
    is_resealed: isResealed,
  };
  await writeSetting(db, { key: keyRecordName, value });
}

const announce = (db: Executor) => db.query('select pg_notify($1, $2)', [keyChannel, '']);
