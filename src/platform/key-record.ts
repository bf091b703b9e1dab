import { Client, type ClientBase, type Pool } from 'pg';
import { z } from 'zod';
import { type EncryptionKeys, keyFingerprint } from '#platform/encryption-keys.ts';
import { readSetting, replaceSetting } from '#platform/settings.ts';

/** Which keys the database is used with. It has fingerprints only. */
const KeyRecord = z.object({
  newest: z.string(),
  /** Those before it, which processes may go on reading with. */
  replaced: z.array(z.string()),
  /** Those that count for nothing any more. */
  revoked: z.array(z.string()),
  /** Whether every sealed value was sealed again since the newest one is in use. */
  is_resealed: z.boolean(),
});
export type KeyRecord = z.output<typeof KeyRecord>;

export const keyRecordName = 'engine.encryption_keys';
export const keyChannel = 'cuebird_keys';

type Executor = Pick<ClientBase | Pool, 'query'>;

/** Null in a database that no process of this version has used yet. */
export async function readKeyRecord(db: Executor): Promise<KeyRecord | null> {
  const stored = await readSetting(db, keyRecordName);
  return stored === undefined ? null : KeyRecord.parse(stored);
}

/** This process has a key that was replaced by another one. */
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
  const owner = new Client({ connectionString: ownerUrl, application_name: 'cuebird keys' });
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
 * Records that the database is used with these keys from now on, and tells every process. Of several that start at once one
 * is first.
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
export async function recordResealed(db: Executor): Promise<void> {
  await db.query(
    `update app_settings set value = value || '{"is_resealed": true}', updated_at = now() where key = $1`,
    [keyRecordName],
  );
}

/** Every process forgets these keys at once. */
export async function recordRevoked(db: Executor, fingerprints: readonly string[]): Promise<void> {
  const record = await readKeyRecord(db);
  if (record === null) return;
  const replaced = record.replaced.filter((one) => !fingerprints.includes(one));
  const revoked = [...new Set([...record.revoked, ...fingerprints])];
  await db.query('update app_settings set value = $2, updated_at = now() where key = $1', [
    keyRecordName,
    JSON.stringify({ ...record, replaced, revoked }),
  ]);
  await announce(db);
}

/** Replaces what a backup brought along: from now on the database is used with these keys. */
export async function resetKeyRecord(
  db: Executor,
  { keys, isResealed }: { keys: EncryptionKeys; isResealed: boolean },
): Promise<void> {
  const record: KeyRecord = {
    newest: keyFingerprint(keys.newest),
    replaced: keys.older.map(keyFingerprint),
    revoked: [],
    is_resealed: isResealed,
  };
  await db.query(
    'insert into app_settings (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
    [keyRecordName, JSON.stringify(record)],
  );
}

const announce = (db: Executor) => db.query('select pg_notify($1, $2)', [keyChannel, '']);
