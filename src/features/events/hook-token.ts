import { createHmac, timingSafeEqual } from 'node:crypto';

/** The hook that a token belongs to. `generation` counts how often its address was replaced. */
export type HookTarget = { workspaceId: string; reminderId: string; generation: number };

const targetBytes = 36;
const macBytes = 16;
const form = /^[\w-]{70}$/;

/**
 * The token in a hook's address: the hook's identity and 128 bits of its HMAC in base64url. The database stores nothing
 * that opens the hook, and a forged token is refused without a query.
 * @param key derived from the installation's encryption key
 */
export function hookToken(target: HookTarget, key: Buffer): string {
  const bytes = bytesOf(target);
  return Buffer.concat([bytes, macOf(bytes, key)]).toString('base64url');
}

/**
 * Returns null for a token that this installation did not create.
 * @param keys derived from each encryption key of the installation
 */
export function openHookToken(token: string, keys: readonly Buffer[]): HookTarget | null {
  if (!form.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const target = bytes.subarray(0, targetBytes);
  const mac = bytes.subarray(targetBytes, targetBytes + macBytes);
  if (!keys.some((key) => timingSafeEqual(mac, macOf(target, key)))) return null;
  return {
    workspaceId: uuidOf(target.subarray(0, 16)),
    reminderId: uuidOf(target.subarray(16, 32)),
    generation: target.readUInt32BE(32),
  };
}

function bytesOf({ workspaceId, reminderId, generation }: HookTarget): Buffer {
  const bytes = Buffer.alloc(targetBytes);
  bytes.write(workspaceId.replaceAll('-', ''), 0, 'hex');
  bytes.write(reminderId.replaceAll('-', ''), 16, 'hex');
  bytes.writeUInt32BE(generation, 32);
  return bytes;
}

const macOf = (target: Buffer, key: Buffer) => createHmac('sha256', key).update(target).digest().subarray(0, macBytes);

const uuidOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
