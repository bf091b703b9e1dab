import { createHash } from 'node:crypto';

/** The hash that is stored of a random token. Its bits, 190 at least, need no salt and no slow hash, and an index finds the hash. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
