import { createHash, createHmac } from 'node:crypto';

export type AwsAccount = { accessKeyId: string; secretAccessKey: string; region: string; service: string };

export type AwsRequest = {
  method: string;
  url: URL;
  /** The headers with lower-case names, including `host` and `x-amz-date`. All of them are signed. */
  headers: Readonly<Record<string, string>>;
  body: string;
};

/**
 * The `authorization` header of a request by Signature Version 4 (docs.aws.amazon.com/IAM "Create a signed request").
 * The time is that of the header `x-amz-date`.
 */
export function awsAuthorization(request: AwsRequest, account: AwsAccount): string {
  const time = request.headers['x-amz-date'] ?? '';
  const names = Object.keys(request.headers).sort();
  const canonical = [
    request.method,
    request.url.pathname,
    canonicalQuery(request.url),
    ...names.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    sha256(request.body),
  ].join('\n');
  const scope = [time.slice(0, 8), account.region, account.service, 'aws4_request'];
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce((secret: string | Buffer, part) => hmac(secret, part), `AWS4${account.secretAccessKey}`);
  const signature = hmac(key, toSign).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${account.accessKeyId}/${scope.join('/')}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
}

/** An instant in AWS's format: `20150830T123600Z`. */
export const amzDate = (now: Temporal.Instant) =>
  now.round({ smallestUnit: 'second', roundingMode: 'floor' }).toString().replaceAll(/[-:]/g, '');

function canonicalQuery({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
}

/** Percent-encodes by RFC 3986: everything but letters, digits and `-._~`. */
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
