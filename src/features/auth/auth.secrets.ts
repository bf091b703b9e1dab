import { createHash } from 'node:crypto';
import { signJWT, symmetricDecrypt, symmetricEncrypt, verifyJWT } from 'better-auth/crypto';
import { z } from 'zod';

/** The secrets of sign-in, one for each encryption key: the newest signs and seals, the others are still accepted. */
export type AuthSecrets = () => readonly [string, ...string[]];

/** The purpose for which they are derived from the keys. */
export const authPurpose = 'sessions';

/** How better-auth names a secret in what it seals: a number that depends on the secret and does not reveal it. */
export const versionOf = (secret: string): number =>
  createHash('sha256').update(`version ${secret}`).digest().readUIntBE(0, 6);

/** Seals as better-auth does: `$ba$<version>$<hexadecimal digits>`. */
export const sealWith = (secret: string, data: string): Promise<string> =>
  symmetricEncrypt({ key: configOf(secret), data });

/** Opens what better-auth or `sealWith` sealed with any of the secrets. Throws when none of them did. */
export async function openWithAny(secrets: readonly string[], data: string): Promise<string> {
  const version = Number(/^\$ba\$(\d+)\$/.exec(data)?.[1]);
  // Without a version the value was sealed before the first rotation.
  const candidates = secrets.filter((secret) => Number.isNaN(version) || versionOf(secret) === version);
  for (const secret of candidates) {
    try {
      return await symmetricDecrypt({ key: configOf(secret), data });
    } catch {
      // It was sealed with another secret.
    }
  }
  throw new Error('This was sealed with another encryption key');
}

const configOf = (secret: string) => ({
  keys: new Map([[versionOf(secret), secret]]),
  currentVersion: versionOf(secret),
  legacySecret: secret,
});

const Expiring = z.looseObject({ exp: z.number() });

/** The token of a mail's link, signed by an older secret, as the newest would have signed it. */
export async function resignToken(token: string, [newest, ...older]: readonly [string, ...string[]]): Promise<string> {
  for (const secret of older) {
    const { data: content } = Expiring.safeParse(await verifyJWT<unknown>(token, secret));
    if (content !== undefined) return signJWT(content, newest, content.exp - Math.floor(Date.now() / 1_000));
  }
  return token;
}
