import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type ChannelType, channelTypes } from '#contract/reminders.ts';
import type { SecretBox } from '#platform/secrets.ts';

/** Who is written to by whom, and how. */
export type Addressee = { workspaceId: string; channel: ChannelType; recipient: string };

export type UnsubscribeTokens = {
  /** Always the same for the same addressee, so that every attempt of a mail is the same mail. */
  seal(addressee: Addressee): string;
  /** Null for what this installation has not sealed. */
  open(token: string): Addressee | null;
};

const ivBytes = 12;
const tagBytes = 16;
const idBytes = 16;

/**
 * The token in a link to unsubscribe: workspace, channel and recipient, sealed by AES-256-GCM under a key of the
 * installation's, in base64url. The nonce is an HMAC of what is sealed: the same only for the same text. No address can be read
 * from a link, none can be made up, and no row has to be kept for it.
 */
export function createUnsubscribeTokens(secrets: SecretBox): UnsubscribeTokens {
  const key = createSecretKey(secrets.deriveKey('unsubscribe links'));
  const nonceKey = createSecretKey(secrets.deriveKey('nonces of unsubscribe links'));
  return {
    seal({ workspaceId, channel, recipient }) {
      const plain = Buffer.concat([
        Buffer.from(workspaceId.replaceAll('-', ''), 'hex'),
        Buffer.from(`${channel}\0${recipient}`, 'utf8'),
      ]);
      const iv = createHmac('sha256', nonceKey).update(plain).digest().subarray(0, ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },
    open(token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length <= ivBytes + idBytes + tagBytes || bytes.toString('base64url') !== token) return null;
      const plain = decrypt(bytes, key);
      if (plain === null) return null;
      const id = plain.subarray(0, idBytes).toString('hex');
      const [named, recipient] = plain.subarray(idBytes).toString('utf8').split('\0');
      const channel = channelTypes.find((type) => type === named);
      if (channel === undefined || recipient === undefined) return null;
      const workspaceId = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      return { workspaceId, channel, recipient };
    },
  };
}

function decrypt(bytes: Buffer, key: KeyObject): Buffer | null {
  const opener = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  opener.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([opener.update(bytes.subarray(ivBytes, -tagBytes)), opener.final()]);
  } catch {
    // Somebody else's, or altered on its way.
    return null;
  }
}
