import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { deriveFrom, type EncryptionKey, keyFingerprint } from '#platform/encryption-keys.ts';

/**
 * The context of a sealed value. It opens nowhere else, so that a value copied between rows or workspaces is useless.
 */
export type SecretContext = { workspaceId: string; channelId: string } | { workspaceId: string; purpose: string };

export type SecretBox = {
  /** Seals text as `v1.<key id>.<iv>.<ciphertext>.<tag>` (AES-256-GCM, base64url). */
  seal(plain: string, context: SecretContext): string;
  /** Opens what `seal` made with any of the box's keys. Throws when it was altered, moved or sealed with another key. */
  open(sealed: string, context: SecretContext): string;
  /** Which of the box's keys a text was sealed with. */
  keyOf(sealed: string): 'newest' | 'older' | 'unknown';
  /** The ids of the older keys, as sealed texts name them. */
  olderKeyIds(): readonly string[];
  /** Derives 32 bytes for another purpose (cookies, tokens), always the same for the same key and purpose. */
  deriveKey(purpose: string): Buffer;
  /** `deriveKey` with every key, the newest first: what was made before a rotation still counts. */
  deriveKeys(purpose: string): readonly Buffer[];
  /** Stops using the older keys with these fingerprints, to open or to derive anything. */
  forget(fingerprints: readonly string[]): void;
};

/**
 * @param encryptionKey The newest one, which seals.
 * @param olderKeys Open what was sealed, and check what was made, before a rotation.
 */
export function createSecretBox(encryptionKey: EncryptionKey, olderKeys: readonly EncryptionKey[] = []): SecretBox {
  const current = sealingKey(encryptionKey);
  let older = olderKeys.map((key) => ({ ...sealingKey(key), source: key }));

  function bytesOf(keyId: string): Buffer | undefined {
    return keyId === current.id ? current.bytes : older.find(({ id }) => id === keyId)?.bytes;
  }

  function seal(plain: string, context: SecretContext): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', current.bytes, iv).setAAD(boundTo(context, current.id));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return ['v1', current.id, ...[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
  }

  function open(sealed: string, context: SecretContext): string {
    const [version, keyId, iv, text, tag] = sealed.split('.');
    if (version !== 'v1' || !keyId || !iv || text === undefined || !tag) throw new Error('This is not a sealed secret');
    const bytes = bytesOf(keyId);
    if (!bytes) throw new Error(`This secret was sealed with another encryption key (${keyId})`);
    const decipher = createDecipheriv('aes-256-gcm', bytes, Buffer.from(iv, 'base64url'), { authTagLength: 16 })
      .setAAD(boundTo(context, keyId))
      .setAuthTag(Buffer.from(tag, 'base64url'));
    return Buffer.concat([decipher.update(text, 'base64url'), decipher.final()]).toString('utf8');
  }

  const deriveKey = (purpose: string) => deriveFrom(encryptionKey, `purpose: ${purpose}`);

  return {
    seal,
    open,
    keyOf(sealed) {
      const keyId = /^v1\.([0-9a-f]{8})\./.exec(sealed)?.[1] ?? '';
      if (keyId === current.id) return 'newest';
      return bytesOf(keyId) === undefined ? 'unknown' : 'older';
    },
    olderKeyIds: () => older.map(({ id }) => id),
    deriveKey,
    deriveKeys: (purpose) => [
      deriveKey(purpose),
      ...older.map(({ source }) => deriveFrom(source, `purpose: ${purpose}`)),
    ],
    forget(fingerprints) {
      older = older.filter(({ source }) => !fingerprints.includes(keyFingerprint(source)));
    },
  };
}

function sealingKey(source: EncryptionKey): { id: string; bytes: Buffer } {
  const bytes = deriveFrom(source, 'channel secrets');
  return { bytes, id: createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, 8) };
}

function boundTo(context: SecretContext, keyId: string): Buffer {
  // These cannot be confused: a purpose is a sentence, a channel's id a UUID.
  const within = 'channelId' in context ? context.channelId : context.purpose;
  return Buffer.from(JSON.stringify(['v1', keyId, context.workspaceId, within]));
}
