import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { form, json, startTestSandbox, type TestSandbox } from '#testing/sandbox.ts';

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(() => sandbox.stop());

async function call(url: string, init: RequestInit) {
  const answer = await fetch(url, init);
  return [answer.status, await answer.text()];
}

describe('an incoming webhook of Slack', () => {
  const post = (init: RequestInit) => call(sandbox.accounts.slack.webhookUrl, init);

  it('accepts a text and answers ok', async () => {
    expect(await post(json({ text: 'The *rent* is due.' }))).toEqual([200, 'ok']);
    expect(sandbox.stored).toMatchObject([
      { channel: 'slack', provider: 'slack', sender: 'Cuebird', recipient: '#general', text: 'The *rent* is due.' },
    ]);
  });

  it('accepts the payload of a form', async () => {
    expect(await post(form({ payload: '{"text":"Due"}' }))).toEqual([200, 'ok']);
  });

  it('shows the text of blocks, of which the plain text is the summary', async () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'Rent' } },
      { type: 'section', text: { type: 'mrkdwn', text: 'It is *due*.' } },
    ];
    expect(await post(json({ text: 'Rent is due', blocks }))).toEqual([200, 'ok']);
    expect(sandbox.stored).toMatchObject([{ text: 'Rent\n\nIt is *due*.' }]);
  });

  it.each<[string, RequestInit, number, string]>([
    ['invalid JSON', json('{'), 400, 'invalid_payload'],
    [
      'JSON in another form field',
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{"text":"x"}' },
      400,
      'invalid_payload',
    ],
    ['a form without payload', form({ text: 'x' }), 400, 'invalid_payload'],
    ['no visible content', json({}), 400, 'no_text'],
    ['blanks', json({ text: ' ' }), 400, 'no_text'],
    ['a text that is not a string', json({ text: 7 }), 400, 'invalid_payload'],
    [
      'a header of 151 characters',
      json({ blocks: [{ type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } }] }),
      400,
      'invalid_blocks',
    ],
    [
      'a section of 3001 characters',
      json({ blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(3_001) } }] }),
      400,
      'invalid_blocks',
    ],
    ['51 blocks', json({ blocks: Array.from({ length: 51 }, () => ({ type: 'divider' })) }), 400, 'invalid_payload'],
  ])('refuses %s', async (_, init, status, words) => {
    expect(await post(init)).toEqual([status, words]);
    expect(sandbox.stored).toEqual([]);
  });

  it('accepts only its own addresses', async () => {
    const { webhookUrl } = sandbox.accounts.slack;
    const [, team = ''] = /\/services\/([^/]+)/.exec(webhookUrl) ?? [];
    const other = sandbox.accountsFor('019a9d3e-0000-7000-8000-00000000000f').slack.webhookUrl;
    const good = json({ text: 'x' });
    expect(await call(webhookUrl.replace(/[^/]+$/, 'guessed'), good)).toEqual([403, 'invalid_token']);
    expect(await call(webhookUrl.replace(/B\d+/, 'B000'), good)).toEqual([404, 'no_service']);
    expect(await call(webhookUrl.replace(team, 'T0'), good)).toEqual([404, 'no_team']);
    expect(await call(other.replace(/T[0-9A-F]{32}/, team), good)).toEqual([404, 'no_service']);
    expect(sandbox.stored).toEqual([]);
  });
});

describe('a bot of Slack', () => {
  const good = { channel: '#rent', text: 'The rent is due.' };
  const bearer = () => ({ authorization: `Bearer ${sandbox.accounts.slack.botToken}` });

  async function post(init: RequestInit, method = 'chat.postMessage') {
    const answer = await fetch(`${sandbox.http.url}/api/${method}`, init);
    return { status: answer.status, json: await answer.json() };
  }

  it.each([
    ['JSON', json],
    ['a form', form],
  ])('posts %s into its channel', async (_, make) => {
    const { status, json: made } = await post(make(good, bearer()));
    expect([status, made]).toEqual([
      200,
      {
        ok: true,
        channel: 'C0CUEBIRD1',
        ts: expect.stringMatching(/^1795161600\.\d{6}$/),
        message: { type: 'message', subtype: 'bot_message', text: good.text, ts: made.ts, bot_id: 'B0CUEBIRD' },
      },
    ]);
    expect(sandbox.stored).toMatchObject([{ channel: 'slack', recipient: '#rent', text: good.text }]);
  });

  it.each<[string, object, string]>([
    ['no channel', { channel: '' }, 'invalid_arguments'],
    ['no visible content', { text: '' }, 'no_text'],
    ['40,001 characters', { text: 'x'.repeat(40_001) }, 'msg_too_long'],
    ['invalid blocks', { blocks: [{ type: 'nonsense' }] }, 'invalid_blocks'],
    ['a channel that does not exist', { channel: '#no-such-channel' }, 'channel_not_found'],
    ['a channel without the bot', { channel: 'not-invited' }, 'not_in_channel'],
    ['an archived channel', { channel: '#archived' }, 'is_archived'],
  ])('refuses %s with HTTP 200 and an error', async (_, changes, error) => {
    expect(await post(json({ ...good, ...changes }, bearer()))).toMatchObject({
      status: 200,
      json: { ok: false, error },
    });
    expect(sandbox.stored).toEqual([]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['no token', {}, 'not_authed'],
    ['a guessed token', { authorization: 'Bearer xoxb-1-2-3' }, 'invalid_auth'],
  ])('refuses %s', async (_, headers, error) => {
    expect(await post(json(good, headers))).toEqual({ status: 200, json: { ok: false, error } });
    expect(await post(json({}, headers), 'auth.test')).toEqual({ status: 200, json: { ok: false, error } });
  });

  it('refuses a body that is neither JSON nor a form', async () => {
    const headers = { 'content-type': 'text/plain', ...bearer() };
    expect((await post({ method: 'POST', headers, body: '{}' })).json).toEqual({
      ok: false,
      error: 'invalid_post_type',
    });
    expect((await post(json('{', bearer()))).json).toEqual({ ok: false, error: 'invalid_json' });
  });

  it('says whether its token is valid', async () => {
    expect((await post(form({}, bearer()), 'auth.test')).json).toMatchObject({ ok: true, team: 'Cuebird sandbox' });
  });
});
