import { createHash } from 'node:crypto';

const secretBytes = 32;
const idBytes = 16;
const form = /^cue_[\w-]{64}$/;

/**
 * A key is `cue_` and 48 bytes in base64url: 256 random bits, then its workspace id. The id allows the lookup under
 * row-level security, and the random prefix that screens show tells keys apart.
 * @param random 32 random bytes
 */
export function apiKeyOf(workspaceId: string, random: Buffer): string {
  if (random.length !== secretBytes) throw new Error(`an API key needs ${secretBytes} random bytes`);
  const id = Buffer.from(workspaceId.replaceAll('-', ''), 'hex');
  return `cue_${Buffer.concat([random, id]).toString('base64url')}`;
}

/** The workspace id in a key, null where the text is no key. Only the database knows whether the key is valid. */
export function workspaceOfApiKey(key: string): string | null {
  if (!form.test(key)) return null;
  const hex = Buffer.from(key.slice(4), 'base64url')
    .subarray(secretBytes, secretBytes + idBytes)
    .toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The hash that is stored of a key. 256 random bits need no salt and no slow hash, and an index finds the hash. */
export const hashOfApiKey = (key: string) => createHash('sha256').update(key).digest('base64url');

export const prefixOfApiKey = (key: string) => key.slice(0, 12);
