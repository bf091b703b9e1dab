import { createHmac, timingSafeEqual } from 'node:crypto';

const macBytes = 16;

/**
 * The token of an address: what it leads to and 128 bits of the HMAC of that, in base64url. The database stores nothing that opens it, and a
 * forged token is refused without a query.
 */
export const signTarget = (target: Buffer, key: Buffer): string =>
  Buffer.concat([target, macOf(target, key)]).toString('base64url');

/** What a token leads to, in so many bytes; null where none of the keys has signed it. */
export function openTarget(token: string, { bytes, keys }: { bytes: number; keys: readonly Buffer[] }): Buffer | null {
  if (!/^[\w-]+$/.test(token) || token.length !== Math.ceil(((bytes + macBytes) * 4) / 3)) return null;
  const signed = Buffer.from(token, 'base64url');
  const target = signed.subarray(0, bytes);
  return keys.some((key) => timingSafeEqual(signed.subarray(bytes), macOf(target, key))) ? target : null;
}

const macOf = (target: Buffer, key: Buffer) => createHmac('sha256', key).update(target).digest().subarray(0, macBytes);

export const bytesOfUuids = (...uuids: string[]): Buffer => Buffer.from(uuids.join('').replaceAll('-', ''), 'hex');

export const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
