import { once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { type Intake, type SandboxMessage, storable } from './intake.ts';
import { portOf } from './port.ts';

/** The user name of Cuebird itself (verification, password reset) instead of a workspace. */
export const accountMail = 'account';

const sizeLimit = 10 * 1024 * 1024;

/** An SMTP server that keeps every mail for the workspace that logged in. */
export async function startMailSink(options: {
  host: string;
  port: number;
  now: () => Temporal.Instant;
  keep: Intake['keep'];
  isPassword: (username: string, password: string) => boolean;
}): Promise<{ port: number; stop(): Promise<void> }> {
  let count = 0;
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
      return done(smtpError(535, 'This user name and password are not of this sandbox'));
    },
    onData(stream, session, done) {
      const number = ++count;
      stream
        .toArray()
        .then(async (chunks: Buffer[]) => {
          if (stream.sizeExceeded) throw smtpError(552, 'The message is larger than 10 MB');
          await options.keep(await readMail(Buffer.concat(chunks), { session, now: options.now() }));
        })
        .then(
          () => done(null, `OK: queued as S${number}`),
          (error: Error) => done('responseCode' in error ? error : smtpError(451, 'The message could not be stored')),
        );
    },
  });
  // A client that vanishes in the middle of a sentence is no event for the sandbox.
  server.on('error', () => undefined);
  const ready = once(server.server, 'listening');
  server.listen(options.port, options.host);
  await ready;
  return { port: portOf(server.server), stop: () => new Promise((stopped) => server.close(() => stopped())) };
}

async function readMail(
  raw: Buffer,
  { session, now }: { session: SMTPServerSession; now: Temporal.Instant },
): Promise<SandboxMessage> {
  const mail = await PostalMime.parse(raw);
  const username = String(session.user);
  return {
    workspace_id: username === accountMail ? null : username,
    channel: 'email',
    sender: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
    recipient: session.envelope.rcptTo.map(({ address }) => address).join(', '),
    subject: storable(mail.subject ?? ''),
    text: storable(mail.text ?? ''),
    html: mail.html === undefined ? null : storable(mail.html),
    headers: headersOf(mail),
    raw_size: raw.length,
    received_at: now.toString(),
  };
}

function headersOf({ headers }: Email): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const { key, value } of headers)
    kept[key] = storable(kept[key] === undefined ? value : `${kept[key]}, ${value}`);
  return kept;
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
