import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import type { SecretBox } from '#platform/secrets.ts';

/** What a link stops: messages of a workspace over a channel to a recipient, about the topic of its own message where that has one, or one monthly report to an address. */
export type LinkTarget = { workspaceId: string; recipient: string } & (
  | {
      stops: 'messages';
      channel: ChannelType;
      topicId?: string | null;
      /** Of a link that its recipient asked for: until when it may do more than that of a message. */
      freshUntil?: Temporal.Instant;
    }
  | { stops: 'monthly_report'; id: string }
);

export type UnsubscribeTokens = {
  /** The same target always gets the same token, so that every attempt sends an identical mail. */
  seal(target: LinkTarget): string;
  /** Returns null for a token that this installation did not create. */
  open(token: string): LinkTarget | null;
};

const ivBytes = 12;
const tagBytes = 16;
const idBytes = 16;

const purpose = 'unsubscribe links';

/**
 * The token of an unsubscribe link: its target, encrypted by AES-256-GCM with a key of the installation, in
 * base64url. The nonce is an HMAC of the plaintext, so a nonce repeats only for the same text. A link reveals no address, cannot be
 * forged, and needs no row in the database.
 */
export function createUnsubscribeTokens(secrets: SecretBox): UnsubscribeTokens {
  const key = createSecretKey(secrets.deriveKey(purpose));
  const nonceKey = createSecretKey(secrets.deriveKey('nonces of unsubscribe links'));
  return {
    seal(target) {
      const plain = Buffer.concat([
        Buffer.from(target.workspaceId.replaceAll('-', ''), 'hex'),
        Buffer.from(textOf(target), 'utf8'),
      ]);
      const iv = createHmac('sha256', nonceKey).update(plain).digest().subarray(0, ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },
    open(token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length <= ivBytes + idBytes + tagBytes || bytes.toString('base64url') !== token) return null;
      const plain = secrets
        .deriveKeys(purpose)
        .reduce<Buffer | null>((opened, each) => opened ?? decrypt(bytes, createSecretKey(each)), null);
      if (plain === null) return null;
      const id = plain.subarray(0, idBytes).toString('hex');
      const [named, recipient, reportId, topic = null, freshUntil] = plain
        .subarray(idBytes)
        .toString('utf8')
        .split('\0');
      if (recipient === undefined) return null;
      const workspaceId = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      if (reportId !== undefined && topic === null)
        return { stops: 'monthly_report', workspaceId, recipient, id: reportId };
      const channel = channelTypes.find((type) => type === named);
      if (channel === undefined) return null;
      return {
        stops: 'messages',
        workspaceId,
        channel,
        recipient,
        topicId: topic === '' ? null : topic,
        ...(freshUntil !== undefined && {
          freshUntil: Temporal.Instant.fromEpochMilliseconds(Number.parseInt(freshUntil, 36)),
        }),
      };
    },
  };
}

/** The text of a token: channel and recipient, and the id of a monthly report, or after an empty one that of a topic, and until when it is fresh. */
function textOf(target: LinkTarget): string {
  if (target.stops === 'monthly_report') return ['email', target.recipient, target.id].join('\0');
  const { channel, recipient, topicId = null, freshUntil } = target;
  const fresh = freshUntil === undefined ? [] : [freshUntil.epochMilliseconds.toString(36)];
  const topic = topicId === null && freshUntil === undefined ? [] : ['', topicId ?? ''];
  return [channel, recipient, ...topic, ...fresh].join('\0');
}

function decrypt(bytes: Buffer, key: KeyObject): Buffer | null {
  const opener = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  opener.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return Buffer.concat([opener.update(bytes.subarray(ivBytes, -tagBytes)), opener.final()]);
  } catch {
    // It was made with another key, or altered.
    return null;
  }
}
