import { createHmac, timingSafeEqual } from 'node:crypto';

/** The hook that a token opens: of which reminder, and how many addresses it had before this one. */
export type HookPlace = { workspaceId: string; reminderId: string; generation: number };

const placeBytes = 36;
const macBytes = 16;
const form = /^[\w-]{70}$/;

/**
 * The token in a hook's address: the place and 128 bits of its HMAC in base64url. Nothing that opens the hook is kept in the
 * database, and a made-up token is refused without asking it.
 * @param key derived from the installation's encryption key
 */
export function hookToken(place: HookPlace, key: Buffer): string {
  const bytes = bytesOf(place);
  return Buffer.concat([bytes, macOf(bytes, key)]).toString('base64url');
}

/** Null for what this installation has not made. */
export function openHookToken(token: string, key: Buffer): HookPlace | null {
  if (!form.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const place = bytes.subarray(0, placeBytes);
  if (!timingSafeEqual(bytes.subarray(placeBytes, placeBytes + macBytes), macOf(place, key))) return null;
  return {
    workspaceId: uuidOf(place.subarray(0, 16)),
    reminderId: uuidOf(place.subarray(16, 32)),
    generation: place.readUInt32BE(32),
  };
}

function bytesOf({ workspaceId, reminderId, generation }: HookPlace): Buffer {
  const bytes = Buffer.alloc(placeBytes);
  bytes.write(workspaceId.replaceAll('-', ''), 0, 'hex');
  bytes.write(reminderId.replaceAll('-', ''), 16, 'hex');
  bytes.writeUInt32BE(generation, 32);
  return bytes;
}

const macOf = (place: Buffer, key: Buffer) => createHmac('sha256', key).update(place).digest().subarray(0, macBytes);

const uuidOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
