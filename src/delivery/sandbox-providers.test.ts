import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallbackAnswer, Network, Report } from '#delivery/adapter.ts';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { adapterFor, providerField } from '#delivery/registry.ts';
import { sandboxChannels } from '#delivery/sandbox-channels.ts';
import { callbackBase, envelope } from '#delivery/provider.fixture.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import type { SandboxMessage } from '#sandbox/intake.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';

const workspaceId = envelope.workspace_id;
const now = () => Temporal.Instant.from('2026-11-20T08:00:00Z');
const reporting: [ChannelType, string][] = [
  ['sms', 'twilio'],
  ['sms', 'messagebird'],
  ['sms', 'nexmo'],
  ['whatsapp', 'waha'],
  ['whatsapp', 'twilio'],
  ['whatsapp', 'whatsapp_business'],
  ['whatsapp', 'messagebird'],
];
const silent: [ChannelType, string][] = [
  ['sms', 'aws_sns'],
  ['slack', 'webhook'],
  ['slack', 'bot'],
];

describe("the sandbox, which follows the providers' own documentation", () => {
  let sandbox: Sandbox;
  let network: Network;
  let kept: SandboxMessage[] = [];
  let callbackAnswers: CallbackAnswer[] = [];
  let onCallbackAnswer = () => {};
  let listener: { adapter: AnyAdapter; config: unknown };

  beforeAll(async () => {
    sandbox = await startSandbox({
      secret: 'a secret',
      now,
      store: async (messages) => void kept.push(...messages),
      webhookOf: async ({ provider }) => `${callbackBase}/${provider}/tok`,
      calling: { post: async (request) => hear(request), note: async () => undefined, delayMs: 0 },
    });
    const guard = createEgressGuard({ allow: [], exact: () => [sandbox.http] });
    network = {
      http: createOutboundHttp({ guard }),
      smtp: createSmtpPools({ guard }),
      now,
      callbackUrl: (provider, of) => `http://127.0.0.1/api/callbacks/${provider}/${of}`,
    };
  });
  beforeEach(() => {
    [kept, callbackAnswers] = [[], []];
  });
  afterAll(async () => {
    await network.http.close();
    await sandbox.stop();
  });

  /** Receives callbacks in place of this installation. */
  async function hear({ url, method, headers, body = '' }: HttpRequest) {
    const pairs = headers.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [],
    );
    const callback = {
      method: method === 'GET' ? ('GET' as const) : ('POST' as const),
      url: new URL(url),
      headers: new Headers(pairs),
      body: Buffer.from(body),
    };
    const answer = await listener.adapter.parseCallback?.(callback, { config: listener.config, now: now() });
    if (answer !== undefined) callbackAnswers.push(answer);
    onCallbackAnswer();
    const status = answer?.kind === 'reports' ? 200 : 401;
    return { kind: 'answer' as const, status, headers: {}, body: '', isComplete: true };
  }

  function open(type: ChannelType, provider: string) {
    const accounts = sandboxChannels(sandbox, workspaceId);
    const found = accounts.find((account) => account.channel === type && account.provider === provider);
    const configuration = { ...found?.configuration, [providerField(type)]: provider, callback_token: 'tok' };
    const adapter = adapterFor(type, configuration);
    if (found === undefined || adapter === null) throw new Error(`the sandbox has no ${type}/${provider}`);
    listener = { adapter, config: adapter.shape.parse(configuration) };
    return listener;
  }

  function send(type: ChannelType, provider: string) {
    const { adapter, config } = open(type, provider);
    return adapter.send({ ...envelope, channel: type }, { config, network });
  }

  const reports = (): Report[] =>
    callbackAnswers.flatMap((answer) => (answer.kind === 'reports' ? answer.reports : []));

  it.each([...reporting, ...silent])('accepts what is sent by %s through %s', async (type, provider) => {
    const outcome = await send(type, provider);
    expect(outcome).toMatchObject({ outcome: 'accepted', receipt: expect.stringMatching(/./) });
    expect(kept).toMatchObject([{ workspace_id: workspaceId, channel: type }]);
    expect(kept[0]?.text).toContain('please pay €900 &');
  });

  it.each(reporting)('reports what is sent by %s through %s, with a valid signature', async (type, provider) => {
    const outcome = await send(type, provider);
    await untilDelivered();
    expect(callbackAnswers.map(({ kind }) => kind)).not.toContain('refused');
    const receipt = outcome.outcome === 'accepted' ? outcome.receipt : '';
    expect(reports().at(-1)).toMatchObject({ kind: 'delivered', id: receipt });
  });

  it.each(reporting)('delivers a STOP by %s through %s', async (type, provider) => {
    await send(type, provider);
    await untilDelivered();
    callbackAnswers = [];
    const [message] = kept;
    if (message === undefined) throw new Error('it was taken');
    const { callback_url: callbackUrl } = message;
    await sandbox.reply({ ...message, workspaceId, channel: type, provider, callbackUrl }, 'Stop');
    expect(reports()).toEqual([
      {
        kind: 'stopped',
        sender: '+4917012345678',
        messageId: expect.stringMatching(/./),
        sentAt: provider === 'twilio' ? null : now(),
      },
    ]);
  });

  /** Reports follow the answer in order. The delivery is the last of them. */
  async function untilDelivered(): Promise<void> {
    while (!reports().some(({ kind }) => kind === 'delivered')) {
      const { promise, resolve } = Promise.withResolvers<void>();
      onCallbackAnswer = resolve;
      await promise;
    }
  }

  it.each([...reporting, ['sms', 'aws_sns'], ['slack', 'bot']] as typeof reporting)(
    'verifies an account for %s at %s',
    async (type, provider) => {
      const { adapter, config } = open(type, provider);
      expect(await adapter.verify?.(config, network)).toMatchObject({ success: true });
    },
  );
});
