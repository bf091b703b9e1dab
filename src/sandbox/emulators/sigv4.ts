import { createHash, createHmac } from 'node:crypto';
import type { Call } from '#sandbox/call.ts';
import { isSameSecret } from '#platform/same-secret.ts';

/**
 * Why a signature is invalid, with AWS's codes and texts (docs.aws.amazon.com/IAM, "Troubleshoot Signature Version 4").
 */
export type SigningProblem = { status: 400 | 403; code: string; message: string };

type Credential = { accessKeyId: string; scope: string[]; signedHeaders: string[]; signature: string };

const algorithm = 'AWS4-HMAC-SHA256';
const toleranceMs = 15 * 60_000;

/**
 * Recomputes the signature of a request (AWS Signature Version 4, "Create a signed AWS API request").
 *
 * @param options.secretFor the secret key of an access key id; null for an unknown one
 */
export function checkSignature(
  call: Call,
  { service, secretFor }: { service: string; secretFor: (accessKeyId: string) => string | null },
): SigningProblem | { accessKeyId: string } {
  const credential = credentialOf(call.headers.authorization);
  if ('code' in credential) return credential;
  const { accessKeyId, scope, signedHeaders, signature } = credential;
  const at = call.headers['x-amz-date'] ?? '';
  const signedAt = instantOf(at);
  if (signedAt === null)
    return incomplete(`Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.`);
  const unsigned = mustBeSigned(call).filter((name) => !signedHeaders.includes(name));
  if (unsigned.length > 0) return mismatch(`'${unsigned[0]}' must be a 'SignedHeader' in the AWS Authorization.`);
  const [date, region, scopedService, terminator] = scope;
  if (date !== at.slice(0, 8))
    return mismatch(
      `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${date}' != '${at.slice(0, 8)}', from '${at}'.`,
    );
  if (!/^[a-z]{2}(-[a-z]+)+-\d$/.test(region ?? '')) return mismatch('Credential should be scoped to a valid region. ');
  if (scopedService !== service) return mismatch(`Credential should be scoped to correct service: '${service}'. `);
  if (terminator !== 'aws4_request')
    return mismatch(`Credential should be scoped with a valid terminator: 'aws4_request', not '${terminator}'. `);
  const lag = call.now.epochMilliseconds - signedAt.epochMilliseconds;
  if (lag > toleranceMs)
    return mismatch(
      `Signature expired: ${at} is now earlier than ${basicFormat(call.now.subtract({ minutes: 15 }))} (${basicFormat(call.now)} - 15 min.)`,
    );
  if (lag < -toleranceMs)
    return mismatch(
      `Signature not yet current: ${at} is still later than ${basicFormat(call.now.add({ minutes: 15 }))} (${basicFormat(call.now)} + 15 min.)`,
    );
  const secret = secretFor(accessKeyId);
  if (secret === null)
    return {
      status: 403,
      code: 'InvalidClientTokenId',
      message: 'The security token included in the request is invalid.',
    };
  const toSign = [algorithm, at, scope.join('/'), sha256(canonicalRequest(call, signedHeaders))].join('\n');
  const key = [...scope].reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${secret}`);
  if (isSameSecret(hmac(key, toSign).toString('hex'), signature)) return { accessKeyId };
  return mismatch(
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
  );
}

function credentialOf(authorization: string | undefined): Credential | SigningProblem {
  if (authorization === undefined)
    return { status: 403, code: 'MissingAuthenticationToken', message: 'Request is missing Authentication Token' };
  if (!authorization.startsWith(`${algorithm} `))
    return incomplete(`Unsupported AWS 'algorithm': '${authorization.split(' ')[0]}'`);
  const parts = new Map(
    authorization
      .slice(algorithm.length + 1)
      .split(',')
      .map((part) => cut(part.trim())),
  );
  for (const name of ['Credential', 'Signature', 'SignedHeaders']) {
    if (!parts.get(name))
      return incomplete(`Authorization header requires '${name}' parameter. Authorization=${authorization}`);
  }
  const [accessKeyId = '', ...scope] = parts.get('Credential')?.split('/') ?? [];
  if (scope.length !== 4)
    return incomplete(
      `Credential must have exactly 5 slash-delimited elements, e.g. keyid/date/region/service/term, got '${parts.get('Credential')}'`,
    );
  return {
    accessKeyId,
    scope,
    signedHeaders: parts.get('SignedHeaders')?.split(';') ?? [],
    signature: parts.get('Signature') ?? '',
  };
}

function cut(part: string): [string, string] {
  const at = part.indexOf('=');
  return [part.slice(0, at), part.slice(at + 1)];
}

/** The host and every `x-amz-` header of the request. */
const mustBeSigned = ({ headers }: Call) => [
  'host',
  ...Object.keys(headers).filter((name) => name.startsWith('x-amz-')),
];

function canonicalRequest(call: Call, signedHeaders: readonly string[]): string {
  const headers = signedHeaders
    .map((name) => `${name}:${(call.headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`)
    .join('');
  return [
    call.method,
    canonicalPath(call.path),
    canonicalQuery(call.query),
    headers,
    signedHeaders.join(';'),
    sha256(call.body),
  ].join('\n');
}

/** Each segment is encoded twice everywhere but in S3. The request line has the first encoding. */
const canonicalPath = (path: string) => path.split('/').map(encoded).join('/');

const canonicalQuery = (query: URLSearchParams) =>
  [...query]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&');

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** `20261120T080000Z`. */
function instantOf(text: string): Temporal.Instant | null {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  const milliseconds = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(milliseconds) ? null : Temporal.Instant.fromEpochMilliseconds(milliseconds);
}

const basicFormat = (at: Temporal.Instant) => at.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');

const incomplete = (message: string): SigningProblem => ({ status: 400, code: 'IncompleteSignature', message });
const mismatch = (message: string): SigningProblem => ({ status: 403, code: 'SignatureDoesNotMatch', message });

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, content: string) => createHmac('sha256', key).update(content).digest();
