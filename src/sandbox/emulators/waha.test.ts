import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { json, startTestSandbox, testNow, type TestSandbox } from '#testing/sandbox.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.stop());

const key = () => ({ 'x-api-key': sandbox.accounts.waha.apiKey });
const good = { session: 'default', chatId: '14155552671@c.us', text: 'The rent is due.' };

async function call(path: string, init: RequestInit) {
  const answer = await fetch(`${sandbox.http.url}${path}`, init);
  return { status: answer.status, json: await answer.json() };
}
const send = (changes: object = {}) => call('/api/sendText', json({ ...good, ...changes }, key()));

describe('WAHA', () => {
  it('accepts a text and answers with the message', async () => {
    const { status, json: made } = await send();
    expect([status, made]).toEqual([
      201,
      {
        id: `true_14155552671@c.us_${sandbox.stored[0]?.id.replaceAll('-', '').toUpperCase()}`,
        timestamp: testNow.epochMilliseconds / 1000,
        from: '14155238887@c.us',
        fromMe: true,
        source: 'api',
        to: '14155552671@c.us',
        body: 'The rent is due.',
        hasMedia: false,
        media: null,
        ack: 1,
        ackName: 'SERVER',
      },
    ]);
    expect(sandbox.stored).toMatchObject([
      { channel: 'whatsapp', provider: 'waha', sender: '+14155238887', recipient: '+14155552671', segments: null },
    ]);
  });

  it.each<[string, object, string]>([
    ['no chat', { chatId: undefined }, 'chatId must be a string'],
    ['a text that is not a string', { text: 7 }, 'text must be a string'],
    ['an empty text', { text: '' }, 'text should not be empty'],
  ])('refuses %s', async (_, changes, message) => {
    expect(await send(changes)).toEqual({
      status: 400,
      json: { message: [message], error: 'Bad Request', statusCode: 400 },
    });
  });

  it('refuses a session that does not work', async () => {
    expect(await send({ session: 'office' })).toEqual({
      status: 422,
      json: {
        error: 'Session status is not as expected. Try again later or restart the session',
        session: 'office',
        status: 'STOPPED',
        expected: ['WORKING'],
      },
    });
  });

  it.each(['+14155552671', '14155552671', 'Dana@c.us', '15005550001@c.us'])(
    'fails for the chat “%s”, which WhatsApp does not know',
    async (chatId) => {
      expect(await send({ chatId })).toMatchObject({
        status: 500,
        json: { statusCode: 500, exception: { message: `No LID for user: ${chatId}` } },
      });
      expect(sandbox.stored).toEqual([]);
    },
  );

  it('accepts only its own key', async () => {
    const other = sandbox.accountsFor('019a9d3e-0000-7000-8000-00000000000f').waha.apiKey;
    const mixed = sandbox.accounts.waha.apiKey.slice(0, 32) + other.slice(32);
    for (const headers of ['', 'guessed', mixed].map((given) => ({ 'x-api-key': given }))) {
      expect(await call('/api/sendText', json(good, headers))).toEqual({
        status: 401,
        json: { message: 'Unauthorized', statusCode: 401 },
      });
      expect((await call('/api/sessions/default', { headers })).status).toBe(401);
    }
  });

  it('returns the status of its session', async () => {
    expect(await call('/api/sessions/default', { headers: key() })).toMatchObject({
      status: 200,
      json: { name: 'default', status: 'WORKING', me: { id: '14155238887@c.us' }, engine: { engine: 'WEBJS' } },
    });
    expect(await call('/api/sessions', { headers: key() })).toMatchObject({ status: 200, json: [{ name: 'default' }] });
    expect(await call('/api/sessions/office', { headers: key() })).toEqual({
      status: 404,
      json: { message: 'Session not found', error: 'Not Found', statusCode: 404 },
    });
  });

  it("sends the recipient's reply, signed over its body", async () => {
    await send();
    const [sent] = sandbox.stored;
    if (sent === undefined) throw new Error('Nothing was stored');
    const message = { ...sent, provider: 'waha', workspaceId: sandbox.workspaceId, callbackUrl: sandbox.callbackUrl };
    await sandbox.reply(message, 'Thanks');
    const [call] = sandbox.calls;
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      event: 'message',
      session: 'default',
      payload: { from: '14155552671@c.us', to: '14155238887@c.us', fromMe: false, body: 'Thanks' },
    });
    const made = createHmac('sha512', sandbox.accounts.waha.hmacKey)
      .update(call?.body ?? '')
      .digest('hex');
    expect(call?.headers).toMatchObject({ 'x-webhook-hmac': made, 'x-webhook-hmac-algorithm': 'sha512' });
  });
});
