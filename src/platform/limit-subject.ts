import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** The subject of a rate limit. Hashed: the table of counts stores no mail addresses and no client addresses. */
export const limitSubject = (parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

type Network = { network: string; times: number };

/**
 * The networks in which a limit counts an address, the widest first, each with how many times the limit all of it may use. One customer with IPv6 has
 * 2^64 addresses, or 256 or 65,536 networks of so many: they share a /64, a /56 (RFC 6177) or a /48.
 */
export function networksOf(clientAddress: string | null): readonly Network[] {
  const bytes = bytesOf(clientAddress);
  if (bytes === null) return [{ network: 'unknown', times: 1 }];
  if (bytes.length === 4) return [{ network: bytes.join('.'), times: 1 }];
  return prefixes.map(({ length, times }) => ({ network: bytes.slice(0, length).join('.'), times }));
}

/** In bytes. */
const prefixes = [
  { length: 6, times: 16 },
  { length: 7, times: 4 },
  { length: 8, times: 1 },
] as const;

/** The narrowest network of an address that one customer has. */
export const networkOf = (clientAddress: string | null): string =>
  networksOf(clientAddress).at(-1)?.network ?? 'unknown';

const bytesOf = (address: string | null): number[] | null =>
  address === null || !ipaddr.isValid(address) ? null : ipaddr.process(address).toByteArray();
