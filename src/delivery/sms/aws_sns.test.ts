import { afterAll, describe, expect, it } from 'vitest';
import { envelope, openProviderFixture, reply } from '#delivery/provider.fixture.ts';
import { awsAuthorization } from './aws-signature.ts';
import { adapter } from './aws_sns.adapter.ts';

const fixture = openProviderFixture();
afterAll(() => fixture.close());

const account = { api_key: 'AKIDEXAMPLE', api_secret: 'wJalrXUtnFEMI', region: 'eu-central-1' };
const published = `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/">
  <PublishResult><MessageId>567910cd-659e-55d4-8ccb-5aaf14679dc0</MessageId></PublishResult>
  <ResponseMetadata><RequestId>d74b8436-ae13-5ab4-a9ff-ce54dfea72a0</RequestId></ResponseMetadata>
</PublishResponse>`;

const errorXml = (code: string, message: string) => `<ErrorResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/">
  <Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error><RequestId>1</RequestId></ErrorResponse>`;

async function send(answer = reply(200, published), changes: object = {}, message = envelope.message) {
  const { url, seen } = await fixture.serve(answer);
  const config = adapter.shape.parse({ ...account, base_url: url, ...changes });
  return { outcome: await adapter.send({ ...envelope, message }, { config, network: fixture.network }), seen, url };
}

describe('an SMS through AWS SNS', () => {
  it('is a signed Publish to the number, and its message id the receipt', async () => {
    const { outcome, seen, url } = await send();
    expect(outcome).toEqual({
      outcome: 'accepted',
      receipt: '567910cd-659e-55d4-8ccb-5aaf14679dc0',
      answer: 'HTTP 200: published (1 segment, GSM-7)',
    });
    const [call] = seen;
    expect(call).toMatchObject({ method: 'POST', path: '/' });
    expect(call?.form).toEqual({
      Action: 'Publish',
      Version: '2010-03-31',
      PhoneNumber: '+4917012345678',
      Message: envelope.message,
      'MessageAttributes.entry.1.Name': 'AWS.SNS.SMS.SMSType',
      'MessageAttributes.entry.1.Value.DataType': 'String',
      'MessageAttributes.entry.1.Value.StringValue': 'Transactional',
    });
    const signed = {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      host: new URL(url).host,
      'x-amz-date': '20261120T080000Z',
    };
    expect(call?.headers).toMatchObject(signed);
    expect(call?.headers.authorization).toBe(
      awsAuthorization(
        { method: 'POST', url: new URL(`${url}/`), headers: signed, body: call?.body ?? '' },
        { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI', region: 'eu-central-1', service: 'sns' },
      ),
    );
    expect(call?.headers.authorization).toContain(
      'Credential=AKIDEXAMPLE/20261120/eu-central-1/sns/aws4_request, SignedHeaders=content-type;host;x-amz-date, ',
    );
  });

  it.each([
    ['Cuebird', 'AWS.SNS.SMS.SenderID', 'Cuebird'],
    ['+1 206-555-0101', 'AWS.MM.SMS.OriginationNumber', '+12065550101'],
  ])('from %s names %s', async (from_number, name, value) => {
    const { seen } = await send(undefined, { from_number });
    expect(seen[0]?.form).toMatchObject({
      'MessageAttributes.entry.2.Name': name,
      'MessageAttributes.entry.2.Value.StringValue': value,
    });
  });

  it.each([
    [400, 'InvalidParameter', 'Invalid parameter: PhoneNumber Reason: +1 is &quot;bad&quot;', true],
    [403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match', true],
    [403, 'InvalidClientTokenId', 'The security token included in the request is invalid.', true],
    [400, 'Throttling', 'Rate exceeded', false],
    [429, 'Throttled', 'Rate exceeded', false],
    [500, 'InternalError', 'Internal error', false],
  ])('%i %s is explained', async (status, code, message, permanent) => {
    expect((await send(reply(status, errorXml(code, message)))).outcome).toEqual({
      outcome: 'failed',
      permanent,
      reason: `AWS SNS ${code}: ${message.replaceAll('&quot;', '"')}`,
    });
  });

  it('is not sent without a secret, nor when it is too long', async () => {
    const unsigned = await send(undefined, { api_secret: '' });
    expect(unsigned.outcome).toMatchObject({
      permanent: true,
      code: 'no_channel',
      reason: expect.stringContaining('Configuration incomplete'),
    });
    const long = await send(undefined, {}, 'x'.repeat(1_601));
    expect(long.outcome).toMatchObject({
      code: 'too_large',
      reason: 'The message has 1601 characters; AWS SNS takes 1600',
    });
    expect([...unsigned.seen, ...long.seen]).toEqual([]);
  });

  it('goes to its region’s own address', () => {
    const at = (changes: object) => adapter.shape.parse({ api_key: 'a', ...changes });
    expect(at({})).toHaveProperty('base_url', 'https://sns.us-east-1.amazonaws.com');
    expect(at({ region: 'eu-west-1', base_url: '' })).toHaveProperty('base_url', 'https://sns.eu-west-1.amazonaws.com');
    expect(adapter.shape.safeParse({ api_key: 'a', region: 'evil.example.com/' }).success).toBe(false);
  });

  it('is verified by asking for the account’s SMS attributes', async () => {
    const verify = async (status: number, body: string) => {
      const { url, seen } = await fixture.serve(reply(status, body));
      const config = adapter.shape.parse({ ...account, base_url: url });
      return [await adapter.verify?.(config, fixture.network), seen[0]?.form.Action];
    };
    expect(await verify(200, '<GetSMSAttributesResponse/>')).toEqual([
      { success: true, message: 'Connected to AWS SNS in eu-central-1' },
      'GetSMSAttributes',
    ]);
    expect(await verify(403, errorXml('InvalidClientTokenId', 'No such key'))).toEqual([
      { success: false, message: 'AWS SNS InvalidClientTokenId: No such key' },
      'GetSMSAttributes',
    ]);
  });
});
