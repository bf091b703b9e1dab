import { createDecipheriv, createECDH, createHmac, type ECDH } from 'node:crypto';
import type { Accounts } from '#sandbox/accounts.ts';

/**
 * The keys that a browser creates when it subscribes. Only the public key and the auth secret go to the application.
 */
export type PushKeys = { pair: ECDH; publicKey: Buffer; auth: Buffer };

export function pushKeysOf({
  accounts,
  workspaceId,
  name,
}: {
  accounts: Accounts;
  workspaceId: string;
  name: string;
}): PushKeys {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(accounts.secretOf(`push private key ${name}`, workspaceId, 64), 'hex');
  const auth = Buffer.from(accounts.secretOf(`push auth ${name}`, workspaceId, 32), 'hex');
  return { pair, publicKey: pair.getPublicKey(), auth };
}

/** Decrypts a body of `aes128gcm` like the browser (RFC 8188, section 2; RFC 8291, section 3). */
export function openPushMessage(body: Buffer, keys: PushKeys): { text: string } | { problem: string } {
  const [salt, recordSize, idLength] = [
    body.subarray(0, 16),
    body.length < 21 ? 0 : body.readUInt32BE(16),
    body[20] ?? 0,
  ];
  const sender = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  if (sender.length !== 65 || sender[0] !== 4) return { problem: 'Invalid crypto keys: the header holds no P-256 key' };
  if (recordSize < 18 || record.length > recordSize || record.length < 17)
    return { problem: 'Invalid crypto keys: a push message is one record' };
  try {
    const shared = keys.pair.computeSecret(sender);
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.publicKey, sender]);
    const secret = hmac(hmac(keys.auth, shared), Buffer.concat([info, one]));
    const derived = hmac(salt, secret);
    const key = hmac(derived, Buffer.concat([Buffer.from('Content-Encoding: aes128gcm\0'), one])).subarray(0, 16);
    const nonce = hmac(derived, Buffer.concat([Buffer.from('Content-Encoding: nonce\0'), one])).subarray(0, 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce);
    decipher.setAuthTag(record.subarray(-16));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
    const end = padded.findLastIndex((byte) => byte !== 0);
    // 2 delimits the padding of the last record.
    return padded[end] === 2
      ? { text: padded.subarray(0, end).toString() }
      : { problem: 'Invalid crypto keys: the padding has no delimiter' };
  } catch {
    return { problem: 'Invalid crypto keys: the message cannot be decrypted' };
  }
}

const one = Buffer.from([1]);
const hmac = (key: Buffer, content: Buffer) => createHmac('sha256', key).update(content).digest();
