import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { magicAddresses, magicBounces } from '#contract/simulated-failures.ts';
import type { Intake, SandboxMessage } from './intake.ts';
import { simulateMailFailure } from './simulated-mail-failure.ts';
import { createMailReader, type MailContent } from './mail-reader.ts';
import { portOf } from './port.ts';
import type { FailureFor } from './request-intake.ts';
import type { ReturnedMail } from './returned-mail.ts';
import { smtpError } from './smtp-error.ts';

const sizeLimit = 10 * 1024 * 1024;

type Options = {
  host: string;
  port: number;
  now: () => Temporal.Instant;
  keep: Intake['keep'];
  isPassword: (username: string, password: string) => boolean;
  failureFor: FailureFor;
  /** Returns an accepted mail to its sender. */
  returnMail: (mail: ReturnedMail) => Promise<void>;
  closing: AbortSignal;
};

/** An SMTP server that keeps every mail for the workspace that logged in. */
export async function startMailSink(options: Options): Promise<{ port: number; stop(): Promise<void> }> {
  let count = 0;
  const reader = createMailReader();
  const server = new SMTPServer({
    banner: 'Cuebird sandbox: nothing leaves this machine',
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN'],
    disableReverseLookup: true,
    size: sizeLimit,
    closeTimeout: 1_000,
    onAuth({ username, password }, _session, done) {
      if (username && password && options.isPassword(username, password)) return done(null, { user: username });
      return done(smtpError(535, 'This user name and password do not belong to this sandbox'));
    },
    onRcptTo({ address }, _session, done) {
      const magic = magicAddresses.find(({ recipient }) => recipient === address.toLowerCase());
      return done(magic && smtpError(Number(magic.reply.slice(0, 3)), `${magic.reply.slice(4)} ${magic.sentence}`));
    },
    onData(stream, session, done) {
      const number = ++count;
      receive(stream, session).then(
        () => done(null, `OK: queued as S${number}`),
        (error: Error) => done('responseCode' in error ? error : smtpError(451, 'The message could not be stored')),
      );
    },
  });

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const chunks: Buffer[] = await stream.toArray();
    if (stream.sizeExceeded) throw smtpError(552, 'The message is larger than 10 MB');
    const raw = Buffer.concat(chunks);
    const mail = messageOf(await reader.read(raw), { raw, session, now: options.now() });
    const { workspace_id: workspaceId } = mail;
    const failure = workspaceId === null ? null : await options.failureFor({ workspaceId, channel: 'email' });
    const disconnect = () => [...server.connections].find((one) => one.session === session)?._socket.resetAndDestroy();
    await simulateMailFailure(failure, { keep: () => options.keep(mail), disconnect, closing: options.closing });
    const bounce = magicBounces.find(({ recipient }) => recipient === mail.recipient.toLowerCase());
    if (bounce !== undefined && workspaceId !== null)
      await options.returnMail({ mail, workspaceId, raw, envelopeId: session.envelope.dsn?.envid ?? null, bounce });
  }

  // Ignores clients that disconnect in the middle of a command.
  server.on('error', () => undefined);
  const ready = once(server.server, 'listening');
  server.listen(options.port, options.host);
  await ready;
  return {
    port: portOf(server.server),
    async stop() {
      await new Promise<void>((stopped) => server.close(() => stopped()));
      await reader.stop();
    },
  };
}

/** The user name for Cuebird's own mail (verification, password reset) instead of a workspace. */
const accountMail = 'account';

/** The message that is stored, of a mail's content and envelope. */
function messageOf(
  content: MailContent,
  { raw, session, now }: { raw: Buffer; session: SMTPServerSession; now: Temporal.Instant },
): SandboxMessage {
  const username = String(session.user);
  return {
    ...content,
    id: randomUUIDv7(),
    workspace_id: username === accountMail ? null : username,
    channel: 'email',
    provider: null,
    sender: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
    recipient: session.envelope.rcptTo.map(({ address }) => address).join(', '),
    raw: null,
    segments: null,
    callback_url: null,
    reply_to: null,
    raw_size: raw.length,
    received_at: now.toString(),
  };
}
