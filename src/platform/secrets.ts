import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The context of a sealed value. It opens nowhere else, so that a value copied between rows or workspaces is useless.
 */
export type SecretContext = { workspaceId: string; channelId: string } | { workspaceId: string; purpose: string };

export type SecretBox = {
  /** Seals text as `v1.<key id>.<iv>.<ciphertext>.<tag>` (AES-256-GCM, base64url). */
  seal(plain: string, context: SecretContext): string;
  /** Opens what `seal` made with any of the box's keys. Throws when it was altered, moved or sealed with another key. */
  open(sealed: string, context: SecretContext): string;
  /** 32 bytes for one other purpose (role passwords, cookies, tokens), always the same for the same key and purpose. */
  deriveKey(purpose: string): Buffer;
};

export type EncryptionKey = string | Buffer;

/**
 * @param encryptionKey Seals, opens and derives.
 * @param olderKeys Only open: what was sealed before a rotation.
 */
export function createSecretBox(encryptionKey: EncryptionKey, olderKeys: readonly EncryptionKey[] = []): SecretBox {
  const current = sealingKey(encryptionKey);
  const known = new Map([...olderKeys.map(sealingKey), current].map((key) => [key.id, key.bytes]));

  function seal(plain: string, context: SecretContext): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', current.bytes, iv).setAAD(boundTo(context, current.id));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return ['v1', current.id, ...[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
  }

  function open(sealed: string, context: SecretContext): string {
    const [version, keyId, iv, text, tag] = sealed.split('.');
    if (version !== 'v1' || !keyId || !iv || text === undefined || !tag) throw new Error('This is not a sealed secret');
    const bytes = known.get(keyId);
    if (!bytes) throw new Error(`This secret was sealed with another encryption key (${keyId})`);
    const decipher = createDecipheriv('aes-256-gcm', bytes, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
      .setAAD(boundTo(context, keyId))
      .setAuthTag(Buffer.from(tag, 'base64url'));
    return Buffer.concat([decipher.update(text, 'base64url'), decipher.final()]).toString('utf8');
  }

  return { seal, open, deriveKey: (purpose) => derive(encryptionKey, `purpose: ${purpose}`) };
}

/** A fingerprint of a key: 16 hexadecimal digits that reveal nothing of it. */
export const keyFingerprint = (key: EncryptionKey): string => derive(key, 'fingerprint').toString('hex').slice(0, 16);

/**
 * The installation's key: `ENCRYPTION_KEY` where it is set, else the file `encryption.key` in the data folder, which is
 * made on the first start and readable by its owner only. Throws a sentence naming what is wrong with either.
 */
export const loadEncryptionKey = (context: KeySource): string =>
  findEncryptionKey(context) ?? assertLong(makeKeyFile(keyFileIn(context), context.dataDir), context);

/** The installation's key; null where none exists yet. */
export function findEncryptionKey(context: KeySource): string | null {
  if (context.envKey) {
    if (context.envKey.length >= 32) return context.envKey;
    throw new Error(`ENCRYPTION_KEY has ${context.envKey.length} characters; it needs at least 32`);
  }
  const key = readKeyFile(keyFileIn(context));
  return key === null ? null : assertLong(key, context);
}

type KeySource = { envKey: string | undefined; dataDir: string };

const keyFileIn = ({ dataDir }: KeySource) => join(dataDir, 'encryption.key');

function assertLong(key: string, context: KeySource): string {
  if (key.length >= 32) return key;
  throw new Error(
    `${keyFileIn(context)} holds no key of at least 32 characters. Restore it: without it no stored secret can be opened`,
  );
}

function readKeyFile(path: string): string | null {
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** Written aside and linked into place: of two processes that start at once one wins, and no half file is ever read. */
function makeKeyFile(path: string, dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(aside, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(aside, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(aside);
  }
  return readFileSync(path, 'utf8').trim();
}

function sealingKey(source: EncryptionKey): { id: string; bytes: Buffer } {
  const bytes = derive(source, 'channel secrets');
  return { bytes, id: createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, 8) };
}

function derive(source: EncryptionKey, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', source, 'cuebird', info, 32));
}

function boundTo(context: SecretContext, keyId: string): Buffer {
  // A purpose is a sentence and a channel's id a UUID: one is never taken for the other.
  const within = 'channelId' in context ? context.channelId : context.purpose;
  return Buffer.from(JSON.stringify(['v1', keyId, context.workspaceId, within]));
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
