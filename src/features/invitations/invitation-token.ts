import { createHash } from 'node:crypto';

const secretBytes = 32;
const form = /^[\w-]{64}$/;

/**
 * The token in an invitation's link: 256 random bits, then the id of its workspace, which allows the lookup under row-level security.
 * @param random 32 random bytes
 */
export function invitationToken(workspaceId: string, random: Buffer): string {
  if (random.length !== secretBytes) throw new Error(`an invitation needs ${secretBytes} random bytes`);
  return Buffer.concat([random, Buffer.from(workspaceId.replaceAll('-', ''), 'hex')]).toString('base64url');
}

/** The workspace id in a token, null where the text is no token. Only the database knows whether it is valid. */
export function workspaceOfInvitation(token: string): string | null {
  if (!form.test(token)) return null;
  const hex = Buffer.from(token, 'base64url').subarray(secretBytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The hash that is stored. 256 random bits need no salt and no slow hash, and an index finds the hash. */
export const hashOfInvitation = (token: string) => createHash('sha256').update(token).digest('base64url');
