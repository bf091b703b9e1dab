import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CallbackAnswer, Network, Report } from '#delivery/adapter.ts';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { adapterFor } from '#delivery/registry.ts';
import { callbackBase, envelope } from '#delivery/provider.fixture.ts';
import type { ChannelType } from '#contract/reminders.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp, type HttpRequest } from '#platform/outbound/http.ts';
import type { SandboxMessage } from '#platform/sandbox/intake.ts';
import type { ProviderAccounts } from '#platform/sandbox/provider-accounts.ts';
import { type Sandbox, startSandbox } from '#platform/sandbox/sandbox.ts';

const workspaceId = envelope.workspace_id;
const now = () => Temporal.Instant.from('2026-11-20T08:00:00Z');
const token = { callback_token: 'tok' };

type Provider = { type: ChannelType; configurationOf: (accounts: ProviderAccounts) => Record<string, unknown> };

/** As the form of each provider is filled for the sandbox's accounts. */
const providers: Record<string, Provider> = {
  twilio: {
    type: 'sms',
    configurationOf: ({ twilio, baseUrl: base_url }) => ({
      ...{ provider: 'twilio', api_key: twilio.accountSid, api_secret: twilio.authToken, from_number: twilio.number },
      base_url,
    }),
  },
  aws_sns: {
    type: 'sms',
    configurationOf: ({ awsSns, baseUrl: base_url }) => ({
      ...{
        provider: 'aws_sns',
        api_key: awsSns.accessKeyId,
        api_secret: awsSns.secretAccessKey,
        region: awsSns.region,
      },
      base_url,
    }),
  },
  messagebird: {
    type: 'sms',
    configurationOf: ({ messageBird: { accessKey, originator, signingKey }, baseUrl: base_url }) => ({
      ...{ provider: 'messagebird', api_key: accessKey, from_number: originator, signing_key: signingKey },
      base_url,
    }),
  },
  nexmo: {
    type: 'sms',
    configurationOf: ({ vonage, baseUrl: base_url }) => ({
      ...{ provider: 'nexmo', api_key: vonage.apiKey, api_secret: vonage.apiSecret, from_number: vonage.sender },
      ...{ signature_secret: vonage.signatureSecret, signature_method: 'sha256', base_url },
    }),
  },
  waha: {
    type: 'whatsapp',
    configurationOf: ({ waha, baseUrl: base_url }) => ({
      ...{ provider: 'waha', session_name: waha.session, api_key: waha.apiKey, hmac_key: waha.hmacKey, base_url },
    }),
  },
  'twilio WhatsApp': {
    type: 'whatsapp',
    configurationOf: ({ twilio, baseUrl: base_url }) => ({
      ...{ provider: 'twilio', api_key: `${twilio.accountSid}:${twilio.authToken}` },
      ...{ phone_number_id: twilio.whatsAppNumber, base_url },
    }),
  },
  whatsapp_business: {
    type: 'whatsapp',
    configurationOf: ({ whatsAppBusiness, baseUrl: base_url }) => ({
      ...{
        provider: 'whatsapp_business',
        api_key: whatsAppBusiness.accessToken,
        app_secret: whatsAppBusiness.appSecret,
      },
      ...{ phone_number_id: whatsAppBusiness.phoneNumberId, base_url },
    }),
  },
  'messagebird WhatsApp': {
    type: 'whatsapp',
    configurationOf: ({ messageBird: { accessKey, channelId, signingKey }, baseUrl: base_url }) => ({
      ...{ provider: 'messagebird', api_key: accessKey, phone_number_id: channelId, signing_key: signingKey, base_url },
    }),
  },
  'slack webhook': {
    type: 'slack',
    configurationOf: ({ slack }) => ({ method: 'webhook', webhook_url: slack.webhookUrl }),
  },
  'slack bot': {
    type: 'slack',
    configurationOf: ({ slack, baseUrl }) => ({
      ...{ method: 'bot', bot_token: slack.botToken, channel: slack.channel, base_url: `${baseUrl}/api` },
    }),
  },
};

describe('the sandbox, which knows the providers from their own documents', () => {
  let sandbox: Sandbox;
  let network: Network;
  let kept: SandboxMessage[] = [];
  let told: CallbackAnswer[] = [];
  let onTold = () => {};
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
    [kept, told] = [[], []];
  });
  afterAll(async () => {
    await network.http.close();
    await sandbox.stop();
  });

  /** Takes the place of this installation's address for call-backs. */
  function hear({ url, method, headers, body = '' }: HttpRequest) {
    const pairs = headers.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [],
    );
    const callback = {
      method: method === 'GET' ? ('GET' as const) : ('POST' as const),
      url: new URL(url),
      headers: new Headers(pairs),
      body: Buffer.from(body),
    };
    const answer = listener.adapter.parseCallback?.(callback, { config: listener.config, now: now() });
    if (answer !== undefined) told.push(answer);
    onTold();
    const status = answer?.kind === 'reports' ? 200 : 401;
    return { kind: 'answer' as const, status, headers: {}, body: '', isComplete: true };
  }

  function open(name: string) {
    const { type, configurationOf } = providers[name]!;
    const configuration = { ...configurationOf(sandbox.accountsFor(workspaceId)), ...token };
    const adapter = adapterFor(type, configuration)!;
    listener = { adapter, config: adapter.shape.parse(configuration) };
    return { ...listener, type };
  }

  const send = (name: string, recipient = '+4917012345678') => {
    const { adapter, config, type } = open(name);
    return adapter.send({ ...envelope, channel: type, recipient }, { config, network });
  };

  const reports = (): Report[] => told.flatMap((answer) => (answer.kind === 'reports' ? answer.reports : []));

  it.each(Object.keys(providers))('takes what is sent through %s', async (name) => {
    const outcome = await send(name);
    expect(outcome).toMatchObject({ outcome: 'accepted', receipt: expect.stringMatching(/./) });
    expect(kept).toMatchObject([{ workspace_id: workspaceId, channel: providers[name]?.type }]);
    expect(kept[0]?.text).toContain('please pay €900 &');
  });

  it.each(Object.keys(providers).filter((name) => !/slack|aws_sns/.test(name)))(
    'reports what is sent through %s, and is believed',
    async (name) => {
      const outcome = await send(name);
      await untilDelivered();
      expect(told.map(({ kind }) => kind)).not.toContain('refused');
      const receipt = outcome.outcome === 'accepted' ? outcome.receipt : '';
      expect(reports().at(-1)).toMatchObject({ kind: 'delivered', id: receipt });
    },
  );

  it.each(Object.keys(providers).filter((name) => !/slack|aws_sns/.test(name)))(
    'brings a STOP through %s',
    async (name) => {
      await send(name);
      await untilDelivered();
      told = [];
      const [message] = kept;
      const { callback_url: callbackUrl, provider, workspace_id: of, channel } = message!;
      if (provider === null || of === null) throw new Error('the message is of a provider and a workspace');
      await sandbox.reply({ ...message!, id: message!.id, workspaceId: of, channel, provider, callbackUrl }, 'Stop');
      expect(reports()).toEqual([{ kind: 'stopped', sender: '+4917012345678' }]);
    },
  );

  /** Reports go out behind the answer, one after the other; a delivery is the last of them. */
  async function untilDelivered(): Promise<void> {
    while (!reports().some(({ kind }) => kind === 'delivered')) {
      const { promise, resolve } = Promise.withResolvers<void>();
      onTold = resolve;
      await promise;
    }
  }

  it.each(Object.keys(providers).filter((name) => !/slack webhook/.test(name)))('is verified as %s', async (name) => {
    const { adapter, config } = open(name);
    expect(await adapter.verify?.(config, network)).toMatchObject({ success: true });
  });
});
