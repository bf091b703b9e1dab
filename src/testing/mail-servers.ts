import { once } from 'node:events';
import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { selfSigned } from '#platform/outbound/self-signed.fixture.ts';
import { listening, onClose, tcpServer } from '#testing/tcp-server.ts';

/** Accepts the user Ann with the password `right`. */
export const acceptAnn: SMTPServerOptions['onAuth'] = ({ username, password }, _session, done) =>
  username === 'ann' && password === 'right' ? done(null, { user: 'ann' }) : done(reject(535, 'Authentication failed'));

/** The error with which a server of `smtp-server` refuses. */
export function reject(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** A real mail server that stores what it receives. */
export async function mailServer(options: SMTPServerOptions = {}) {
  const mails: string[] = [];
  const recipients: string[] = [];
  const sessions: boolean[] = [];
  const connections = { count: 0 };
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    ...selfSigned,
    onData(stream, session, done) {
      stream.toArray().then((chunks: Buffer[]) => {
        mails.push(Buffer.concat(chunks).toString('utf8'));
        sessions.push(session.secure);
        recipients.push(...session.envelope.rcptTo.map(({ address }) => address));
        done(null, `OK: queued as Q${mails.length}`);
      }, done);
    },
    ...options,
  });
  server.on('error', () => undefined);
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket) => {
    connections.count++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const { port } = await listening(server.server, () => server.listen(0, '127.0.0.1'));
  onClose(() => server.close());
  const hangUp = () => sockets.forEach((socket) => socket.destroy());
  const empty = async () => {
    for (const socket of sockets) if (!socket.destroyed) await once(socket, 'close');
  };
  return { port, mails, recipients, sessions, connections, hangUp, empty };
}

/** The server's reaction to a command: a reply, or one of these faults. */
type Misdeed = 'drop' | 'silence' | 'trickle' | 'drip' | (string & {});

/** `command` is the line's SMTP command, `greeting`, `body` (the first bytes of a message) or `.` (its end). */
type Exchange = {
  command: string;
  line: string /** How often the command was received, including now. */;
  count: number;
};

type Fault = { at: string; reply: Misdeed } | ((exchange: Exchange) => Misdeed | null);

/** A message that was received completely, whatever the reply. */
type TakenMail = { recipients: string[]; text: string };

/** A hand-written SMTP server that misbehaves at the command of its fault. It does not support TLS: `lines` contains all received text. */
export async function faultyServer(fault: Fault, { extensions = [] }: { extensions?: readonly string[] } = {}) {
  const lines: string[] = [];
  const mails: TakenMail[] = [];
  const counts = new Map<string, number>();
  const replyTo = (command: string, line = ''): Misdeed | null => {
    const count = (counts.get(command) ?? 0) + 1;
    counts.set(command, count);
    if (typeof fault === 'function') return fault({ command, line, count });
    return fault.at === command ? fault.reply : null;
  };

  const server = await tcpServer((socket) => {
    let rest = '';
    let body: string[] | null = null;
    let recipients: string[] = [];
    const greeting = replyTo('greeting');
    if (greeting === null) socket.write('220 faulty.example ESMTP\r\n');
    else commitFault(socket, greeting);
    socket.on('data', (chunk: Buffer) => {
      if (body?.length === 0 && rest === '') {
        const reply = replyTo('body');
        if (reply !== null) return commitFault(socket, reply);
      }
      rest += chunk.toString('latin1');
      while (rest.includes('\r\n')) {
        const line = rest.slice(0, rest.indexOf('\r\n'));
        rest = rest.slice(line.length + 2);
        lines.push(line);
        if (body !== null && line !== '.') {
          body.push(line);
          continue;
        }
        if (body !== null) mails.push({ recipients, text: body.join('\r\n') });
        body = null;
        const command = line.split(' ')[0] ?? '';
        if (command === 'MAIL') recipients = [];
        const reply = replyTo(command, line);
        if (reply !== null && !reply.startsWith('220 ')) return commitFault(socket, reply);
        if (command === 'RCPT') recipients.push(/<(.*?)>/.exec(line)?.[1] ?? '');
        if (command === 'DATA') body = [];
        const usual = command === 'EHLO' ? [...extensions.map((name) => `250-${name}`), '250 fine'] : ['250 fine'];
        socket.write(`${(reply ? [reply] : command === 'DATA' ? ['354 go on'] : usual).join('\r\n')}\r\n`);
      }
    });
  });
  return { ...server, lines, mails };
}

function commitFault(socket: Socket, reply: Misdeed): void {
  if (reply === 'drop') return void socket.destroy();
  if (reply === 'silence') return;
  if (reply === 'trickle') return repeat(socket, '250-more\r\n');
  // An endless line, one byte at a time.
  if (reply === 'drip') return repeat(socket, '2');
  socket.write(`${reply}\r\n`);
}

function repeat(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.once('close', () => clearInterval(timer));
}
