import type { Socket } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Envelope, SmtpPools } from '#delivery/adapter.ts';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import { expired, selfSigned } from '#platform/outbound/self-signed.fixture.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { acceptAnn, faultyServer, mailServer } from '#testing/mail-servers.ts';
import { closeServers, tcpServer } from '#testing/tcp-server.ts';
import { mailNameOf } from './message-names.ts';
import { createSmtpPools } from './smtp-pools.ts';
import { adapter as smtp } from './smtp.adapter.ts';

const now = Temporal.Instant.from('2026-11-20T08:00:00Z');
const guard = createEgressGuard({
  allow: ['127.0.0.0/8'],
  exact: () => [],
  resolve: async () => ['127.0.0.1'],
});
const http = createOutboundHttp({ guard });
let pools: SmtpPools;

beforeEach(() => {
  pools = createSmtpPools({ guard });
});
/** Short timeouts, for servers that never finish. */
function shortenTimeouts(): void {
  pools.close();
  pools = createSmtpPools({ guard, timeouts: { greetingMs: 20_000, silenceMs: 20_000, totalMs: 600 } });
}
afterEach(() => {
  pools.close();
  closeServers();
});
afterAll(() => http.close());

const envelope: Envelope = {
  delivery_id: '019a9d3e-0000-7000-8000-000000000001',
  workspace_id: '019a9d3e-0000-7000-8000-000000000002',
  job_id: '019a9d3e-0000-7000-8000-000000000003',
  reminder_id: '019a9d3e-0000-7000-8000-000000000004',
  name: 'Rent',
  scheduled_for: '2026-11-20T08:00:00Z',
  attempt: 1,
  channel: 'email',
  recipient: 'ann@example.com',
  recipient_name: 'Ann',
  subject: 'Rent is due',
  message: 'The secret of the house',
  is_test: false,
};

function send(port: number, configuration: Record<string, unknown> = {}) {
  const config = smtp.shape.parse({
    smtp_host: 'mail.example',
    smtp_port: port,
    username: 'ann',
    from_email: 'robot@cuebird.example',
    use_tls: false,
    ...configuration,
  });
  return smtp.send(envelope, { config, network: { http, smtp: pools, now: () => now } });
}

describe('a mail server that answers one byte at a time', () => {
  beforeEach(shortenTimeouts);
  it.each(['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA'])('at %s is left once the total time is over', async (at) => {
    const { port } = await faultyServer({ at, reply: 'drip' });
    expect(await send(port)).toEqual({
      outcome: 'failed',
      permanent: false,
      code: 'unreachable',
      reason: 'Not sent: the server did not answer in time',
    });
  });

  it('after the message may have accepted it', async () => {
    const { port, mails } = await faultyServer({ at: '.', reply: 'drip' });
    expect(await send(port)).toEqual({
      outcome: 'unknown',
      reason: 'Sent, but not confirmed: the server did not answer in time',
    });
    expect(mails).toHaveLength(1);
  });
});

describe('a mail server that is not available', () => {
  it.each(['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', '.'])('at %s, by 421, is tried again', async (at) => {
    const { port } = await faultyServer({ at, reply: '421 4.3.2 Service shutting down' });
    const outcome = await send(port);
    expect(outcome).toMatchObject({ outcome: 'failed', permanent: false });
    expect(outcome).toHaveProperty('reason', expect.stringContaining('421 4.3.2 Service shutting down'));
  });
});

describe('a mail server that sends more than replies', () => {
  const flood = (line: string) => Buffer.alloc(8 * 1024 * 1024, line);
  /** Answers each command as a server would, until it floods the connection. */
  const talk = (socket: Socket, text: Buffer) => {
    socket.write('220 mail.example\r\n');
    socket.on('data', (chunk) => {
      const command = chunk.toString('latin1');
      if (command.startsWith('STARTTLS')) {
        socket.write('220 go on\r\n');
        socket.removeAllListeners('data');
        const encrypted = new TLSSocket(socket, { isServer: true, ...selfSigned }).on('error', () => undefined);
        encrypted.on('data', () => encrypted.write(text));
      } else socket.write(command.startsWith('EHLO') ? '250-mail.example\r\n250 STARTTLS\r\n' : text);
    });
  };
  const left = (reason: string) => ({ outcome: 'failed', permanent: false, code: 'unreachable', reason });
  const tooMuch = left('Not sent: the server sends more than replies');
  /** Whether something still waits for the next tick of the event loop, as each line in nodemailer's queue does. */
  async function isBusy(): Promise<boolean> {
    for (let ticks = 0; ticks < 5; ticks += 1) await tick();
    return process.getActiveResourcesInfo().includes('Immediate');
  }

  it.each([
    ['empty lines instead of a greeting', '\r\n'],
    ['line feeds instead of a greeting', '\n'],
    ['a greeting without an end', '220-mail.example\r\n'],
  ])('as %s is left, and nothing of it stays in the queue', async (_, line) => {
    const { port } = await tcpServer((socket) => void socket.write(flood(line)));
    expect(await send(port)).toMatchObject({ outcome: 'failed', permanent: false, code: 'unreachable' });
    expect(await isBusy()).toBe(false);
  });

  it('as empty lines between two commands is left, and nothing of it stays in the queue', async () => {
    const { port } = await tcpServer((socket) => talk(socket, flood('\r\n')));
    expect(await send(port)).toEqual(tooMuch);
    expect(await isBusy()).toBe(false);
  });

  it('as empty lines over an encrypted connection is left, and nothing of it stays in the queue', async () => {
    const system = getCACertificates('default');
    setDefaultCACertificates([...system, selfSigned.cert]);
    try {
      const { port } = await tcpServer((socket) => talk(socket, flood('\r\n')));
      expect(await send(port, { use_tls: true })).toEqual(tooMuch);
      expect(await isBusy()).toBe(false);
    } finally {
      setDefaultCACertificates(system);
    }
  });

  it('as an empty line now and then gets its mails', async () => {
    const { port, mails } = await faultyServer({ at: 'RCPT', reply: '\r\n\r\n250 fine' });
    expect(await send(port)).toHaveProperty('outcome', 'accepted');
    expect(mails).toHaveLength(1);
  });
});

describe('a mail server that refuses mail of that size', () => {
  it.each([
    ['MAIL', '552 5.3.4 Message size exceeds fixed limit'],
    ['.', '552 5.3.4 Message too big'],
    ['.', '523 5.3.4 Too big for this mailbox'],
  ])('at %s fails it permanently, with its reply', async (at, reply) => {
    const { port } = await faultyServer({ at, reply }, { extensions: ['SIZE 100'] });
    expect(await send(port)).toEqual({ outcome: 'failed', permanent: true, reason: reply });
  });
});

describe('a login', () => {
  it('that has expired fails permanently and says which login it is', async () => {
    const reply = '535 5.7.139 Authentication unsuccessful, the user credentials were expired';
    const { port, lines } = await faultyServer({ at: 'AUTH', reply }, { extensions: ['AUTH PLAIN'] });
    expect(await send(port, { password: 'right' })).toEqual({
      outcome: 'failed',
      permanent: true,
      reason: `The mail server did not accept the user name and password: ${reply}`,
    });
    expect(lines.filter((line) => line.startsWith('MAIL'))).toEqual([]);
  });

  it('that cannot be checked at the moment is tried again', async () => {
    const reply = '454 4.7.0 Temporary authentication failure';
    const { port } = await faultyServer({ at: 'AUTH', reply }, { extensions: ['AUTH PLAIN'] });
    expect(await send(port, { password: 'right' })).toMatchObject({ outcome: 'failed', permanent: false });
  });
});

describe('an encrypted connection that fails', () => {
  beforeEach(shortenTimeouts);
  const inTheClear = (lines: readonly string[]) =>
    lines.filter((line) => /^(AUTH|MAIL|RCPT|DATA)\b|secret|cmlnaHQ|AGFubgByaWdodA/i.test(line));

  it.each([
    ['is not offered', [], '502 5.5.1 Command not implemented'],
    [
      'is not offered by a server that would accept the login',
      ['AUTH PLAIN LOGIN'],
      '502 5.5.1 Command not implemented',
    ],
    ['is refused temporarily', ['STARTTLS', 'AUTH PLAIN'], '454 4.7.0 TLS not available'],
    ['is promised, and then plain text follows', ['STARTTLS'], '220 go ahead\r\n250 really, go ahead'],
    ['is agreed, and then plain text follows', ['STARTTLS', 'AUTH PLAIN'], '220 go ahead'],
    ['hangs', ['STARTTLS', 'AUTH PLAIN'], 'silence'],
    ['breaks the connection', ['STARTTLS', 'AUTH PLAIN'], 'drop'],
  ])('because it %s keeps login and mail from being sent at all', async (_, extensions, reply) => {
    const { port, lines, mails } = await faultyServer({ at: 'STARTTLS', reply }, { extensions });
    const outcome = await send(port, { use_tls: true, password: 'right' });
    expect(outcome).toMatchObject({ outcome: 'failed', permanent: false });
    expect(outcome).toHaveProperty('reason', expect.stringMatching(/^Not sent: /));
    expect(inTheClear(lines)).toEqual([]);
    expect(mails).toEqual([]);
  });

  it('because the server supports only HELO keeps login and mail from being sent at all', async () => {
    const { port, lines, mails } = await faultyServer({ at: 'EHLO', reply: '502 5.5.1 What?' });
    expect(await send(port, { use_tls: true, password: 'right' })).toMatchObject({ outcome: 'failed' });
    expect(inTheClear(lines)).toEqual([]);
    expect(mails).toEqual([]);
  });

  describe('because of the certificate', () => {
    beforeEach(() => {
      pools.close();
      pools = createSmtpPools({ guard });
    });
    const system = getCACertificates('default');
    beforeAll(() => setDefaultCACertificates([...system, selfSigned.cert, expired.cert]));
    afterAll(() => setDefaultCACertificates(system));

    const oldTls = { ...selfSigned, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } as const;
    it.each([
      ['of another name', selfSigned, 'other.example', 'TLS: the server’s certificate is for another name'],
      ['that has expired', expired, 'mail.example', 'TLS: the server’s certificate has expired'],
      ['that is self-signed', null, 'mail.example', 'TLS: the server’s certificate is self-signed'],
      ['of a server with old TLS only', oldTls, 'mail.example', 'TLS: tlsv1 alert protocol version'],
    ])('%s keeps login and mail from being sent at all', async (_, certificate, host, reason) => {
      if (certificate === null) setDefaultCACertificates(system);
      const logins: string[] = [];
      const { port, mails } = await mailServer({
        ...(certificate ?? selfSigned),
        onAuth: (login, session, done) => {
          logins.push(String(login.username));
          acceptAnn?.(login, session, done);
        },
      });
      const outcome = await send(port, { use_tls: true, smtp_host: host, password: 'right' });
      expect(outcome).toEqual({
        outcome: 'failed',
        permanent: false,
        code: 'unreachable',
        reason: `Not sent: ${reason}`,
      });
      expect([logins, mails]).toEqual([[], []]);
    });
  });
});

describe('a reminder by mail', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  async function sendTo(port: number, recipients: readonly string[]) {
    await writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Pay', recipients },
      metadata: { channels: ['email'] },
    });
    await fixture.start({
      smtp: pools,
      defaults: createDefaultRoutes({
        sandbox: null,
        mailServer: { url: `smtp://127.0.0.1:${port}?tls=off`, from: 'Elm Street <rent@elm.example>' },
      }),
    });
    fixture.clock.advance({ hours: 1 });
  }

  const ledgerWhere = (status: string) =>
    fixture.until(
      () => fixture.deliveries(workspace),
      (all) => all.length > 0 && all.every((one) => one.status === status),
    );
  const idOf = (mail: { text: string } | undefined) => /^Message-ID: (\S+)/m.exec(mail?.text ?? '')?.[1];

  it('is deferred by 450, and accepted a minute later', async () => {
    const { port, mails } = await faultyServer(({ command, count }) =>
      command === 'RCPT' && count === 1 ? '450 4.2.0 Greylisted' : null,
    );
    await sendTo(port, ['ann@example.com']);
    expect(await ledgerWhere('waiting')).toMatchObject([
      { reason: '450 4.2.0 Greylisted', attempts: 1, unknowns: 0, next_attempt_at: '2026-03-02T09:01:00.000Z' },
    ]);
    expect(mails).toEqual([]);
    fixture.clock.advance({ minutes: 1 });
    expect(await ledgerWhere('accepted')).toMatchObject([{ attempts: 2, unknowns: 0, reason: null }]);
    expect(mails).toHaveLength(1);
  });

  it('is a message of its own for each recipient: a refused one does not affect the others', async () => {
    const { port, mails } = await faultyServer(({ command, line }) =>
      command === 'RCPT' && line.includes('<bea@') ? '550 5.1.1 No such user' : null,
    );
    await sendTo(port, ['ann@example.com', 'bea@example.com', 'cem@example.com']);
    const [job] = await fixture.jobsWhere(workspace, (all) => all.some((one) => one.status === 'failed'));
    expect(job).toMatchObject({ attempts: 1, error_message: '1 of 3 failed: 550 5.1.1 No such user' });
    expect(await fixture.deliveries(workspace)).toMatchObject([
      { recipient: 'ann@example.com', status: 'accepted', reason: null },
      { recipient: 'bea@example.com', status: 'failed', reason: '550 5.1.1 No such user', attempts: 1 },
      { recipient: 'cem@example.com', status: 'accepted', reason: null },
    ]);
    expect(mails).toHaveLength(2);
    expect(mails.every(({ recipients }) => recipients.length === 1)).toBe(true);
    expect(new Set(mails.flatMap(({ recipients }) => recipients))).toEqual(
      new Set(['ann@example.com', 'cem@example.com']),
    );
  });

  it('whose connection breaks before its end was not sent, and is tried again', async () => {
    const { port, mails } = await faultyServer(({ command, count }) =>
      command === 'DATA' && count === 1 ? 'drop' : null,
    );
    await sendTo(port, ['ann@example.com']);
    expect(await ledgerWhere('waiting')).toMatchObject([
      { reason: 'Not sent: the server closed the connection', unknowns: 0 },
    ]);
    fixture.clock.advance({ minutes: 1 });
    expect(await ledgerWhere('accepted')).toMatchObject([{ attempts: 2, unknowns: 0 }]);
    expect(mails).toHaveLength(1);
  });

  it('whose connection breaks after its end is sent once more, under the same Message-ID', async () => {
    const { port, mails } = await faultyServer(({ command, count }) =>
      command === '.' && count === 1 ? 'drop' : null,
    );
    await sendTo(port, ['ann@example.com']);
    expect(await ledgerWhere('waiting')).toMatchObject([{ unknowns: 1 }]);
    fixture.clock.advance({ minutes: 1 });
    const [delivery] = await ledgerWhere('accepted');
    expect(delivery).toMatchObject({ attempts: 2, unknowns: 1 });
    const name = mailNameOf({ deliveryId: delivery?.id ?? '', jobId: delivery?.job_id ?? '' });
    expect(mails.map(idOf)).toEqual([`<${name}@elm.example>`, `<${name}@elm.example>`]);
  });

  it('is not sent a third time when the second end is lost, too', async () => {
    const { port, mails } = await faultyServer({ at: '.', reply: 'drop' });
    await sendTo(port, ['ann@example.com']);
    await ledgerWhere('waiting');
    fixture.clock.advance({ minutes: 1 });
    expect(await ledgerWhere('unknown')).toMatchObject([
      { attempts: 2, reason: 'Sent, but not confirmed: the server closed the connection' },
    ]);
    expect(mails).toHaveLength(2);
  });

  it('is tried again when the server is not available: at its greeting, and at the message', async () => {
    const { port, mails } = await faultyServer(({ command, count }) => {
      if (command === 'greeting' && count === 1) return '421 4.3.2 Too busy';
      return command === '.' && count === 1 ? '421 4.3.2 Shutting down' : null;
    });
    await sendTo(port, ['ann@example.com']);
    expect(await ledgerWhere('waiting')).toMatchObject([{ unknowns: 0, attempts: 1 }]);
    fixture.clock.advance({ minutes: 1 });
    const [second] = await fixture.until(
      () => fixture.deliveries(workspace),
      ([one]) => one?.attempts === 2 && one.status === 'waiting',
    );
    expect(second).toMatchObject({ unknowns: 0, reason: '421 4.3.2 Shutting down' });
    fixture.clock.advance({ minutes: 5 });
    expect(await ledgerWhere('accepted')).toMatchObject([{ attempts: 3 }]);
    expect(mails).toHaveLength(2);
  });
});
