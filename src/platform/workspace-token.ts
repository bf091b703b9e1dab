const secretBytes = 32;
const form = /^[\w-]{64}$/;

/**
 * A token of 64 characters: 256 random bits, then the id of its workspace, which allows the lookup under row-level security.
 * @param random 32 random bytes
 */
export function workspaceToken(workspaceId: string, random: Buffer): string {
  if (random.length !== secretBytes) throw new Error(`a token needs ${secretBytes} random bytes`);
  return Buffer.concat([random, Buffer.from(workspaceId.replaceAll('-', ''), 'hex')]).toString('base64url');
}

/** The workspace id in a token, null where the text is no token. Only the database knows whether it is valid. */
export function workspaceOfToken(token: string): string | null {
  if (!form.test(token)) return null;
  const hex = Buffer.from(token, 'base64url').subarray(secretBytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
