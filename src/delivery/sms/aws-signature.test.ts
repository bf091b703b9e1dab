import { describe, expect, it } from 'vitest';
import { amzDate, type AwsRequest, awsAuthorization } from './aws-signature.ts';

/** The account of AWS's published test suite for Signature Version 4. */
const account = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
};

const plain = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' };
const form = { ...plain, 'content-type': 'application/x-www-form-urlencoded' };
const request = (method: string, path: string, rest: Partial<AwsRequest> = {}): AwsRequest => ({
  method,
  url: new URL(`https://example.amazonaws.com${path}`),
  headers: plain,
  body: '',
  ...rest,
});

describe('an AWS signature', () => {
  it.each([
    ['get-vanilla', request('GET', '/'), '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    [
      'get-vanilla-query-order-key-case',
      request('GET', '/?Param2=value2&Param1=value1'),
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    ['post-vanilla', request('POST', '/'), '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'post-x-www-form-urlencoded',
      request('POST', '/', { headers: form, body: 'Param1=value1' }),
      'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
    ],
  ])('is that of the test suite’s %s', (_, given, signature) => {
    expect(awsAuthorization(given, account)).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${Object.keys(
        given.headers,
      )
        .sort()
        .join(';')}, Signature=${signature}`,
    );
  });

  it('is that of the ListUsers example in the documentation', () => {
    const authorization = awsAuthorization(
      {
        method: 'GET',
        url: new URL('https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08'),
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
          host: 'iam.amazonaws.com',
          'x-amz-date': '20150830T123600Z',
        },
        body: '',
      },
      { ...account, service: 'iam' },
    );
    expect(authorization).toContain('Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7');
  });

  it('has a time without fractions', () => {
    expect(amzDate(Temporal.Instant.from('2015-08-30T12:36:00.999Z'))).toBe('20150830T123600Z');
  });
});
