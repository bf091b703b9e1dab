import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Envelope, Network } from '#delivery/adapter.ts';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { adapterFor, providerField } from '#delivery/registry.ts';
import { sandboxChannels } from '#delivery/sandbox-channels.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import type { RepliedMessage } from '#sandbox/sandbox.ts';
import { type CallBack, startTestSandbox, testNow, type TestSandbox } from '#testing/sandbox.ts';

let sandbox: TestSandbox;
let network: Network;

beforeEach(async () => {
  sandbox = await startTestSandbox({ hasWebhooks: true });
  const guard = createEgressGuard({ allow: [], exact: () => [sandbox.smtp, sandbox.http] });
  network = {
    http: createOutboundHttp({ guard, checkEveryMs: 20 }),
    smtp: createSmtpPools({ guard }),
    now: () => testNow,
    callbackUrl: () => sandbox.callbackUrl.replace(/\?.*/, ''),
  };
});
afterEach(async () => {
  network.smtp.close();
  await network.http.close();
  await sandbox.stop();
});

const envelope: Envelope = {
  delivery_id: '019a9d3e-0000-7000-8000-000000000001',
  workspace_id: '019a9d3e-0000-7000-8000-000000000002',
  job_id: '019a9d3e-0000-7000-8000-000000000003',
  reminder_id: null,
  name: 'Rent',
  scheduled_for: '2026-11-20T08:00:00Z',
  attempt: 1,
  channel: 'sms',
  recipient: '+14155552671',
  recipient_name: null,
  subject: 'Rent is due',
  message: 'Grüße, Dana: 1.200 € ☕',
  is_test: false,
};

/** Every provider as a channel, configured with its sandbox account. */
const kinds = [
  'sms/twilio',
  'sms/aws_sns',
  'sms/messagebird',
  'sms/nexmo',
  'whatsapp/waha',
  'whatsapp/twilio',
  'whatsapp/whatsapp_business',
  'whatsapp/messagebird',
  'slack/webhook',
  'slack/bot',
];
const phones = kinds.filter((kind) => !kind.startsWith('slack'));
const reporting = phones.filter((kind) => kind !== 'sms/aws_sns');

function openChannel(kind: string, workspaceId = sandbox.workspaceId): { adapter: AnyAdapter; config: unknown } {
  const found = sandboxChannels(sandbox, workspaceId).find(
    ({ channel, provider }) => `${channel}/${provider}` === kind,
  );
  if (found === undefined) throw new Error(`The sandbox plays no ${kind}`);
  const configuration = { ...found.configuration, [providerField(found.channel)]: found.provider };
  const adapter = adapterFor(found.channel, configuration);
  if (adapter?.provider !== found.provider) throw new Error(`There is no adapter for ${kind}`);
  return { adapter, config: adapter.shape.parse({ ...configuration, callback_token: 'token' }) };
}

function send(kind: string, changes: Partial<Envelope> = {}) {
  const { adapter, config } = openChannel(kind);
  return adapter.send({ ...envelope, channel: adapter.type, ...changes }, { config, network });
}

function reportsOf(kind: string, call: CallBack | undefined) {
  if (call === undefined) throw new Error('Nobody called back');
  const { adapter, config } = openChannel(kind);
  const url = new URL(call.url, sandbox.callbackUrl);
  const method = call.method === 'GET' ? 'GET' : 'POST';
  const callback = { method, url, headers: new Headers(call.headers), body: Buffer.from(call.body) } as const;
  const answer = adapter.parseCallback?.(callback, { config, now: testNow });
  if (answer === undefined || answer instanceof Promise || answer.kind !== 'reports')
    throw new Error(`The call-back was not believed: ${JSON.stringify(answer)}`);
  return answer.reports;
}

function lastMessage(): RepliedMessage {
  const message = sandbox.stored.at(-1);
  if (message?.provider == null) throw new Error('Nothing was stored');
  return {
    ...message,
    provider: message.provider,
    workspaceId: sandbox.workspaceId,
    callbackUrl: message.callback_url,
  };
}

it('the sandbox emulates every provider except mail, webhooks and push', () => {
  const played = sandboxChannels(sandbox, sandbox.workspaceId).map(({ channel, provider }) => `${channel}/${provider}`);
  expect(played).toEqual(kinds);
});

describe.each(kinds)('%s', (kind) => {
  it('delivers into the Inbox, with each character as written', async () => {
    expect(await send(kind)).toMatchObject({ outcome: 'accepted', receipt: expect.stringMatching(/./) });
    const [message] = sandbox.stored;
    expect(message).toMatchObject({ workspace_id: sandbox.workspaceId, channel: kind.split('/')[0] });
    expect(message?.text).toContain('Grüße, Dana: 1.200 € ☕');
  });

  it('distinguishes valid credentials from wrong ones', async () => {
    const { adapter, config } = openChannel(kind);
    // An incoming webhook cannot be verified without posting.
    if (adapter.verify === undefined) return expect(kind).toBe('slack/webhook');
    expect(await adapter.verify(config, network)).toMatchObject({ success: true });
    const wrong = { ...Object(config) };
    const field = ['api_secret', 'api_key', 'bot_token'].find((name) => name in wrong) ?? '';
    wrong[field] = wrong[field].replace(/.$/, (last: string) => (last === '0' ? '1' : '0'));
    expect(await adapter.verify(adapter.shape.parse(wrong), network)).toMatchObject({ success: false });
  });

  it('waits as long as the response asks', async () => {
    sandbox.simulateFailure({ kind: 'rate_limited', retry_after: { form: 'date', seconds: 90 } });
    expect(await send(kind)).toMatchObject({ outcome: 'failed', permanent: false, retryAfterMs: 90_000 });
  });

  it.each([500, 502, 503, 504] as const)('tries again when its provider answers %i', async (status) => {
    sandbox.simulateFailure({ kind: 'unavailable', status });
    expect(await send(kind)).toMatchObject({ outcome: 'failed', permanent: false });
  });

  it('records a message as unknown when the connection breaks', async () => {
    sandbox.simulateFailure({ kind: 'reset' });
    expect(await send(kind)).toMatchObject({ outcome: 'unknown' });
    expect(sandbox.stored).toHaveLength(1);
  });
});

describe.each(phones)('%s', (kind) => {
  it('gives up on a number that its provider refuses', async () => {
    const outcome = await send(kind, { recipient: '+15005550001' });
    // WAHA reports that its engine failed, without a reliable reason.
    expect(outcome).toMatchObject({ outcome: 'failed', permanent: kind !== 'whatsapp/waha' });
    expect(sandbox.stored).toEqual([]);
  });

  it('gives up on a text that is too long', async () => {
    const outcome = await send(kind, { message: 'x'.repeat(5_000) });
    if (kind === 'whatsapp/waha') expect(outcome).toMatchObject({ outcome: 'accepted' });
    else expect(outcome).toMatchObject({ outcome: 'failed', permanent: true });
  });
});

describe.each(reporting)('%s', (kind) => {
  it('gets a report that a message was delivered', async () => {
    const outcome = await send(kind);
    if (outcome.outcome !== 'accepted') throw new Error('It was not accepted');
    await sandbox.reported(sandbox.stored[0]?.id ?? '');
    const reports = sandbox.calls.flatMap((call) => reportsOf(kind, call));
    expect(reports[0]).toMatchObject({ kind: 'delivered' });
    const [report] = reports;
    if (report?.kind !== 'delivered') throw new Error('It was not delivered');
    expect([report.id, report.deliveryId ?? envelope.delivery_id]).toEqual([outcome.receipt, envelope.delivery_id]);
  });

  it('gets a report why a message was not delivered', async () => {
    await send(kind, { recipient: '+15005550011' });
    await sandbox.reported(sandbox.stored[0]?.id ?? '');
    const reports = sandbox.calls.flatMap((call) => reportsOf(kind, call));
    expect(reports[0]).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/./) });
  });

  it('gets a report of an opt-out, and of an opt-in after it', async () => {
    await send(kind, { recipient: '+15005550012' });
    for (const word of ['stop', 'START', 'Thanks']) await sandbox.reply(lastMessageSent(), word);
    const reports = sandbox.calls.map((call) => reportsOf(kind, call));
    const sender = '+15005550012';
    expect(reports).toMatchObject([[{ kind: 'stopped', sender }], [{ kind: 'resumed', sender }], []]);
  });

  const lastMessageSent = () => {
    sandbox.stored.splice(1);
    return lastMessage();
  };
});

describe('a workspace without channels of its own', () => {
  const route = (type: 'sms' | 'whatsapp' | 'slack' | 'push') => {
    const routes = createDefaultRoutes({ sandbox, mailServer: null });
    return { first: routes(type, sandbox.workspaceId), again: routes(type, sandbox.workspaceId) };
  };

  it.each(['sms', 'whatsapp', 'slack'] as const)('sends %s into its own Inbox', async (type) => {
    const { first, again } = route(type);
    if (first === null) throw new Error('There is no route');
    expect(again).toBe(first);
    const outcome = await first.adapter.send({ ...envelope, channel: type }, { config: first.config, network });
    expect(outcome).toHaveProperty('outcome', 'accepted');
    expect(sandbox.stored).toMatchObject([{ channel: type, workspace_id: sandbox.workspaceId }]);
  });

  it('has no route for push, because browsers provide their own endpoints', () => {
    expect(route('push').first).toBeNull();
  });

  it('without a sandbox has no route for a type that is not configured', () => {
    const routes = createDefaultRoutes({ sandbox: null, mailServer: null });
    expect((['sms', 'whatsapp', 'slack', 'email'] as const).map((type) => routes(type, 'w'))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
