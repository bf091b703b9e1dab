import { createHash } from 'node:crypto';

const secretBytes = 32;
const idBytes = 16;
const form = /^cue_[\w-]{64}$/;

/**
 * A key is `cue_` and 48 bytes in base64url: 256 random bits, then its workspace. So that a key can be looked up where
 * its workspace alone is seen, and the beginning that is shown tells keys apart.
 * @param random 32 random bytes
 */
export function apiKeyOf(workspaceId: string, random: Buffer): string {
  if (random.length !== secretBytes) throw new Error(`an API key needs ${secretBytes} random bytes`);
  const id = Buffer.from(workspaceId.replaceAll('-', ''), 'hex');
  return `cue_${Buffer.concat([random, id]).toString('base64url')}`;
}

/** The workspace that a key names, null for what is no key. Whether the key is good, the database says. */
export function workspaceOfApiKey(key: string): string | null {
  if (!form.test(key)) return null;
  const hex = Buffer.from(key.slice(4), 'base64url')
    .subarray(secretBytes, secretBytes + idBytes)
    .toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** What is kept of a key. 256 random bits need no salt and no slow hash, and an index finds it in constant time. */
export const hashOfApiKey = (key: string) => createHash('sha256').update(key).digest('base64url');

export const prefixOfApiKey = (key: string) => key.slice(0, 12);
