import { describe, expect, it } from 'vitest';
import type { Call } from '#sandbox/call.ts';
import { checkSignature } from './sigv4.ts';

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const scope = '20150830/us-east-1/service/aws4_request';
const at = Temporal.Instant.from('2015-08-30T12:36:00Z');

type Changes = Partial<Omit<Call, 'query'>> & { query?: string; signature?: string; signedHeaders?: string };

function check({ query = '', signature, signedHeaders = 'host;x-amz-date', headers, ...changes }: Changes) {
  const authorization = `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
  const call: Call = {
    method: 'GET',
    target: '/',
    path: '/',
    query: new URLSearchParams(query),
    headers: { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z', authorization, ...headers },
    body: Buffer.from(''),
    size: 0,
    now: at,
    ...changes,
  };
  const secretFor = (keyId: string) => (keyId === 'AKIDEXAMPLE' ? secret : null);
  return checkSignature(call, { service: 'service', secretFor });
}

const vanilla = '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31';

describe('a signature of version 4', () => {
  // The requests and signatures of AWS's own test suite.
  it.each<[string, Changes]>([
    ['get-vanilla', { signature: vanilla }],
    [
      'get-vanilla-query-order-key-case',
      {
        query: 'Param2=value2&Param1=value1',
        signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
      },
    ],
    [
      'post-x-www-form-urlencoded',
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from('Param1=value1'),
        signedHeaders: 'content-type;host;x-amz-date',
        signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
      },
    ],
  ])('is valid for %s', (_, changes) => {
    expect(check(changes)).toEqual({ accessKeyId: 'AKIDEXAMPLE' });
  });

  it.each<[string, Changes, string, RegExp]>([
    ['another method', { method: 'POST' }, 'SignatureDoesNotMatch', /we calculated does not match/],
    ['another path', { path: '/x' }, 'SignatureDoesNotMatch', /we calculated does not match/],
    ['another query', { query: 'a=b' }, 'SignatureDoesNotMatch', /we calculated does not match/],
    ['another body', { body: Buffer.from('x') }, 'SignatureDoesNotMatch', /we calculated does not match/],
    ['another host', { headers: { host: 'elsewhere' } }, 'SignatureDoesNotMatch', /we calculated does not match/],
    [
      'a header of Amazon that is not signed',
      { headers: { 'x-amz-target': 'x' } },
      'SignatureDoesNotMatch',
      /'x-amz-target' must be/,
    ],
    ['a host that is not signed', { signedHeaders: 'x-amz-date' }, 'SignatureDoesNotMatch', /'host' must be/],
    [
      'one of 15 minutes and a second ago',
      { now: at.add({ seconds: 901 }) },
      'SignatureDoesNotMatch',
      /^Signature expired: 20150830T123600Z is now earlier than 20150830T123601Z \(20150830T125101Z - 15 min.\)$/,
    ],
    [
      'one from the future',
      { now: at.subtract({ seconds: 901 }) },
      'SignatureDoesNotMatch',
      /^Signature not yet current/,
    ],
    ['no date', { headers: { 'x-amz-date': '' } }, 'IncompleteSignature', /requires existence of either/],
    ['no authorization', { headers: { authorization: '' } }, 'IncompleteSignature', /Unsupported AWS/],
    [
      'an incomplete authorization',
      { headers: { authorization: 'AWS4-HMAC-SHA256 Credential=A/b/c/d/e' } },
      'IncompleteSignature',
      /requires 'Signature'/,
    ],
    [
      'a credential without its scope',
      { headers: { authorization: 'AWS4-HMAC-SHA256 Credential=A, SignedHeaders=host, Signature=x' } },
      'IncompleteSignature',
      /5 slash-delimited/,
    ],
  ])('is invalid for %s', (_, changes, code, message) => {
    expect(check({ signature: vanilla, ...changes })).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it.each([
    ['another service', '20150830/us-east-1/sqs/aws4_request', /correct service: 'service'/],
    ['an invalid region', '20150830/nowhere/service/aws4_request', /valid region/],
    ['another day', '20150831/us-east-1/service/aws4_request', /Date in Credential scope/],
    ['another terminator', '20150830/us-east-1/service/aws3_request', /valid terminator/],
  ])('is invalid for the scope of %s', (_, other, message) => {
    const authorization = `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${other}, SignedHeaders=host;x-amz-date, Signature=${vanilla}`;
    expect(check({ headers: { authorization } })).toMatchObject({
      code: 'SignatureDoesNotMatch',
      message: expect.stringMatching(message),
    });
  });

  it('is refused when the access key is unknown', () => {
    const authorization = `AWS4-HMAC-SHA256 Credential=AKIDOTHER/${scope}, SignedHeaders=host;x-amz-date, Signature=${vanilla}`;
    expect(check({ headers: { authorization } })).toMatchObject({ status: 403, code: 'InvalidClientTokenId' });
  });
});
