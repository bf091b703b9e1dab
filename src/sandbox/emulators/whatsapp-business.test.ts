import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { json, startTestSandbox, testNow, type TestSandbox } from '#testing/sandbox.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.stop());

const token = () => ({ authorization: `Bearer ${sandbox.accounts.whatsAppBusiness.accessToken}` });
const good = {
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to: '14155552671',
  type: 'text',
  text: { body: 'The rent is due.' },
};
const pathOf = (id = sandbox.accounts.whatsAppBusiness.phoneNumberId) => `/v23.0/${id}/messages`;

async function call(path: string, init: RequestInit) {
  const answer = await fetch(`${sandbox.http.url}${path}`, init);
  return { status: answer.status, json: await answer.json() };
}
const send = (changes: object = {}) => call(pathOf(), json({ ...good, ...changes }, token()));

describe('the WhatsApp Cloud API', () => {
  it('accepts a text and answers with its id', async () => {
    const { status, json: made } = await send({ to: '+1 (415) 555-2671' });
    expect([status, made]).toEqual([
      200,
      {
        messaging_product: 'whatsapp',
        contacts: [{ input: '+1 (415) 555-2671', wa_id: '14155552671' }],
        messages: [{ id: expect.stringMatching(/^wamid\.[A-Za-z0-9+/]+=*$/) }],
      },
    ]);
    expect(sandbox.stored).toMatchObject([
      {
        channel: 'whatsapp',
        provider: 'whatsapp_business',
        sender: '+15550001234',
        recipient: '+14155552671',
        text: 'The rent is due.',
      },
    ]);
  });

  it('accepts a template with its parameters', async () => {
    const components = [
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Dana' },
          { type: 'text', text: '1,200 €' },
        ],
      },
    ];
    const template = { name: 'rent_due', language: { code: 'en' }, components };
    expect((await send({ type: 'template', text: undefined, template })).status).toBe(200);
    expect(sandbox.stored).toMatchObject([{ subject: 'rent_due', text: 'Dana\n1,200 €' }]);
  });

  it.each<[string, object, number, string]>([
    ['no product', { messaging_product: undefined }, 100, '(#100) The parameter messaging_product is required.'],
    ['another product', { messaging_product: 'messenger' }, 100, '(#100) Param messaging_product is not valid'],
    ['no recipient', { to: undefined }, 100, '(#100) The parameter to is required.'],
    ['another type', { type: 'sound' }, 100, '(#100) Param type is not valid'],
    ['an empty text', { text: { body: '' } }, 100, "(#100) The parameter text['body'] is required."],
    [
      '4097 characters',
      { text: { body: 'x'.repeat(4_097) } },
      100,
      "(#100) Param text['body'] must be at most 4096 characters long.",
    ],
    ['no text at all', { text: undefined }, 131008, '(#131008) Required parameter is missing'],
    ['a recipient that is no number', { to: 'Dana' }, 131009, '(#131009) Parameter value is not valid'],
    ['the magic invalid number', { to: '+15005550001' }, 131009, '(#131009) Parameter value is not valid'],
  ])('refuses %s', async (_, changes, code, message) => {
    const { status, json: made } = await send(changes);
    expect([status, made.error]).toEqual([
      400,
      expect.objectContaining({ code, message, type: 'OAuthException', fbtrace_id: expect.any(String) }),
    ]);
    expect(sandbox.stored).toEqual([]);
  });

  it('accepts only its own token', async () => {
    for (const authorization of ['', 'Bearer guessed', token().authorization.replace('Bearer', 'Basic')]) {
      const refused = await call(pathOf(), json(good, { authorization }));
      expect(refused).toMatchObject({
        status: 401,
        json: {
          error: {
            code: 190,
            type: 'OAuthException',
            message: 'Invalid OAuth access token - Cannot parse access token',
          },
        },
      });
    }
  });

  it("accepts only the account's own number", async () => {
    const other = sandbox.accountsFor('019a9d3e-0000-7000-8000-00000000000f').whatsAppBusiness.phoneNumberId;
    const refused = await call(pathOf(other), json(good, token()));
    expect(refused).toMatchObject({ status: 400, json: { error: { code: 100, type: 'GraphMethodException' } } });
    expect(sandbox.stored).toEqual([]);
  });

  it('says whether its token is valid', async () => {
    const path = `/v23.0/${sandbox.accounts.whatsAppBusiness.phoneNumberId}`;
    expect(await call(path, { headers: token() })).toMatchObject({
      status: 200,
      json: { verified_name: 'Cuebird sandbox' },
    });
  });

  it("sends the recipient's reply to its webhook, signed by the app", async () => {
    await send();
    const [sent] = sandbox.stored;
    if (sent === undefined) throw new Error('Nothing was stored');
    const message = {
      ...sent,
      provider: 'whatsapp_business',
      workspaceId: sandbox.workspaceId,
      callbackUrl: sandbox.callbackUrl,
    };
    await sandbox.reply(message, 'Thanks');
    const [callBack] = sandbox.calls;
    const { appSecret, phoneNumberId } = sandbox.accounts.whatsAppBusiness;
    const [entry] = JSON.parse(callBack?.body ?? '').entry;
    expect(entry.changes).toEqual([
      {
        field: 'messages',
        value: {
          messaging_product: 'whatsapp',
          metadata: { display_phone_number: '15550001234', phone_number_id: phoneNumberId },
          contacts: [{ profile: { name: '14155552671' }, wa_id: '14155552671' }],
          messages: [
            {
              from: '14155552671',
              id: expect.stringMatching(/^wamid\./),
              timestamp: String(testNow.epochMilliseconds / 1000),
              type: 'text',
              text: { body: 'Thanks' },
            },
          ],
        },
      },
    ]);
    const made = createHmac('sha256', appSecret)
      .update(callBack?.body ?? '')
      .digest('hex');
    expect(callBack?.headers['x-hub-signature-256']).toBe(`sha256=${made}`);
  });
});
