import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** The subject of a rate limit. Hashed: the table of counts stores no mail addresses and no client addresses. */
export const limitSubject = (parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** The network that a limit counts an address as: one customer with IPv6 has 2^64 addresses, which count as one. */
export function networkOf(clientAddress: string | null): string {
  if (clientAddress === null || !ipaddr.isValid(clientAddress)) return 'unknown';
  const bytes = ipaddr.process(clientAddress).toByteArray();
  return (bytes.length === 4 ? bytes : bytes.slice(0, 8)).join('.');
}
