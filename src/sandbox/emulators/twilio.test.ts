import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { form, startTestSandbox, type TestSandbox } from '#testing/sandbox.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.stop());

const good = { To: '+14155552671', From: '+15005550006', Body: 'The rent is due.' };

const login = (username: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});

async function send(fields: Record<string, string>, { sid, init }: { sid?: string; init?: RequestInit } = {}) {
  const { accountSid, authToken } = sandbox.accounts.twilio;
  const url = `${sandbox.http.url}/2010-04-01/Accounts/${sid ?? accountSid}/Messages.json`;
  const answer = await fetch(url, init ?? form(fields, login(accountSid, authToken)));
  return { status: answer.status, json: await answer.json(), headers: answer.headers };
}

describe('Twilio', () => {
  it('accepts an SMS and answers with the Message resource', async () => {
    const { status, json } = await send(good);
    const { accountSid } = sandbox.accounts.twilio;
    expect(status).toBe(201);
    expect(json).toEqual({
      account_sid: accountSid,
      api_version: '2010-04-01',
      body: 'The rent is due.',
      date_created: 'Fri, 20 Nov 2026 08:00:00 +0000',
      date_sent: null,
      date_updated: 'Fri, 20 Nov 2026 08:00:00 +0000',
      direction: 'outbound-api',
      error_code: null,
      error_message: null,
      from: '+15005550006',
      messaging_service_sid: null,
      num_media: '0',
      num_segments: '1',
      price: null,
      price_unit: 'USD',
      sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
      status: 'queued',
      subresource_uris: { media: `/2010-04-01/Accounts/${accountSid}/Messages/${json.sid}/Media.json` },
      to: '+14155552671',
      uri: `/2010-04-01/Accounts/${accountSid}/Messages/${json.sid}.json`,
    });
    expect(sandbox.stored).toMatchObject([
      {
        workspace_id: sandbox.workspaceId,
        channel: 'sms',
        provider: 'twilio',
        sender: '+15005550006',
        recipient: '+14155552671',
        subject: '',
        text: 'The rent is due.',
        segments: 1,
        raw: 'To=%2B14155552671&From=%2B15005550006&Body=The+rent+is+due.',
        callback_url: null,
      },
    ]);
    expect(json.sid).toBe(`SM${sandbox.stored[0]?.id.replaceAll('-', '')}`);
  });

  it('accepts a WhatsApp message from the number of its sandbox', async () => {
    const { status, json } = await send({ ...good, To: 'whatsapp:+14155552671', From: 'whatsapp:+14155238886' });
    expect([status, json.to]).toEqual([201, 'whatsapp:+14155552671']);
    expect(sandbox.stored).toMatchObject([
      { channel: 'whatsapp', sender: '+14155238886', recipient: '+14155552671', segments: null },
    ]);
  });

  it('accepts a name of at most eleven letters and digits as sender', async () => {
    expect((await send({ ...good, From: 'Cuebird Co' })).status).toBe(201);
    expect(sandbox.stored).toMatchObject([{ sender: 'Cuebird Co' }]);
  });

  it('counts the segments of a long text', async () => {
    expect((await send({ ...good, Body: 'x'.repeat(161) })).json.num_segments).toBe('2');
  });

  const refusals: [name: string, changes: Record<string, string>, code: number, message: string][] = [
    ['no recipient', { To: '' }, 21604, "A 'To' phone number is required."],
    ['no sender', { From: '' }, 21603, "A 'From' phone number is required."],
    ['no text', { Body: '' }, 21602, 'Message body is required.'],
    [
      '1601 characters',
      { Body: 'x'.repeat(1_601) },
      21617,
      'The concatenated message body exceeds the 1600 character limit',
    ],
    ['a recipient without its country', { To: '4155552671' }, 21211, "Invalid 'To' Phone Number: 4155552671"],
    ['a recipient with blanks', { To: '+1 415 555 2671' }, 21211, "Invalid 'To' Phone Number: +1 415 555 2671"],
    ['the magic invalid recipient', { To: '+15005550001' }, 21211, "Invalid 'To' Phone Number: +15005550001"],
    [
      'the magic unreachable recipient',
      { To: '+15005550002' },
      21612,
      "The 'To' phone number: +15005550002, is not currently reachable using the 'From' phone number: +15005550006 via SMS.",
    ],
    [
      'the magic recipient of a closed region',
      { To: '+15005550003' },
      21408,
      "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: +15005550003",
    ],
    [
      'the magic recipient who has opted out',
      { To: '+15005550004' },
      21610,
      'Attempt to send to unsubscribed recipient',
    ],
    ['the magic landline', { To: '+15005550009' }, 21614, "'To' number: +15005550009, is not a valid mobile number"],
    [
      'a sender that is not the account’s',
      { From: '+14155550000' },
      21606,
      "The 'From' phone number provided (+14155550000) is not a valid message-capable Twilio phone number for this destination.",
    ],
    [
      'a sender that is no number',
      { From: '???' },
      21212,
      "The 'From' number ??? is not a valid phone number, shortcode, or alphanumeric sender ID.",
    ],
    [
      'a call-back address that is none',
      { StatusCallback: 'nowhere' },
      21609,
      "The 'StatusCallback' URL nowhere is not a valid URL.",
    ],
    [
      'a WhatsApp recipient from a phone number',
      { To: 'whatsapp:+14155552671' },
      21910,
      "Invalid 'From' and 'To' pair. 'From' and 'To' should be of the same channel",
    ],
    [
      'a WhatsApp sender that is not the account’s',
      { To: 'whatsapp:+14155552671', From: 'whatsapp:+15005550006' },
      63007,
      'Twilio could not find a Channel with the specified From address',
    ],
  ];
  it.each(refusals)('refuses %s in Twilio’s words', async (_, changes, code, message) => {
    const { status, json } = await send({ ...good, ...changes });
    expect([status, json]).toEqual([
      400,
      { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status: 400 },
    ]);
    expect(sandbox.stored).toEqual([]);
  });

  it('refuses a recipient who sent STOP', async () => {
    sandbox.optOut('+14155552671');
    expect((await send(good)).json.code).toBe(21610);
  });

  it('accepts a form and nothing else', async () => {
    const { accountSid, authToken } = sandbox.accounts.twilio;
    const headers = { 'content-type': 'application/json', ...login(accountSid, authToken) };
    const { json } = await send(good, { init: { method: 'POST', headers, body: JSON.stringify(good) } });
    expect(json.code).toBe(21604);
  });

  it("accepts only the account's own token", async () => {
    const other = sandbox.accountsFor('019a9d3e-0000-7000-8000-00000000000f').twilio;
    const { accountSid, authToken } = sandbox.accounts.twilio;
    const attempts = [
      { init: { method: 'POST' } },
      { init: form(good, login(accountSid, 'guessed')) },
      { init: form(good, login(accountSid, other.authToken)) },
      { init: form(good, login(other.accountSid, other.authToken)) },
      { init: form(good, login(accountSid, authToken)), sid: other.accountSid },
      { init: form(good, login(accountSid, authToken)), sid: 'ACnone' },
    ];
    for (const attempt of attempts) {
      const { status, json, headers } = await send(good, attempt);
      expect([status, json.code, json.message]).toEqual([401, 20003, 'Authenticate']);
      expect(headers.get('www-authenticate')).toBe('Basic realm="Twilio API"');
    }
    expect(sandbox.stored).toEqual([]);
  });

  it('says whether credentials are valid', async () => {
    const { accountSid, authToken } = sandbox.accounts.twilio;
    const ask = (password: string) =>
      fetch(`${sandbox.http.url}/2010-04-01/Accounts/${accountSid}.json`, { headers: login(accountSid, password) });
    expect(await (await ask(authToken)).json()).toMatchObject({ sid: accountSid, status: 'active' });
    expect((await ask('guessed')).status).toBe(401);
  });

  describe('reports', () => {
    const fieldsOf = (body: string) => Object.fromEntries(new URLSearchParams(body));

    function signatureOf(body: string): string {
      const fields = Object.entries(fieldsOf(body)).toSorted(([a], [b]) => (a < b ? -1 : 1));
      const content = sandbox.callbackUrl + fields.flat().join('');
      return createHmac('sha1', sandbox.accounts.twilio.authToken).update(content).digest('base64');
    }

    it('sent and delivered to the address in the request, each signed', async () => {
      const { json } = await send({ ...good, StatusCallback: sandbox.callbackUrl });
      const calls = await sandbox.callBacks(2);
      expect(calls.map(({ body }) => fieldsOf(body).MessageStatus)).toEqual(['sent', 'delivered']);
      const [call] = calls;
      expect(fieldsOf(call?.body ?? '')).toEqual({
        AccountSid: sandbox.accounts.twilio.accountSid,
        ApiVersion: '2010-04-01',
        From: '+15005550006',
        MessageSid: json.sid,
        MessageStatus: 'sent',
        SmsMessageSid: json.sid,
        SmsSid: json.sid,
        SmsStatus: 'sent',
        To: '+14155552671',
      });
      expect(call).toMatchObject({ method: 'POST', url: '/callbacks/token?of=test' });
      expect(call?.headers['content-type']).toMatch('application/x-www-form-urlencoded');
      for (const { body, headers } of calls) expect(headers['x-twilio-signature']).toBe(signatureOf(body));
      expect(await sandbox.reported(sandbox.stored[0]?.id ?? '')).toEqual({ status: 'delivered', answer: 'HTTP 204' });
    });

    it('the magic undelivered recipient as such', async () => {
      await send({ ...good, To: '+15005550011', StatusCallback: sandbox.callbackUrl });
      const [, failed] = await sandbox.callBacks(2);
      expect(fieldsOf(failed?.body ?? '')).toMatchObject({
        MessageStatus: 'undelivered',
        ErrorCode: '30005',
        ErrorMessage: 'Unknown destination handset',
      });
    });

    it('the magic early recipient before it answers', async () => {
      await send({ ...good, To: '+15005550013', StatusCallback: sandbox.callbackUrl });
      expect(sandbox.calls).toHaveLength(2);
    });

    it('a WhatsApp message by its addresses', async () => {
      const fields = { ...good, To: 'whatsapp:+14155552671', From: 'whatsapp:+14155238886' };
      await send({ ...fields, StatusCallback: sandbox.callbackUrl });
      const [call] = await sandbox.callBacks(1);
      expect(fieldsOf(call?.body ?? '')).toMatchObject({ From: fields.From, To: fields.To });
    });

    it("the recipient's reply, with the opt-out that Twilio recognised in it", async () => {
      await send({ ...good, To: '+15005550012', StatusCallback: sandbox.callbackUrl });
      const [sent] = sandbox.stored;
      if (sent === undefined) throw new Error('Nothing was stored');
      const message = { ...sent, provider: 'twilio', workspaceId: sandbox.workspaceId, callbackUrl: sent.callback_url };
      const { id, report } = await sandbox.reply(message, 'Stop');
      expect(report).toEqual({ status: 'delivered', answer: 'HTTP 204' });
      const [call] = sandbox.calls;
      expect(fieldsOf(call?.body ?? '')).toMatchObject({
        From: '+15005550012',
        To: '+15005550006',
        Body: 'Stop',
        OptOutType: 'STOP',
        SmsStatus: 'received',
        NumMedia: '0',
        NumSegments: '1',
        MessageSid: `SM${id.replaceAll('-', '')}`,
      });
      expect(call?.headers['x-twilio-signature']).toBe(signatureOf(call?.body ?? ''));
      expect(sandbox.stored[1]).toMatchObject({
        id,
        sender: '+15005550012',
        recipient: '+15005550006',
        text: 'Stop',
        reply_to: sent.id,
      });
    });
  });
});
