import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import { DatabaseClient } from '#platform/database-client.ts';
import { CommandFailed } from '#commands/command-failed.ts';
import { resealAll, type Resealed } from '#commands/reseal.ts';
import * as texts from '#commands/rotation-texts.ts';
import { migrationsIn } from '#commands/tables.ts';
import { authPurpose } from '#features/auth/auth.secrets.ts';
import {
  type EncryptionKeys,
  findEncryptionKeys,
  keyFileIn,
  keyFingerprint,
  type KeySource,
  leastKeyLength,
  newEncryptionKey,
  writeKeyFile,
} from '#platform/encryption-keys.ts';
import {
  assertCurrent,
  type KeyRecord,
  readKeyRecord,
  recordResealed,
  recordRevoked,
  takeKeysIntoUse,
} from '#platform/key-record.ts';
import { closeToOthers, countConnections, dropLogins, ensureRoles } from '#platform/roles.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { assertSessionsKept } from '#platform/session-check.ts';

export type Rotation = {
  ownerUrl: string;
  source: KeySource;
  /** The new key; null creates one. */
  given: string | null;
  /** Creates a new key, and drops all others at once. */
  revoke: boolean;
  /** Creates no key, and drops all older ones. */
  removeOlder: boolean;
  say: (text: string) => void;
  signal: AbortSignal;
};

/**
 * Replaces the encryption key. Each step can be repeated: the keys that are set and the record in the database tell how far the
 * last run came. First the key file gets the new key, then the database is told, then every sealed value is sealed again; the older
 * keys go last. Throws a CommandFailed, a KeyReplaced or a RolesMissing with what to do.
 */
export async function rotate(rotation: Rotation): Promise<void> {
  const { ownerUrl, source, removeOlder, revoke, say, signal } = rotation;
  // Its lock belongs to the session.
  await assertSessionsKept(ownerUrl);
  const owner = new DatabaseClient({ connectionString: ownerUrl, application_name: 'cuebird rotate-key' });
  await owner.connect();
  try {
    await lock(owner);
    // Read under the lock: another run may just have written the file.
    const set = keysOf(source);
    const record = await recordOf(owner, set);
    const keys = chooseKeys(rotation, { set, record });
    await takeIntoUse(owner, keys);
    const drops = revoke || removeOlder;
    // Before secrets are sealed again: a process with an older key would continue to seal with it.
    const refused = drops ? await dropOlderLogins(owner, keys) : [];
    const resealed = await reseal(owner, keys, { say, signal });
    say(texts.resealedText(resealed, { newest: keyFingerprint(keys.newest) }));
    const connections = await connectionsOf(owner, keys);
    if (connections === 0 || drops) await recordResealed(owner);
    if (drops) await dropOlder(owner, keys, { source });
    const older = keys.older.map(keyFingerprint);
    if (drops) say(texts.droppedText({ source, older, isRevoked: revoke, refused }));
    else if (older.length > 0) say(texts.keptText({ source, older, connections }));
  } finally {
    await owner.end();
  }
}

/** Reads a key, which is the first line of a file. */
export async function readGivenKey(file: string): Promise<string> {
  const content = await readFile(file, 'utf8').catch(() => {
    throw new CommandFailed(`There is no file ${file}.`);
  });
  const key = content.trim();
  if (key.length >= leastKeyLength && !/[\n,]/.test(key)) return key;
  throw new CommandFailed(`${file} must hold one key of at least ${leastKeyLength} characters, without a comma.`);
}

/** Takes a lock that ends with the connection, however the process ends. */
async function lock(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ is_free: boolean }>('select pg_try_advisory_lock($1) as is_free', [
    advisoryLocks.keyRotation,
  ]);
  if (rows[0]?.is_free !== true)
    throw new CommandFailed('The key is being rotated already: wait until that has ended.');
}

function keysOf(source: KeySource): EncryptionKeys {
  const keys = findEncryptionKeys(source);
  if (keys === null) throw new CommandFailed('No encryption key was found.');
  return keys;
}

async function recordOf(owner: Client, keys: EncryptionKeys): Promise<KeyRecord> {
  const record = (await migrationsIn(owner)) === null ? null : await readKeyRecord(owner).catch(() => null);
  if (record === null)
    throw new CommandFailed(
      'This version of Cuebird has not run on this database yet: start it once, then rotate the key.',
    );
  assertCurrent(record, keys);
  if (![keys.newest, ...keys.older].map(keyFingerprint).includes(record.newest))
    throw new CommandFailed(
      `The database was last used with the key of the fingerprint ${record.newest}, which is not set here: it belongs to another installation, or ENCRYPTION_KEY or DATA_DIR is another one.`,
    );
  return record;
}

/** The keys to use from now on: the configured ones where a rotation has begun, else with a new one before them. */
function chooseKeys(
  { source, given, revoke, removeOlder, say }: Rotation,
  { set, record }: { set: EncryptionKeys; record: KeyRecord },
): EncryptionKeys {
  const keys = { ...set, older: set.older.filter((key) => !record.revoked.includes(keyFingerprint(key))) };
  const hasBegun = record.newest !== keyFingerprint(keys.newest) || !record.is_resealed;
  if (removeOlder && set.older.length === 0)
    throw new CommandFailed('There is no older key: only the newest one is set.');
  if (hasBegun) {
    if (given !== null && given !== keys.newest)
      throw new CommandFailed('A rotation has begun with another key: run this without --key-file first.');
    say(texts.continuedText);
    return keys;
  }
  if (removeOlder) return keys;
  if (source.envKey) return keysOfEnvironment(keys, { given, revoke });
  const newest = given ?? newEncryptionKey();
  if ([keys.newest, ...keys.older].includes(newest)) throw new CommandFailed('The given key is set already.');
  const chosen = { newest, older: [keys.newest, ...keys.older] };
  write(source, chosen);
  say(texts.madeText({ file: keyFileIn(source.dataDir), newest: keyFingerprint(newest) }));
  return chosen;
}

/** Where the keys are in the environment, this command cannot change them: it prints what to set, and continues when run again after that. */
function keysOfEnvironment(
  keys: EncryptionKeys,
  { given, revoke }: { given: string | null; revoke: boolean },
): EncryptionKeys {
  if (keys.newest.includes(','))
    throw new CommandFailed(
      'ENCRYPTION_KEY has a comma, so that it cannot be one of OLDER_ENCRYPTION_KEYS. Write it into encryption.key in DATA_DIR instead, unset ENCRYPTION_KEY, restart, and run this again.',
    );
  if (revoke && keys.older.length > 0) return keys;
  throw new CommandFailed(texts.environmentText(keys, given ?? newEncryptionKey()));
}

function write(source: KeySource, keys: EncryptionKeys): void {
  try {
    writeKeyFile(source.dataDir, keys);
  } catch (error) {
    throw new CommandFailed(
      `${keyFileIn(source.dataDir)} cannot be written (${error instanceof Error ? error.message : String(error)}). Nothing was changed: make it and its folder writable for this account, then run this again.`,
    );
  }
}

async function takeIntoUse(owner: Client, keys: EncryptionKeys): Promise<void> {
  await ensureRoles(owner, keys.newest);
  await closeToOthers(owner, keys.newest);
  if (!(await takeKeysIntoUse(owner, keys))) throw new Error('the keys of the database have changed meanwhile');
}

async function reseal(
  owner: Client,
  { newest, older }: EncryptionKeys,
  { say, signal }: Pick<Rotation, 'say' | 'signal'>,
): Promise<Resealed> {
  const box = createSecretBox(newest, older);
  const [current, ...former] = box.deriveKeys(authPurpose).map((key) => key.toString('base64url'));
  if (current === undefined) throw new Error('a box has a key');
  let said = 0;
  const onBatch = (values: number) => {
    if (values < said + 1_000) return;
    said = values;
    say(`${values.toLocaleString('en')} values are sealed again.`);
  };
  return resealAll(owner, { box, authSecrets: [current, ...former] }, { signal, onBatch });
}

async function connectionsOf(owner: Client, { older }: EncryptionKeys): Promise<number> {
  let connections = 0;
  for (const key of older) connections += await countConnections(owner, key);
  return connections;
}

/** Drops the database logins of older keys. Returns the statements that an administrator of the server has to run. */
async function dropOlderLogins(owner: Client, { older }: EncryptionKeys): Promise<string[]> {
  const refused: string[] = [];
  for (const key of older) refused.push(...(await dropLogins(owner, key)));
  return refused;
}

/** Drops the older keys. The record comes first, so that processes ignore keys that are still in the file. */
async function dropOlder(
  owner: Client,
  { newest, older }: EncryptionKeys,
  { source }: { source: KeySource },
): Promise<void> {
  await recordRevoked(owner, older.map(keyFingerprint));
  if (!source.envKey) write(source, { newest, older: [] });
}
