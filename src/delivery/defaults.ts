import type { ChannelType } from '#contract/reminders.ts';
import type { DefaultRoute, SendRoute } from '#delivery/adapter.ts';
import { adapterFor, providerField } from '#delivery/registry.ts';
import type { Devices } from '#delivery/push/devices.ts';
import type { PushSender } from '#delivery/push/push.message.ts';
import { sandboxChannels } from '#delivery/sandbox-channels.ts';
import type { SandboxAddresses } from '#platform/sandbox/addresses.ts';

/** The installation's mail server, as SMTP_URL and MAIL_FROM name it. */
export type MailServer = { url: string; from: string };

type Ways = {
  sandbox: SandboxAddresses | null;
  mailServer: MailServer | null;
  /** Who signs push messages, and the browsers that they go to. */
  push?: { sender: PushSender; devices: Devices };
  /** By which the reports of the installation's own way for a type are known to be a workspace's. */
  callbackToken?: (of: { type: ChannelType; workspaceId: string }) => string | undefined;
};

/**
 * What a workspace without a channel of its own sends through: the sandbox when it is on, else the installation's mail
 * server for mail; webhooks to URLs of their own need no channel at all.
 */
export function createDefaultRoutes(ways: Ways): DefaultRoute {
  const { sandbox } = ways;
  // One configuration object per workspace and type: adapters key their connections by it.
  const made = new Map<string, SendRoute | null>();
  return (type, workspaceId) => {
    const key = sandbox === null ? type : `${type} ${workspaceId}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    if (made.size > 10_000) made.clear();
    const configuration = configurationOf(type, { ...ways, workspaceId });
    const adapter = adapterFor(type, configuration ?? {});
    const route =
      configuration === null || adapter === null
        ? null
        : { adapter, config: adapter.shape.parse(configuration), channelId: null };
    made.set(key, route);
    return route;
  };
}

type Way = Ways & { workspaceId: string };

function configurationOf(type: ChannelType, way: Way): Record<string, unknown> | null {
  if (type === 'push') return pushConfiguration(way);
  if (way.sandbox !== null) return sandboxConfiguration(type, { ...way, sandbox: way.sandbox });
  if (type === 'webhook') return {};
  return type === 'email' && way.mailServer !== null ? smtpConfiguration(way.mailServer) : null;
}

function sandboxConfiguration(
  type: ChannelType,
  { workspaceId, sandbox, callbackToken }: Way & { sandbox: SandboxAddresses },
): Record<string, unknown> | null {
  if (type === 'webhook') return { url: sandbox.webhookUrlFor(workspaceId) };
  if (type === 'email') return { ...sandbox.smtpConfigFor(workspaceId) };
  const first = sandboxChannels(sandbox, workspaceId).find(({ channel }) => channel === type);
  if (first === undefined) return null;
  const token = callbackToken?.({ type, workspaceId });
  return { ...first.configuration, [providerField(type)]: first.provider, callback_token: token };
}

/** Push goes to the addresses that browsers give, wherever those are; with the sandbox, to its own where there is none. */
function pushConfiguration({ push, sandbox }: Way): Record<string, unknown> | null {
  if (push === undefined) return null;
  const { sender, devices } = push;
  if (sandbox === null) return { ...sender, devices };
  const withSandbox: Devices = {
    ...devices,
    async of(workspaceId) {
      const own = await devices.of(workspaceId);
      if (own.length > 0) return own;
      return [sandbox.pushSubscriptionFor({ workspaceId, applicationServerKey: sender.public_key })];
    },
  };
  return { ...sender, devices: withSandbox };
}

/** `smtp://user:password@host:587` and `Name <address>` as an e-mail channel's configuration. */
export function smtpConfiguration({ url, from }: MailServer): Record<string, unknown> {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const isImplicitTls = protocol === 'smtps:';
  const sender = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(from);
  const address = sender?.[2] ?? from.trim();
  return {
    smtp_host: hostname,
    smtp_port: port === '' ? (isImplicitTls ? 465 : 587) : Number(port),
    // A server that takes mail without a login is given none: that needs a password.
    username: decodeURIComponent(username) || address,
    password: decodeURIComponent(password),
    from_email: address,
    from_name: sender?.[1] ?? 'Cuebird',
    use_tls: isImplicitTls || searchParams.get('tls') !== 'off',
  };
}
