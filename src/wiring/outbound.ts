import type { DefaultRoute, Network } from '#delivery/adapter.ts';
import { createDefaultRoutes, smtpConfiguration } from '#delivery/defaults.ts';
import type { PushDevices } from '#delivery/push/devices.ts';
import type { PushSender } from '#delivery/push/push.message.ts';
import { createSandboxOnlyRoutes, type SandboxNetwork } from '#delivery/sandbox-only.ts';
import { createSmtpPools } from '#delivery/email/smtp-pools.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { createInstallationMailer, type InstallationMail } from '#delivery/email/installation-mailer.ts';
import { callbackUrl } from '#features/channels/callback-address.service.ts';
import { defaultCallbackToken } from '#features/channels/callback-token.ts';
import { createPushDevices, openPushKeys } from '#features/push/push-devices.service.ts';
import { createUnsubscribeLinks } from '#features/unsubscribe/unsubscribe-links.service.ts';
import { createUnsubscribeTokens } from '#features/unsubscribe/unsubscribe-token.ts';
import type { Config } from '#platform/config.ts';
import { createEgressGuard, type EgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import type { SandboxAddresses } from '#sandbox/addresses.ts';
import type { Runtime } from './runtime.ts';

/** Everything that a thread needs to reach other servers. */
export type Outbound = {
  guard: EgressGuard;
  smtp: Network['smtp'];
  callbackUrl: NonNullable<Network['callbackUrl']>;
  publicUrl: NonNullable<Network['publicUrl']>;
  unsubscribeLinks: NonNullable<Network['unsubscribeLinks']>;
  preferencesLink: NonNullable<Network['preferencesLink']>;
  /** The links that stop messages, or a monthly report. */
  stopLinks: ReturnType<typeof createUnsubscribeLinks>;
  /** The default channels, for workspaces without a channel of their own. */
  defaults: DefaultRoute;
  /** The only routes and connections that demos send over. */
  demo: { routes: DefaultRoute; network: SandboxNetwork };
  /** Sends mail of the installation itself. Returns what became of it. */
  tryMail: ReturnType<typeof createInstallationMailer>;
  /** The same; returns whether a server accepted it. */
  sendMail: (mail: InstallationMail) => Promise<boolean>;
  canSendMail: boolean;
  /** The key pair that signs push messages, and the subscribed browsers. */
  push: { sender: PushSender; devices: PushDevices };
};

/** @param options.url Where this installation is; asked with each message that names it. */
export async function openOutbound(
  { config, log, stack, database, secrets }: Runtime,
  { sandbox, url }: { sandbox: SandboxAddresses | null; url: () => string },
): Promise<Outbound> {
  const guard = createEgressGuard({
    allow: config.EGRESS_ALLOW,
    exact: () => (sandbox === null ? [] : [sandbox.smtp, sandbox.http]),
  });
  const smtp = createSmtpPools({ guard });
  stack.add('mail connections', () => smtp.close());
  const mailServer = config.SMTP_URL === undefined ? null : { url: config.SMTP_URL, from: config.MAIL_FROM ?? '' };
  const pushKeys = await openPushKeys(database.engine, secrets);
  const push = {
    sender: { ...pushKeys, subject: contactOf(config) },
    devices: createPushDevices(database.engine),
  };
  const callbackToken = (of: { type: ChannelType; workspaceId: string }) => defaultCallbackToken(secrets, of);
  const defaults = createDefaultRoutes({
    sandbox,
    mailServer,
    push,
    callbackToken,
  });
  const network = openSandboxNetwork(stack, sandbox);
  const account = sandbox?.smtpConfigFor('account') ?? (mailServer === null ? null : smtpConfiguration(mailServer));
  const stopLinks = createUnsubscribeLinks({ tokens: createUnsubscribeTokens(secrets), url });
  const tryMail = createInstallationMailer({ smtp, configuration: account, log });
  return {
    guard,
    smtp,
    callbackUrl: (provider, token) => callbackUrl(url(), { provider, token }),
    publicUrl: (path) => url().replace(/\/$/, '') + path,
    unsubscribeLinks: (of) => stopLinks({ stops: 'messages', ...of }),
    preferencesLink: (of) => stopLinks({ stops: 'messages', ...of }).page,
    stopLinks,
    defaults,
    demo: { routes: createSandboxOnlyRoutes({ sandbox, network, pushSender: push.sender, callbackToken }), network },
    sendMail: async (mail) => (await tryMail(mail)).outcome === 'accepted',
    tryMail,
    canSendMail: account !== null,
    push,
  };
}

/** The connections of demos: they reach the sandbox only, whatever the configuration allows others. */
function openSandboxNetwork(stack: Runtime['stack'], sandbox: SandboxAddresses | null): SandboxNetwork {
  const guard = createEgressGuard({
    allow: [],
    exact: () => (sandbox === null ? [] : [sandbox.smtp, sandbox.http]),
    isClosed: true,
  });
  const network = { http: createOutboundHttp({ guard }), smtp: createSmtpPools({ guard }) };
  stack.add('connections of demos', async () => {
    network.smtp.close();
    await network.http.close();
  });
  return network;
}

/** The contact for push services (RFC 8292, section 2.1). */
function contactOf({ APP_URL, MAIL_FROM }: Config): string {
  if (APP_URL?.startsWith('https://') === true) return APP_URL;
  const address = /(?<![^\s<>])[^\s<>@]+@[^\s<>]+/.exec(MAIL_FROM ?? '')?.[0];
  return `mailto:${address ?? 'push@cuebird.invalid'}`;
}
