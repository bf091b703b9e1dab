import { afterAll, describe, expect, it } from 'vitest';
import { envelope, openProviderFixture, reply } from '#delivery/provider.fixture.ts';
import { adapter as bot } from './bot.adapter.ts';
import { adapter as webhook } from './webhook.adapter.ts';

const fixture = openProviderFixture();
afterAll(() => fixture.close());

const text = '*Rent is due*\nDear Ann, please pay €900 &amp; &lt;more&gt; + "all" by Friday: 100 %';

describe('a Slack message through an incoming webhook', () => {
  async function send(answer = reply(200, 'ok'), changes = {}) {
    const { url, seen } = await fixture.serve(answer);
    const config = webhook.shape.parse({ webhook_url: `${url}/services/T0/B0/XXX` });
    return { outcome: await webhook.send({ ...envelope, ...changes }, { config, network: fixture.network }), seen };
  }

  it('is JSON with the subject in bold and Slack’s own characters escaped', async () => {
    const { outcome, seen } = await send();
    expect(outcome).toEqual({ outcome: 'accepted', receipt: envelope.delivery_id, answer: 'HTTP 200: ok' });
    expect(seen[0]).toMatchObject({ method: 'POST', path: '/services/T0/B0/XXX', json: { text } });
    expect(seen[0]?.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each([
    [400, 'invalid_payload', true, 'Slack 400: invalid_payload'],
    [
      403,
      'action_prohibited',
      true,
      'Slack 403: action_prohibited (an administrator of the workspace does not allow it)',
    ],
    [404, 'no_service', true, 'Slack 404: no_service (the webhook was removed or its URL is wrong)'],
    [410, 'channel_is_archived', true, 'Slack 410: channel_is_archived (the channel is archived)'],
    [500, 'rollup_error', false, 'Slack 500: rollup_error'],
  ])('%i %s is explained', async (status, words, permanent, reason) => {
    expect((await send(reply(status, words))).outcome).toEqual({ outcome: 'failed', permanent, reason });
  });

  it('is not sent when Slack would cut it', async () => {
    const { outcome, seen } = await send(undefined, { subject: '', message: 'x'.repeat(40_001) });
    expect(outcome).toMatchObject({ code: 'too_large', reason: 'The message has 40001 characters; Slack takes 40000' });
    expect(seen).toEqual([]);
  });
});

describe('a Slack message of a bot', () => {
  const posted = { ok: true, channel: 'C123ABC456', ts: '1503435956.000247', message: { text } };

  async function send(answer = reply(200, posted), { changes = {}, message = envelope.message } = {}) {
    const { url, seen } = await fixture.serve(answer);
    const config = bot.shape.parse({ bot_token: 'xoxb-1', channel: '#general', base_url: `${url}/api`, ...changes });
    return { outcome: await bot.send({ ...envelope, message }, { config, network: fixture.network }), seen };
  }

  it('is a chat.postMessage, and its timestamp the receipt', async () => {
    const { outcome, seen } = await send();
    expect(outcome).toEqual({
      outcome: 'accepted',
      receipt: '1503435956.000247',
      answer: 'HTTP 200: posted to C123ABC456',
    });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/api/chat.postMessage',
      headers: { authorization: 'Bearer xoxb-1', 'content-type': 'application/json; charset=utf-8' },
      json: { channel: '#general', text },
    });
  });

  it('has its timestamp even when a long response is read only in part', async () => {
    const message = 'x'.repeat(20_000);
    const answer = reply(200, JSON.stringify({ ...posted, message: { text: message } }));
    expect((await send(answer, { message })).outcome).toHaveProperty('receipt', '1503435956.000247');
  });

  it.each([
    ['channel_not_found', true, 'Slack: channel_not_found (there is no such channel, or the bot does not see it)'],
    ['not_in_channel', true, 'Slack: not_in_channel (invite the bot to the channel first)'],
    ['invalid_auth', true, 'Slack: invalid_auth (the token is not valid)'],
    ['msg_too_long', true, 'Slack: msg_too_long'],
    ['ratelimited', false, 'Slack: ratelimited (too many messages)'],
    ['fatal_error', false, 'Slack: fatal_error'],
  ])('%s within a 200 is explained', async (error, permanent, reason) => {
    expect((await send(reply(200, { ok: false, error }))).outcome).toEqual({ outcome: 'failed', permanent, reason });
  });

  it('waits as long as Slack says', async () => {
    const answer = reply(429, { ok: false, error: 'ratelimited' }, { 'retry-after': '30' });
    expect((await send(answer)).outcome).toMatchObject({ permanent: false, retryAfterMs: 30_000 });
  });

  it('is unknown when a success names no message', async () => {
    expect((await send(reply(200, { ok: true }))).outcome).toHaveProperty('outcome', 'unknown');
  });

  it('is not sent without a channel', async () => {
    const { outcome, seen } = await send(undefined, { changes: { channel: '' } });
    expect(outcome).toMatchObject({
      code: 'no_channel',
      reason: 'Configuration incomplete: name the Slack channel to post to',
    });
    expect(seen).toEqual([]);
  });

  it('is verified by its token', async () => {
    const verify = async (body: object) => {
      const { url, seen } = await fixture.serve(reply(200, body));
      const config = bot.shape.parse({ bot_token: 'xoxb-1', base_url: url });
      const verification = await bot.verify?.(config, fixture.network);
      expect(seen[0]).toMatchObject({ path: '/auth.test', headers: { authorization: 'Bearer xoxb-1' } });
      return verification;
    };
    expect(await verify({ ok: true, team: 'Elm Street', user: 'cuebird' })).toEqual({
      success: true,
      message: 'Connected to Slack as cuebird in Elm Street',
    });
    expect(await verify({ ok: false, error: 'token_revoked' })).toEqual({
      success: false,
      message: 'Slack: token_revoked (the token was revoked)',
    });
  });
});
