import { createHash, createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CallBack, form, json, startTestSandbox, type TestSandbox } from '#testing/sandbox.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.stop());

const key = () => ({ authorization: `AccessKey ${sandbox.accounts.messageBird.accessKey}` });

async function send(path: string, init: RequestInit) {
  const answer = await fetch(`${sandbox.http.url}${path}`, init);
  return { status: answer.status, json: await answer.json() };
}

/** The claims of a callback, after its signature is verified. */
function claimsOf(call: CallBack | undefined) {
  const [header = '', payload = '', signature] = call?.headers['messagebird-signature-jwt']?.split('.') ?? [];
  const made = createHmac('sha256', sandbox.accounts.messageBird.signingKey)
    .update(`${header}.${payload}`)
    .digest('base64url');
  expect(signature).toBe(made);
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');

describe('MessageBird SMS', () => {
  const good = { originator: 'Cuebird', recipients: ['14155552671'], body: 'The rent is due.' };
  const sms = (changes: object = {}) => send('/messages', json({ ...good, ...changes }, key()));

  it('accepts an SMS and answers with the message object', async () => {
    const { status, json: made } = await sms({ reference: 'd-1' });
    expect(status).toBe(201);
    expect(made).toMatchObject({
      id: sandbox.stored[0]?.id.replaceAll('-', ''),
      href: `https://rest.messagebird.com/messages/${made.id}`,
      direction: 'mt',
      type: 'sms',
      originator: 'Cuebird',
      body: 'The rent is due.',
      reference: 'd-1',
      datacoding: 'plain',
      createdDatetime: '2026-11-20T08:00:00+00:00',
      recipients: {
        totalCount: 1,
        totalSentCount: 1,
        items: [
          { recipient: 14155552671, status: 'sent', statusDatetime: '2026-11-20T08:00:00+00:00', messagePartCount: 1 },
        ],
      },
    });
    expect(sandbox.stored).toMatchObject([
      { provider: 'messagebird', channel: 'sms', sender: 'Cuebird', recipient: '+14155552671', segments: 1 },
    ]);
  });

  it('accepts a form as well', async () => {
    const fields = { originator: 'Cuebird', recipients: '14155552671', body: 'Due' };
    expect((await send('/messages', form(fields, key()))).status).toBe(201);
  });

  it('shows question marks where the text was not declared as Unicode', async () => {
    await sms({ body: 'Tea ☕' });
    await sms({ body: 'Tea ☕', datacoding: 'unicode' });
    await sms({ body: 'Tea ☕', datacoding: 'auto' });
    expect(sandbox.stored.map(({ text }) => text)).toEqual(['Tea ?', 'Tea ☕', 'Tea ☕']);
  });

  it.each<[string, object, number, string, string]>([
    ['no recipients', { recipients: [] }, 9, 'no (correct) recipients found', 'recipients'],
    ['a recipient that is no number', { recipients: ['Dana'] }, 9, 'no (correct) recipients found', 'recipients'],
    ['the magic invalid number', { recipients: ['15005550001'] }, 9, 'no (correct) recipients found', 'recipients'],
    ['no originator', { originator: undefined }, 9, 'originator is required', 'originator'],
    ['an originator of twelve letters', { originator: 'CuebirdCuebi' }, 10, 'originator is invalid', 'originator'],
    ['no text', { body: '' }, 9, 'body is required', 'body'],
    ['more than nine parts', { body: 'x'.repeat(1_378) }, 10, 'body is too long', 'body'],
    ['an unknown coding', { datacoding: 'utf8' }, 10, 'datacoding is invalid', 'datacoding'],
    ['an invalid report address', { reportUrl: 'nowhere' }, 10, 'reportUrl is invalid', 'reportUrl'],
  ])('refuses %s', async (_, changes, code, description, parameter) => {
    const { status, json: made } = await sms(changes);
    expect([status, made]).toEqual([422, { errors: [{ code, description, parameter }] }]);
    expect(sandbox.stored).toEqual([]);
  });

  it('names every wrong field', async () => {
    const { json: made } = await send('/messages', json({}, key()));
    expect(made.errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual([
      'recipients',
      'originator',
      'body',
    ]);
  });

  it('refuses invalid JSON', async () => {
    expect(await send('/messages', json('{', key()))).toMatchObject({ status: 422, json: { errors: [{ code: 21 }] } });
  });

  it.each(['', 'AccessKey guessed', 'Bearer x'])('accepts only its own key, not “%s”', async (authorization) => {
    const refused = {
      status: 401,
      json: {
        errors: [{ code: 2, description: 'Request not allowed (incorrect access_key)', parameter: 'access_key' }],
      },
    };
    expect(await send('/messages', json(good, { authorization }))).toEqual(refused);
    expect(await send('/balance', { headers: { authorization } })).toEqual(refused);
  });

  it('says whether its key is valid', async () => {
    expect(await send('/balance', { headers: key() })).toMatchObject({ status: 200, json: { payment: 'prepaid' } });
  });

  it('reports by a signed GET that names the reference', async () => {
    const { json: made } = await sms({ reference: 'd-1', reportUrl: sandbox.callbackUrl });
    const [call] = await sandbox.callBacks(1);
    const url = new URL(call?.url ?? '', sandbox.callbackUrl);
    expect([call?.method, Object.fromEntries(url.searchParams)]).toEqual([
      'GET',
      {
        of: 'test',
        id: made.id,
        reference: 'd-1',
        recipient: '14155552671',
        status: 'delivered',
        statusReason: 'successfully delivered',
        statusDatetime: '2026-11-20T08:00:00+00:00',
      },
    ]);
    expect(claimsOf(call)).toMatchObject({ iss: 'MessageBird', url_hash: hash(url.href) });
    expect(claimsOf(call)).not.toHaveProperty('payload_hash');
  });

  it('reports nothing without a reference, as its documentation says', async () => {
    await sms({ reportUrl: sandbox.callbackUrl });
    expect(sandbox.stored).toMatchObject([{ callback_url: null }]);
  });

  it('reports the magic undelivered number as such', async () => {
    await sms({ recipients: ['15005550011'], reference: 'd-1', reportUrl: sandbox.callbackUrl });
    const [call] = await sandbox.callBacks(1);
    expect(new URL(call?.url ?? '', 'http://x').searchParams.get('status')).toBe('delivery_failed');
  });
});

describe('MessageBird Conversations', () => {
  const send1 = (changes: object = {}) => {
    const from = sandbox.accounts.messageBird.channelId;
    return send(
      '/v1/send',
      json({ to: '+14155552671', from, type: 'text', content: { text: 'Due' }, ...changes }, key()),
    );
  };

  it('accepts a WhatsApp message at /v1/send', async () => {
    const { status, json: made } = await send1();
    expect([status, made]).toEqual([202, { id: sandbox.stored[0]?.id.replaceAll('-', ''), status: 'accepted' }]);
    expect(sandbox.stored).toMatchObject([
      { channel: 'whatsapp', provider: 'messagebird', recipient: '+14155552671', text: 'Due' },
    ]);
  });

  it('accepts one that starts a conversation', async () => {
    const { channelId } = sandbox.accounts.messageBird;
    const { status, json: made } = await send(
      '/v1/conversations/start',
      json({ to: '+14155552671', channelId, type: 'text', content: { text: 'Due' } }, key()),
    );
    expect(status).toBe(201);
    expect(made).toMatchObject({ status: 'active', lastUsedChannelId: channelId, messages: { totalCount: 1 } });
  });

  it.each<[string, object, number, number, string]>([
    ['no recipient', { to: undefined }, 422, 21, 'to is missing or invalid'],
    ['a recipient that is no number', { to: 'Dana' }, 422, 21, 'to is missing or invalid'],
    ['no text', { content: { text: '' } }, 422, 21, 'content.text is missing or invalid'],
    ['4097 characters', { content: { text: 'x'.repeat(4_097) } }, 422, 21, 'content.text is missing or invalid'],
    ['another type', { type: 'sound' }, 422, 21, 'type is missing or invalid'],
    ['no channel', { from: undefined }, 422, 21, 'from is missing or invalid'],
    ["another workspace's channel", { from: '00000000-0000-4000-8000-000000000000' }, 404, 20, 'Channel not found'],
  ])('refuses %s', async (_, changes, status, code, description) => {
    expect(await send1(changes)).toEqual({ status, json: { errors: [{ code, description, parameter: null }] } });
    expect(sandbox.stored).toEqual([]);
  });

  it('reports as JSON, signed over address and body', async () => {
    const { json: made } = await send1({ reportUrl: sandbox.callbackUrl });
    const calls = await sandbox.callBacks(2);
    expect(calls.map(({ body }) => JSON.parse(body).message)).toMatchObject([
      { id: made.id, status: 'sent', to: '+14155552671', platform: 'whatsapp', direction: 'sent' },
      { id: made.id, status: 'delivered' },
    ]);
    for (const call of calls)
      expect(claimsOf(call)).toMatchObject({ url_hash: hash(sandbox.callbackUrl), payload_hash: hash(call.body) });
  });
});
