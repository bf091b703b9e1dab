import { hkdfSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export type EncryptionKey = string | Buffer;

/** The keys of an installation. The newest one seals and signs; the older ones still open and check what they made. */
export type EncryptionKeys = { newest: string; older: readonly string[] };

/** Where the keys come from. */
export type KeySource = {
  /** The value of `ENCRYPTION_KEY`; without it the key file in the data folder counts. */
  envKey: string | undefined;
  /** The values of `OLDER_ENCRYPTION_KEYS`. */
  envOlder?: readonly string[];
  dataDir: string;
};

export const leastKeyLength = 32;

/**
 * The installation's keys: `ENCRYPTION_KEY` where it is set, else the file `encryption.key` in the data folder, which is
 * made on the first start and readable by its owner only. It has a key on each line, the newest first. Throws a sentence
 * naming what is wrong with either.
 */
export const loadEncryptionKeys = (source: KeySource): EncryptionKeys =>
  findEncryptionKeys(source) ?? keysIn(makeKeyFile(source.dataDir), source);

/** The installation's keys; null where none exists yet. */
export function findEncryptionKeys(source: KeySource): EncryptionKeys | null {
  const { envKey, envOlder = [] } = source;
  if (envKey) {
    if (envKey.length >= leastKeyLength) return withoutRepeats([envKey, ...envOlder]);
    throw new Error(`ENCRYPTION_KEY has ${envKey.length} characters; it needs at least ${leastKeyLength}`);
  }
  const text = readKeyFile(keyFileIn(source.dataDir));
  return text === null ? null : keysIn(text, source);
}

export const keyFileIn = (dataDir: string) => join(dataDir, 'encryption.key');

export const newEncryptionKey = (): string => randomBytes(32).toString('base64url');

/** A fingerprint of a key: 16 hexadecimal digits that reveal nothing of it. */
export const keyFingerprint = (key: EncryptionKey): string =>
  deriveFrom(key, 'fingerprint').toString('hex').slice(0, 16);

/** 32 bytes for one purpose, always the same for the same key and purpose. */
export function deriveFrom(key: EncryptionKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, 'cuebird', purpose, 32));
}

/** Replaces the key file in one step: a process that reads it meanwhile gets the former keys or these, never half of them. */
export function writeKeyFile(dataDir: string, { newest, older }: EncryptionKeys): void {
  // Resolved, so that a link, as to a mounted secret, stays a link.
  const path = realpathSync(keyFileIn(dataDir));
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  writeFileSync(draft, [newest, ...older, ''].join('\n'), { mode: 0o600, flag: 'wx', flush: true });
  renameSync(draft, path);
}

function keysIn(text: string, { dataDir, envOlder = [] }: KeySource): EncryptionKeys {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (keys.length === 0 || keys.some((key) => key.length < leastKeyLength))
    throw new Error(
      `${keyFileIn(dataDir)} holds no key of at least ${leastKeyLength} characters, or a line that is none. Restore it: without it no stored secret can be opened`,
    );
  return withoutRepeats([...keys, ...envOlder]);
}

function withoutRepeats([newest = '', ...older]: readonly string[]): EncryptionKeys {
  return { newest, older: [...new Set(older)].filter((key) => key !== newest) };
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

/** Written to another file and linked into place: of two processes that start at once one wins, and nobody reads half a file. */
function makeKeyFile(dataDir: string): string {
  const path = keyFileIn(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(aside, `${newEncryptionKey()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(aside, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(aside);
  }
  return readFileSync(path, 'utf8').trim();
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
