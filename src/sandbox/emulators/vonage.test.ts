import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { form, json, startTestSandbox, type TestSandbox } from '#testing/sandbox.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.stop());

const keys = () => ({ api_key: sandbox.accounts.vonage.apiKey, api_secret: sandbox.accounts.vonage.apiSecret });
const good = { from: 'Cuebird', to: '14155552671', text: 'The rent is due.' };

async function send(fields: Record<string, string>, make: (fields: Record<string, string>) => RequestInit = form) {
  const answer = await fetch(`${sandbox.http.url}/sms/json`, make({ ...keys(), ...fields }));
  return { status: answer.status, json: await answer.json() };
}

describe('Vonage', () => {
  it.each([
    ['a form', form],
    ['JSON', json],
  ])('accepts an SMS as %s', async (_, make) => {
    const { status, json: made } = await send(good, make);
    expect([status, made]).toEqual([
      200,
      {
        'message-count': '1',
        messages: [
          {
            to: '14155552671',
            'message-id': sandbox.stored[0]?.id,
            status: '0',
            'remaining-balance': '3.14159265',
            'message-price': '0.03330000',
            network: '12345',
          },
        ],
      },
    ]);
    expect(sandbox.stored).toMatchObject([
      { provider: 'nexmo', channel: 'sms', sender: 'Cuebird', recipient: '+14155552671', segments: 1 },
    ]);
  });

  it('answers with an id for each part of a long text', async () => {
    const { json: made } = await send({ ...good, text: 'x'.repeat(307) });
    const ids = made.messages.map((message: Record<string, string>) => message['message-id']);
    expect([made['message-count'], new Set(ids).size, ids[0]]).toEqual(['3', 3, sandbox.stored[0]?.id]);
  });

  it('shows question marks where the text was not declared as Unicode', async () => {
    await send({ ...good, text: 'Tea ☕' });
    await send({ ...good, text: 'Tea ☕', type: 'unicode' });
    expect(sandbox.stored.map(({ text }) => text)).toEqual(['Tea ?', 'Tea ☕']);
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['no key', { api_key: '' }, '2', 'Missing api_key'],
    ['no secret', { api_secret: '' }, '2', 'Missing api_secret'],
    ['no recipient', { to: '' }, '2', 'Missing to param'],
    ['no sender', { from: '' }, '2', 'Missing from param'],
    ['no text', { text: '' }, '2', 'Missing text param'],
    ['a guessed secret', { api_secret: 'guessed' }, '4', 'Bad Credentials'],
    ['a recipient with a plus', { to: '+14155552671' }, '3', 'to address is not numeric'],
    ['a recipient that is too short', { to: '12345' }, '3', 'Invalid to param'],
    ['a sender of twelve letters', { from: 'CuebirdCuebi' }, '15', 'Illegal Sender Address - rejected'],
    ['an unknown type', { type: 'sound' }, '3', 'Invalid type param'],
    ['3201 characters', { text: 'x'.repeat(3_201) }, '12', 'Message too long'],
    ['the magic unreachable number', { to: '15005550002' }, '6', 'Un-routable message - rejected'],
    ['the magic number of a closed region', { to: '15005550003' }, '29', 'Non-Whitelisted Destination - rejected'],
    ['the magic number that has opted out', { to: '15005550004' }, '7', 'Number barred'],
  ])('refuses %s with HTTP 200 and a status', async (_, changes, status, text) => {
    const refused = { 'message-count': '1', messages: [{ status, 'error-text': text }] };
    expect(await send({ ...good, ...changes })).toEqual({ status: 200, json: refused });
    expect(sandbox.stored).toEqual([]);
  });

  it('refuses the secret of another account', async () => {
    const other = sandbox.accountsFor('019a9d3e-0000-7000-8000-00000000000f').vonage;
    expect((await send({ ...good, api_secret: other.apiSecret })).json.messages[0].status).toBe('4');
  });

  it('says whether credentials are valid', async () => {
    const ask = (fields: Record<string, string>) =>
      fetch(`${sandbox.http.url}/account/get-balance?${new URLSearchParams(fields)}`);
    expect(await (await ask(keys())).json()).toHaveProperty('value');
    expect(await (await ask({ ...keys(), api_secret: 'guessed' })).json()).not.toHaveProperty('value');
  });

  it('reports on each part, signed', async () => {
    const { json: made } = await send({ ...good, text: 'x'.repeat(161), callback: sandbox.callbackUrl });
    const calls = await sandbox.callBacks(2);
    const reported = calls.map(({ body }) => JSON.parse(body));
    expect(reported.map(({ messageId }) => messageId)).toEqual(
      made.messages.map((message: Record<string, string>) => message['message-id']),
    );
    expect(reported[0]).toMatchObject({
      status: 'delivered',
      'err-code': '0',
      msisdn: '14155552671',
      to: 'Cuebird',
      scts: '2611200800',
    });
    for (const { sig, ...fields } of reported) {
      const content = Object.keys(fields)
        .toSorted()
        .map((name) => `&${name}=${fields[name]}`)
        .join('');
      const made = createHmac('sha256', sandbox.accounts.vonage.signatureSecret).update(content).digest('hex');
      expect(sig).toBe(made.toUpperCase());
    }
  });

  it('reports the magic undelivered number as failed', async () => {
    await send({ ...good, to: '15005550011', callback: sandbox.callbackUrl });
    const [call] = await sandbox.callBacks(1);
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ status: 'failed', 'err-code': '1' });
  });
});
