import { createHash, createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestSandbox, type TestSandbox } from '#testing/sandbox.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.stop());

const good = { Action: 'Publish', Version: '2010-03-31', PhoneNumber: '+14155552671', Message: 'The rent is due.' };

const attribute = (number: number, name: string, value: string) => ({
  [`MessageAttributes.entry.${number}.Name`]: name,
  [`MessageAttributes.entry.${number}.Value.DataType`]: 'String',
  [`MessageAttributes.entry.${number}.Value.StringValue`]: value,
});

type Keys = { accessKeyId: string; secretAccessKey: string };

async function publish(fields: Record<string, string>, keys: Keys = sandbox.accounts.awsSns) {
  const body = new URLSearchParams(fields).toString();
  const { host } = new URL(sandbox.http.url);
  const type = 'application/x-www-form-urlencoded; charset=utf-8';
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const signed = 'content-type;host;x-amz-date';
  const request = `POST\n/\n\ncontent-type:${type}\nhost:${host}\nx-amz-date:20261120T080000Z\n\n${signed}\n${hash(body)}`;
  const scope = '20261120/us-east-1/sns/aws4_request';
  const key = scope.split('/').reduce<string | Buffer>(mac, `AWS4${keys.secretAccessKey}`);
  const signature = mac(key, `AWS4-HMAC-SHA256\n20261120T080000Z\n${scope}\n${hash(request)}`).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
  const headers = { 'content-type': type, 'x-amz-date': '20261120T080000Z', authorization };
  const answer = await fetch(`${sandbox.http.url}/`, { method: 'POST', headers, body });
  return { status: answer.status, type: answer.headers.get('content-type'), xml: await answer.text() };
}

const part = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];

describe('Amazon SNS', () => {
  it('accepts an SMS and answers with its id', async () => {
    const { status, type, xml } = await publish({
      ...good,
      ...attribute(1, 'AWS.SNS.SMS.SenderID', 'Cuebird'),
      ...attribute(2, 'AWS.SNS.SMS.SMSType', 'Transactional'),
    });
    const [message] = sandbox.stored;
    expect([status, type]).toEqual([200, 'text/xml']);
    expect(xml).toMatch(
      `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>${message?.id}</MessageId></PublishResult><ResponseMetadata><RequestId>`,
    );
    expect(message).toMatchObject({
      channel: 'sms',
      provider: 'aws_sns',
      sender: 'Cuebird',
      recipient: '+14155552671',
      text: 'The rent is due.',
      segments: 1,
    });
  });

  it.each<[string, Record<string, string>, string, string]>([
    [
      'an empty number',
      { PhoneNumber: '' },
      'InvalidParameter',
      'Invalid parameter: PhoneNumber Reason:  is not valid to publish to',
    ],
    [
      'a number without its plus',
      { PhoneNumber: '14155552671' },
      'InvalidParameter',
      'Invalid parameter: PhoneNumber Reason: 14155552671 is not valid to publish to',
    ],
    [
      'the magic invalid number',
      { PhoneNumber: '+15005550001' },
      'InvalidParameter',
      'Invalid parameter: PhoneNumber Reason: +15005550001 is not valid to publish to',
    ],
    [
      'the magic number that has opted out',
      { PhoneNumber: '+15005550004' },
      'InvalidParameter',
      'Invalid parameter: PhoneNumber Reason: +15005550004 is opted out',
    ],
    ['no text', { Message: '' }, 'InvalidParameter', 'Invalid parameter: Empty message'],
    ['1601 characters', { Message: 'x'.repeat(1_601) }, 'InvalidParameter', 'Invalid parameter: Message too long'],
    [
      'a sender of twelve letters',
      attribute(1, 'AWS.SNS.SMS.SenderID', 'CuebirdCuebi'),
      'InvalidParameter',
      'Invalid parameter: SenderID Reason: CuebirdCuebi is not a valid sender ID',
    ],
    [
      'an invalid SMS type',
      attribute(1, 'AWS.SNS.SMS.SMSType', 'Loud'),
      'InvalidParameter',
      'Invalid parameter: SMSType Reason: Loud is not a valid SMSType',
    ],
    [
      'an attribute without its type',
      { 'MessageAttributes.entry.1.Name': 'x', 'MessageAttributes.entry.1.Value.StringValue': 'y' },
      'ParameterValueInvalid',
      'The message attributes are not well formed: each needs a Name, a DataType and a value of it.',
    ],
    [
      'another action',
      { Action: 'Subscribe' },
      'InvalidAction',
      'Could not find operation Subscribe for version 2010-03-31',
    ],
    [
      'another version',
      { Version: '2012-11-05' },
      'InvalidAction',
      'Could not find operation Publish for version 2012-11-05',
    ],
  ])('refuses %s', async (_, changes, code, message) => {
    const { status, xml } = await publish({ ...good, ...changes });
    expect([status, part(xml, 'Type'), part(xml, 'Code'), part(xml, 'Message')]).toEqual([
      400,
      'Sender',
      code,
      message,
    ]);
    expect(sandbox.stored).toEqual([]);
  });

  it('refuses a recipient who sent STOP', async () => {
    sandbox.optOut('+14155552671');
    expect(part((await publish(good)).xml, 'Message')).toMatch('is opted out');
  });

  it("accepts only the account's own secret", async () => {
    const other = sandbox.accountsFor('019a9d3e-0000-7000-8000-00000000000f').awsSns;
    const stolen = { ...sandbox.accounts.awsSns, secretAccessKey: other.secretAccessKey };
    const mismatch = await publish(good, stolen);
    expect([mismatch.status, part(mismatch.xml, 'Code')]).toEqual([403, 'SignatureDoesNotMatch']);
    const unknown = await publish(good, { ...other, accessKeyId: 'AKIAIOSFODNN7EXAMPLE' });
    expect([unknown.status, part(unknown.xml, 'Code')]).toEqual([403, 'InvalidClientTokenId']);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const unsigned = await fetch(`${sandbox.http.url}/`, { method: 'POST', headers: form, body: 'Action=Publish' });
    expect([unsigned.status, part(await unsigned.text(), 'Code')]).toEqual([403, 'MissingAuthenticationToken']);
    expect(sandbox.stored).toEqual([]);
  });

  it('says whether credentials are valid', async () => {
    const { status, xml } = await publish({ Action: 'GetSMSAttributes', Version: '2010-03-31' });
    expect([status, xml]).toEqual([200, expect.stringContaining('<GetSMSAttributesResult>')]);
  });
});
