import type { ChannelType } from '#contract/reminders.ts';
import type { DefaultRoute, SendRoute } from '#delivery/adapter.ts';
import { adapterFor, providerField } from '#delivery/registry.ts';
import { sandboxChannels } from '#delivery/sandbox-channels.ts';
import type { Sandbox } from '#platform/sandbox/sandbox.ts';

/** The installation's mail server, as SMTP_URL and MAIL_FROM name it. */
export type MailServer = { url: string; from: string };

/**
 * What a workspace without a channel of its own sends through: the sandbox when it is on, else the installation's mail
 * server for mail; webhooks to URLs of their own need no channel at all.
 */
export function createDefaultRoutes({
  sandbox,
  mailServer,
}: {
  sandbox: Sandbox | null;
  mailServer: MailServer | null;
}): DefaultRoute {
  // One configuration object per workspace and type: adapters key their connections by it.
  const made = new Map<string, SendRoute | null>();
  return (type, workspaceId) => {
    const key = sandbox === null ? type : `${type} ${workspaceId}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    if (made.size > 10_000) made.clear();
    const configuration = configurationOf(type, { workspaceId, sandbox, mailServer });
    const adapter = adapterFor(type, configuration ?? {});
    const route =
      configuration === null || adapter === null
        ? null
        : { adapter, config: adapter.shape.parse(configuration), channelId: null };
    made.set(key, route);
    return route;
  };
}

function configurationOf(
  type: ChannelType,
  { workspaceId, sandbox, mailServer }: { workspaceId: string; sandbox: Sandbox | null; mailServer: MailServer | null },
): Record<string, unknown> | null {
  if (sandbox !== null) return sandboxConfigurationOf(type, { workspaceId, sandbox });
  if (type === 'webhook') return {};
  return type === 'email' && mailServer !== null ? smtpConfiguration(mailServer) : null;
}

/** Push goes to the addresses that browsers give, wherever those are. */
function sandboxConfigurationOf(
  type: ChannelType,
  { workspaceId, sandbox }: { workspaceId: string; sandbox: Sandbox },
): Record<string, unknown> | null {
  if (type === 'webhook') return { url: sandbox.webhookUrlFor(workspaceId) };
  if (type === 'email') return { ...sandbox.smtpConfigFor(workspaceId) };
  const first = sandboxChannels(sandbox, workspaceId).find(({ channel }) => channel === type);
  return first === undefined ? null : { ...first.configuration, [providerField(type)]: first.provider };
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
