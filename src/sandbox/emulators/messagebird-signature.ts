import { createHash, createHmac, randomUUID } from 'node:crypto';

/**
 * The `MessageBird-Signature-JWT` of a callback: HS256 over claims with the SHA-256 of the URL and of the body
 * (developers.messagebird.com/api/#verifying-http-requests).
 */
export function messageBirdSignature({
  url,
  body,
  key,
  now,
}: {
  url: string;
  body?: string;
  key: string;
  now: Temporal.Instant;
}): string {
  const seconds = Math.floor(now.epochMilliseconds / 1000);
  const claims = {
    iss: 'MessageBird',
    nbf: seconds,
    exp: seconds + 60,
    jti: randomUUID(),
    url_hash: sha256(url),
    ...(body !== undefined && { payload_hash: sha256(body) }),
  };
  const content = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
