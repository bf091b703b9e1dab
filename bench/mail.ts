import type { ChannelSeed } from './seeds/workspace.ts';

/** The recipient of all mail. */
export const mailRecipient = 'dana@example.com';

/** The mail server of every contender: the sink, without a password and without TLS. */
export function mailServer(sinkUrl: string) {
  const { hostname, port } = new URL(sinkUrl);
  return {
    smtp_host: hostname,
    smtp_port: Number(port),
    username: 'rent@example.com',
    from_email: 'rent@example.com',
    from_name: 'Bench',
    use_tls: false,
  };
}

export const mailChannel = (sinkUrl: string): ChannelSeed => ({
  type: 'email',
  configuration: mailServer(sinkUrl),
  secrets: {},
});
