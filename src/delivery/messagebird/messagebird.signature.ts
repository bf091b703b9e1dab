import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Callback } from '#delivery/adapter.ts';
import { parseJson } from '#delivery/answer.ts';
import { isSameSecret } from '#platform/same-secret.ts';

const Header = z.object({ alg: z.enum(['HS256', 'HS384', 'HS512']) });
const hashes = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;

const Claims = z.object({
  iss: z.literal('MessageBird'),
  jti: z.string(),
  nbf: z.number().optional(),
  exp: z.number(),
  url_hash: z.string(),
  payload_hash: z.string().optional(),
});

const toleranceSeconds = 60;

/**
 * Checks `MessageBird-Signature-JWT`: a JWT under the account's signing key with the SHA-256 of the URL and of the
 * body, if there is one (developers.messagebird.com "Verify webhooks"). Returns the problem; null when it is valid.
 */
export function messageBirdSignatureProblem(
  { url, headers, body }: Pick<Callback, 'url' | 'headers' | 'body'>,
  { signingKey, now }: { signingKey: string | undefined; now: Temporal.Instant },
): string | null {
  if (signingKey === undefined) return 'The channel has no signing key to verify this request';
  const [head = '', payload = '', signature = ''] = (headers.get('messagebird-signature-jwt') ?? '').split('.');
  const header = Header.safeParse(decoded(head));
  if (!header.success) return 'MessageBird-Signature-JWT is missing or has an unknown algorithm';
  const mac = createHmac(hashes[header.data.alg], signingKey).update(`${head}.${payload}`).digest('base64url');
  const claims = Claims.safeParse(decoded(payload));
  if (!isSameSecret(signature, mac) || !claims.success)
    return 'MessageBird-Signature-JWT is not signed with the signing key';
  const { nbf = 0, exp, url_hash: urlHash, payload_hash: bodyHash } = claims.data;
  const seconds = now.epochMilliseconds / 1000;
  if (seconds < nbf - toleranceSeconds || seconds > exp + toleranceSeconds)
    return 'MessageBird-Signature-JWT is expired or not yet valid';
  if (urlHash !== sha256(url.href)) return 'MessageBird-Signature-JWT is for another address';
  if (bodyHash === undefined ? body.length > 0 : bodyHash !== sha256(body))
    return 'MessageBird-Signature-JWT is for another body';
  return null;
}

const decoded = (part: string) => parseJson(Buffer.from(part, 'base64url').toString('utf8'));
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
