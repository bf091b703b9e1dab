import fc from 'fast-check';
import { awkwardText, spoilt } from '#testing/awkward.ts';
import type { SampleRequest } from '#testing/sample-requests.ts';

/** A raw HTTP request. `as` is the person whose cookie it sends. */
export type HostileRequest = {
  as: 'owner' | 'stranger' | 'nobody';
  method: string;
  path: string;
  headers: Record<string, string>;
  /** The name of the header that was added or replaced. */
  changedHeader: string | null;
  body: string | null;
};

/** Nearly valid requests: the sample with one or more of its parts made invalid. A seed determines the requests. */
export function hostileRequests(
  sample: SampleRequest,
  { count, seed, headers }: { count: number; seed: number; headers: Record<string, string> },
): HostileRequest[] {
  const [bare = '', query = ''] = sample.path.split('?');
  const changes = fc.record({
    as: fc.constantFrom('owner' as const, 'owner', 'owner', 'owner', 'owner', 'stranger', 'nobody'),
    path: often(pathsLike(bare), bare),
    query: often(queriesLike(query), query),
    headers: often(extraHeaders, {}),
    body: sample.body === undefined ? rare(bodies, null) : bodiesLike(sample.body),
  });
  return fc.sample(changes, { numRuns: count, seed }).map((one) => ({
    as: one.as,
    method: sample.method,
    path: `${one.path}${one.query === '' ? '' : `?${one.query}`}`,
    headers: {
      ...headers,
      ...(one.body === null ? {} : { 'content-type': 'application/json' }),
      ...one.headers,
    },
    changedHeader: Object.keys(one.headers)[0] ?? null,
    body: one.body,
  }));
}

const often = <T>(changed: fc.Arbitrary<T>, same: T) =>
  fc.oneof({ weight: 2, arbitrary: changed }, { weight: 3, arbitrary: fc.constant(same) });

const rare = <T>(changed: fc.Arbitrary<T>, same: null) =>
  fc.oneof({ weight: 1, arbitrary: changed }, { weight: 4, arbitrary: fc.constant(same) });

/**
 * Characters that a URL contains without escaping: invalid escapes and line ends. Bytes that the HTTP parser refuses are excluded,
 * because it closes the connection.
 */
const rawPart = fc.constantFrom(
  '%',
  '%f',
  '%zz',
  '%ff',
  '%00',
  '%0d%0a',
  '%0d%0aset-cookie:%20a=b',
  '%c0%ae',
  '%ed%a0%80',
  '%e2%82%ac',
  '|',
);

const elsewhere = fc.constantFrom(
  '..',
  '.',
  '%2e%2e',
  '..%2f..',
  '%2f',
  '\\',
  '',
  '__proto__',
  "'",
  '"',
  '<b>',
  '{{x}}',
  ';',
  '*',
);

const part = fc.oneof(rawPart, elsewhere, awkwardText.map(escaped), fc.string({ unit: 'binary' }).map(escaped));

/** At most as long as the URL that a server accepts. */
function escaped(text: string): string {
  return encodeURIComponent(text.slice(0, 800).toWellFormed()).slice(0, 2_400);
}

/** The path with one of its parts below `/api` replaced, or one added. */
const pathsLike = (path: string) =>
  fc.tuple(fc.nat(), fc.boolean(), part).map(([at, isAdded, text]) => {
    const [root = '', api = '', ...parts] = path.split('/');
    // An id is the last part, or the one before a verb.
    const index = parts.length === 0 ? 0 : at % parts.length;
    return [root, api, ...parts.toSpliced(index, isAdded ? 0 : 1, text)].join('/');
  });

const parameterNames = fc.constantFrom(
  'limit',
  'cursor',
  'search',
  'status',
  'from',
  'to',
  'channel',
  'job_id',
  'token',
  'workspace',
  'values',
  '__proto__',
);

const queriesLike = (query: string) =>
  fc
    .array(fc.tuple(fc.oneof(parameterNames, part), fc.oneof(part, fc.constant('1'))), { minLength: 1, maxLength: 3 })
    .map((added) => [query, ...added.map(([name, value]) => `${name}=${value}`)].filter(Boolean).join('&'));

const headerText = fc
  .oneof(
    awkwardText.map((text) => text.slice(0, 500)),
    fc.constantFrom('null', 'x', '*', ',', ';q', 'é', '%0d%0a', '../..', 'gzip', 'text/html', 'bytes=0-', '-1', '{}'),
    fc.string({ maxLength: 40 }),
  )
  .map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, ''));

const extraHeaders = fc
  .tuple(
    fc.constantFrom(
      'x-workspace-id',
      'content-type',
      'idempotency-key',
      'origin',
      'accept',
      'accept-encoding',
      'authorization',
      'cookie',
      'content-encoding',
      'sec-fetch-site',
      'referer',
      'if-none-match',
      'range',
      'x-forwarded-for',
      'x-cuebird-signature',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
      'x-twilio-signature',
    ),
    headerText,
  )
  .map(([name, value]): Record<string, string> => ({ [name]: value }));

const bodies = fc.oneof(
  { weight: 4, arbitrary: fc.json() },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 2, arbitrary: awkwardText },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '['.repeat(50_000),
      '{"a":'.repeat(50_000),
      `[${'[],'.repeat(30_000)}[]]`,
      `{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":0`).join(',')}}`,
      `{"${'k'.repeat(100_000)}":0}`,
      `{"name":${'9'.repeat(50_000)}}`,
      'a=1&'.repeat(5_000),
      '\uFEFF{}',
      '{"a":1,"a":2,"__proto__":{"b":1},"constructor":{"prototype":1}}',
    ),
  },
);

const bodiesLike = (body: unknown) =>
  fc.oneof(
    { weight: 5, arbitrary: spoilt(body).map((value) => JSON.stringify(value) ?? '') },
    { weight: 1, arbitrary: bodies },
  );
