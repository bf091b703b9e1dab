import type { ChannelType } from '#contract/channel-types.ts';
import type { DefaultRoute, SendRoute } from '#delivery/adapter.ts';
import { adapterFor, providerField } from '#delivery/registry.ts';
import type { PushDevices } from '#delivery/push/devices.ts';
import type { PushSender } from '#delivery/push/push.message.ts';
import { sandboxChannels } from '#delivery/sandbox-channels.ts';
import type { SandboxAddresses } from '#sandbox/addresses.ts';

/** The installation's mail server, from SMTP_URL and MAIL_FROM. */
export type MailServer = { url: string; from: string };

type DefaultChannels = {
  sandbox: SandboxAddresses | null;
  mailServer: MailServer | null;
  /** The key pair that signs push messages, and the browsers that take them. */
  push?: { sender: PushSender; devices: PushDevices };
  /** A token that maps callbacks of the installation's default channel to their workspace. */
  callbackToken?: (of: { type: ChannelType; workspaceId: string }) => string | undefined;
};

/**
 * The default routes of workspaces without a channel of their own: the sandbox when it is on, else the installation's
 * mail server for mail. Webhooks to URLs in the recipient list need no channel.
 */
export function createDefaultRoutes(channels: DefaultChannels): DefaultRoute {
  const { sandbox } = channels;
  // One configuration object per workspace and type, because adapters use it as the key of their connections.
  const made = new Map<string, SendRoute | null>();
  return (type, workspaceId) => {
    const key = sandbox === null ? type : `${type} ${workspaceId}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    if (made.size > 10_000) made.clear();
    const configuration = configurationOf(type, { ...channels, workspaceId });
    const adapter = adapterFor(type, configuration ?? {});
    const route =
      configuration === null || adapter === null
        ? null
        : { adapter, config: adapter.shape.parse(configuration), channelId: null };
    made.set(key, route);
    return route;
  };
}

type DefaultChannel = DefaultChannels & { workspaceId: string };

function configurationOf(type: ChannelType, channel: DefaultChannel): Record<string, unknown> | null {
  if (type === 'push') return pushConfiguration(channel);
  if (channel.sandbox !== null) return sandboxConfiguration(type, { ...channel, sandbox: channel.sandbox });
  if (type === 'webhook') return {};
  return type === 'email' && channel.mailServer !== null ? smtpConfiguration(channel.mailServer) : null;
}

function sandboxConfiguration(
  type: ChannelType,
  { workspaceId, sandbox, callbackToken }: DefaultChannel & { sandbox: SandboxAddresses },
): Record<string, unknown> | null {
  if (type === 'webhook') return { url: sandbox.webhookUrlFor(workspaceId) };
  if (type === 'email') return { ...sandbox.smtpConfigFor(workspaceId) };
  const first = sandboxChannels(sandbox, workspaceId).find(({ channel }) => channel === type);
  if (first === undefined) return null;
  const token = callbackToken?.({ type, workspaceId });
  return { ...first.configuration, [providerField(type)]: first.provider, callback_token: token };
}

/** Push goes to the endpoints of the browsers. With the sandbox, it goes to the sandbox's own when there is none. */
function pushConfiguration({ push, sandbox }: DefaultChannel): Record<string, unknown> | null {
  if (push === undefined) return null;
  const { sender, devices } = push;
  if (sandbox === null) return { ...sender, devices };
  const withSandbox: PushDevices = {
    ...devices,
    async of(workspaceId, memberId) {
      const own = await devices.of(workspaceId, memberId);
      if (own.length > 0) return own;
      return [sandbox.pushBrowserFor({ workspaceId, applicationServerKey: sender.public_key })];
    },
  };
  return { ...sender, devices: withSandbox };
}

/** Converts `smtp://user:password@host:587` and `Name <address>` into an email channel's configuration. */
export function smtpConfiguration({ url, from }: MailServer): Record<string, unknown> {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const isImplicitTls = protocol === 'smtps:';
  const sender = /^"?([^"<]*?)"?(?<!\s)\s*<([^<>]+)>$/.exec(from.trim());
  const address = sender?.[2] ?? from.trim();
  return {
    smtp_host: hostname,
    smtp_port: port === '' ? (isImplicitTls ? 465 : 587) : Number(port),
    // A server that accepts mail without a login is given none, because a login needs a password.
    username: decodeURIComponent(username) || address,
    password: decodeURIComponent(password),
    from_email: address,
    from_name: sender?.[1] ?? '',
    use_tls: isImplicitTls || searchParams.get('tls') !== 'off',
  };
}
