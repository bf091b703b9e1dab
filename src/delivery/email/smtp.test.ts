import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Envelope, Network, SmtpPools } from '#delivery/adapter.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import { selfSigned } from '#platform/outbound/self-signed.fixture.ts';
import { acceptAnn, faultyServer, mailServer, reject } from '#testing/mail-servers.ts';
import { closeServers, tcpServer } from '#testing/tcp-server.ts';
import { mailNameOf } from './message-names.ts';
import { createSmtpPools } from './smtp-pools.ts';
import { adapter as smtp } from './smtp.adapter.ts';

const now = Temporal.Instant.from('2026-11-20T08:00:00Z');
const guard = createEgressGuard({
  allow: ['127.0.0.0/8'],
  exact: () => [],
  resolve: async (name) => {
    if (name === 'mail.example' || name === 'other.example') return ['127.0.0.1'];
    if (name === 'inside.example') return ['10.0.0.9'];
    throw Object.assign(new Error(`queryA ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
  },
});
const http = createOutboundHttp({ guard });
const open: (() => void)[] = [];
let pools: SmtpPools;

const systemCertificates = getCACertificates('default');
beforeAll(() => setDefaultCACertificates([...systemCertificates, selfSigned.cert]));
afterAll(async () => {
  setDefaultCACertificates(systemCertificates);
  await http.close();
});
beforeEach(() => {
  pools = createSmtpPools({
    guard,
    timeouts: { connectMs: 1_000, greetingMs: 300, silenceMs: 300, totalMs: 2_000 },
  });
});
afterEach(() => {
  pools.close();
  for (const close of open.splice(0)) close();
  closeServers();
});

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
  recipient_name: 'Änn "the" Tenant',
  subject: 'Rent is due – today',
  message: 'Dear Änn & co,\n.\nsee https://example.com/pay?a=1&b=2.\n<b>Thanks</b>',
  is_test: false,
};

const name = mailNameOf({ deliveryId: envelope.delivery_id, jobId: envelope.job_id });

describe('a mail', () => {
  it('arrives as text and HTML, with an id that every attempt shares', async () => {
    const { port, mails } = await mailServer();
    const outcome = await send({ port });
    expect(outcome).toEqual({ outcome: 'accepted', receipt: 'Q1', answer: '250 OK: queued as Q1' });
    const mail = await PostalMime.parse(mails[0] ?? '');
    expect(mail).toMatchObject({
      messageId: `<${name}@cuebird.example>`,
      from: { name: 'Cuebird, Inc.', address: 'robot@cuebird.example' },
      to: [{ name: 'Änn "the" Tenant', address: 'ann@example.com' }],
      subject: 'Rent is due – today',
      date: '2026-11-20T08:00:00.000Z',
    });
    expect(mail.text?.trimEnd()).toBe(envelope.message);
    expect(mail.html).toContain('Dear Änn &#38; co,<br>');
    expect(mail.html).toContain(
      '<a href="https://example.com/pay?a=1&#38;b=2">https://example.com/pay?a=1&#38;b=2</a>.',
    );
    expect(mail.html).toContain('&#60;b&#62;Thanks&#60;/b&#62;');
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated', 'x-entity-ref-id': envelope.delivery_id });
  });

  it.each([
    ['250 2.0.0 Ok: queued as 4Fbc12', '4Fbc12'],
    ['250 OK id=1tDxyz-000Abc-2B', '1tDxyz-000Abc-2B'],
    ['250 2.0.0 5AKABCDE012345 Message accepted for delivery', '5AKABCDE012345'],
    ['250 2.6.0 <x@y.prod.outlook.com> [InternalId=1] Queued mail for delivery', '<x@y.prod.outlook.com>'],
    ['250 Ok 0100018b5c3c0a4f-1b2c-000000', '0100018b5c3c0a4f-1b2c-000000'],
    ['250-first\r\n250 second', `<${name}@cuebird.example>`],
    ['250 queued as A\0B', 'AB'],
  ])('answered by “%s” has the receipt %s', async (reply, receipt) => {
    const { port } = await faultyServer({ at: '.', reply });
    const answer = reply.replace('\r\n250', '').replace('\0', '');
    expect(await send({ port })).toEqual({ outcome: 'accepted', receipt, answer });
  });

  it('cannot get further headers or recipients through its texts', async () => {
    const { port, mails, recipients } = await mailServer();
    const hostile = 'Hi\r\nBcc: eve@example.com\r\n\r\ninjected';
    await send({ port, envelope: { subject: hostile, recipient_name: `${hostile}, eve@example.com` } });
    const mail = await PostalMime.parse(mails[0] ?? '');
    expect(mail.subject).toBe('Hi Bcc: eve@example.com injected');
    expect(mail.to).toHaveLength(1);
    expect(mail.bcc ?? []).toEqual([]);
    expect(recipients).toEqual(['ann@example.com']);
  });

  it.each(['not an address', 'a@b.c, eve@example.com', 'a@b.c>\r\nRCPT TO:<eve@example.com', 'Ann <a@b.c>', '', '@'])(
    'is not sent to “%s”',
    async (recipient) => {
      expect(await send({ port: 1, envelope: { recipient } })).toEqual({
        outcome: 'failed',
        permanent: true,
        code: 'no_such_address',
        reason: `“${recipient}” is not an email address`,
      });
    },
  );

  it('shares a connection with the next ones', async () => {
    const { port, mails, connections } = await mailServer();
    for (let n = 0; n < 5; n++) await send({ port });
    expect(mails).toHaveLength(5);
    expect(connections.count).toBeLessThanOrEqual(2);
  });

  it('goes over at most five connections at a time', async () => {
    const { port, connections } = await mailServer();
    const config = configFor({ port });
    await Promise.all(Array.from({ length: 40 }, () => smtp.send(envelope, { config, network: network() })));
    expect(connections.count).toBeLessThanOrEqual(5);
  });

  it('takes another connection when the server closed the idle one', async () => {
    const { port, mails, hangUp } = await mailServer();
    expect(await send({ port })).toHaveProperty('outcome', 'accepted');
    hangUp();
    expect(await send({ port })).toHaveProperty('outcome', 'accepted');
    expect(mails).toHaveLength(2);
  });

  it('closes the connections of the least used server', async () => {
    const few = createSmtpPools({ guard, maxServers: 1 });
    open.push(() => few.close());
    const [one, other] = [await mailServer(), await mailServer()];
    const network = { http, smtp: few, now: () => now };
    await smtp.send(envelope, { config: configFor({ port: one.port }), network });
    const sending = smtp.send(envelope, { config: configFor({ port: one.port }), network });
    await smtp.send(envelope, { config: configFor({ port: other.port }), network });
    expect(await sending).toHaveProperty('outcome', 'accepted');
    await one.empty();
    expect(await smtp.send(envelope, { config: configFor({ port: one.port }), network })).toHaveProperty(
      'outcome',
      'accepted',
    );
  });
});

describe('a mail over TLS', () => {
  it('is encrypted by STARTTLS before anything is sent', async () => {
    const { port, sessions } = await mailServer({ ...selfSigned, authOptional: false, onAuth: acceptAnn });
    const outcome = await send({ port, config: { use_tls: true, smtp_host: 'mail.example', password: 'right' } });
    expect(outcome).toHaveProperty('outcome', 'accepted');
    expect(sessions).toEqual([true]);
  });

  it('is never sent in plain text when the server offers no STARTTLS', async () => {
    const { port, mails } = await mailServer({ disabledCommands: ['STARTTLS', 'AUTH'] });
    const outcome = await send({ port, config: { use_tls: true, password: 'right' } });
    expect(outcome).toMatchObject({ outcome: 'failed', permanent: false });
    expect(outcome).toHaveProperty('reason', expect.stringContaining('the server offers no encryption (STARTTLS)'));
    expect(mails).toEqual([]);
  });

  it('is not sent when the certificate is for another name or self-signed', async () => {
    const { port, mails } = await mailServer(selfSigned);
    const other = await send({ port, config: { use_tls: true, smtp_host: 'other.example' } });
    expect(other).toMatchObject({ outcome: 'failed', permanent: false });
    expect(other).toHaveProperty('reason', expect.stringContaining('certificate'));
    setDefaultCACertificates(systemCertificates);
    const unsigned = await send({ port, config: { use_tls: true, smtp_host: 'mail.example' } });
    setDefaultCACertificates([...systemCertificates, selfSigned.cert]);
    expect(unsigned).toMatchObject({ outcome: 'failed', permanent: false });
    expect(mails).toEqual([]);
  });
});

describe('a mail that the server refuses', () => {
  it.each([
    ['MAIL', '451 4.3.0 try later', false],
    ['MAIL', '550 5.7.1 sender denied', true],
    ['RCPT', '450 4.2.0 greylisted', false],
    ['RCPT', '550 5.1.1 no such user', true],
    ['RCPT', '421 4.7.0 too many connections', false],
    ['DATA', '452 4.3.1 disk full', false],
    ['DATA', '554 5.6.0 no valid recipients', true],
    ['.', '451 4.7.1 scanning failed', false],
    ['.', '550 5.7.1 spam', true],
    ['.', '552 5.3.4 too big', true],
    ['EHLO', '421 4.3.2 shutting down', false],
    ['greeting', '421 4.3.2 overloaded', false],
    ['greeting', '554 5.7.1 blocked', true],
  ])("at %s with “%s” has failed with the server's reply", async (command, reply, permanent) => {
    const { port } = await faultyServer({ at: command, reply });
    const outcome = await send({ port });
    expect(outcome).toMatchObject({ outcome: 'failed', permanent });
    expect(outcome).toHaveProperty('reason', expect.stringContaining(reply));
  });

  it('for its login names the login', async () => {
    const { port } = await mailServer({ authOptional: false, onAuth: acceptAnn });
    const outcome = await send({ port, config: { password: 'wrong' } });
    expect(outcome).toMatchObject({ outcome: 'failed', permanent: true });
    expect(outcome).toHaveProperty(
      'reason',
      'The mail server did not accept the user name and password: 535 Authentication failed',
    );
  });

  it('leaves the connection to the next mail', async () => {
    const { port, mails, connections } = await mailServer({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('no') ? reject(550, 'no such user') : null),
    });
    expect(await send({ port, envelope: { recipient: 'no@example.com' } })).toHaveProperty('permanent', true);
    expect(await send({ port })).toHaveProperty('outcome', 'accepted');
    expect(mails).toHaveLength(1);
    expect(connections.count).toBeLessThanOrEqual(2);
  });

  it('is refused by the egress guard when its server has a private address', async () => {
    expect(await send({ port: 25, config: { smtp_host: 'inside.example' } })).toEqual({
      outcome: 'failed',
      permanent: true,
      code: 'unreachable',
      reason: 'Not sent: inside.example leads to an address that Cuebird does not connect to.',
    });
    expect(await send({ port: 25, config: { smtp_host: '10.0.0.1' } })).toHaveProperty('permanent', true);
  });
});

describe('a mail to an address beyond ASCII', () => {
  const beyond = 'jörg@bücher.example';

  it('in its domain only is sent with its domain in ASCII, to any server', async () => {
    const { port, mails } = await faultyServer({ at: 'never', reply: 'drop' });
    for (const recipient of ['info@bücher.example', 'Info@BÜCHER。example', 'info@xn--bcher-kva.example.'])
      expect(await send({ port, envelope: { recipient } })).toHaveProperty('outcome', 'accepted');
    expect(mails.map(({ recipients }) => recipients)).toEqual([
      ['info@xn--bcher-kva.example'],
      ['Info@xn--bcher-kva.example'],
      ['info@xn--bcher-kva.example'],
    ]);
    expect(mails[0]?.text).toMatch(/^To:[^:]*<info@xn--bcher-kva\.example>\r$/m);
  });

  it('fails permanently before anything is sent when the server does not offer SMTPUTF8', async () => {
    const { port, lines, mails } = await faultyServer({ at: 'never', reply: 'drop' }, { extensions: ['PIPELINING'] });
    expect(await send({ port })).toHaveProperty('outcome', 'accepted');
    const before = lines.length;
    for (let time = 0; time < 3; time += 1)
      expect(await send({ port, envelope: { recipient: beyond } })).toEqual({
        outcome: 'failed',
        permanent: true,
        code: 'unreachable',
        reason:
          'Not sent: the mail server does not support SMTPUTF8 (RFC 6531), which jörg@bücher.example needs: it has non-ASCII letters before the @',
      });
    expect(lines.slice(before).filter((line) => /^(?:MAIL|RCPT|DATA)/.test(line))).toEqual([]);
    expect(await send({ port })).toHaveProperty('outcome', 'accepted');
    expect(mails).toHaveLength(2);
  });

  it('fails in the same way as the first mail of a connection, and by its sender', async () => {
    const { port, lines } = await faultyServer({ at: 'never', reply: 'drop' });
    const answers = await Promise.all([
      send({ port, envelope: { recipient: beyond } }),
      send({ port, config: { from_email: 'jörg@example.com' } }),
      send({ port, config: { return_address: 'jörg@example.com' } }),
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({ permanent: true, reason: expect.stringContaining('does not support SMTPUTF8') });
    expect(lines.filter((line) => line.startsWith('MAIL'))).toEqual([]);
  });

  it('with an invisible character is not sent', async () => {
    const { port, mails } = await mailServer();
    const outcome = await send({ port, envelope: { recipient: 'karl@ex\u00adample.com' } });
    expect(outcome).toMatchObject({ outcome: 'failed', permanent: true });
    expect(mails).toEqual([]);
  });
});

describe('a mail whose connection fails', () => {
  it('has failed temporarily when the connection is refused or the name is unknown', async () => {
    const { port, stop } = await tcpServer(() => undefined);
    await stop();
    expect(await send({ port })).toEqual({
      outcome: 'failed',
      permanent: false,
      code: 'unreachable',
      reason: 'Not sent: the server refused the connection',
    });
    expect(await send({ port, config: { smtp_host: 'nowhere.example' } })).toEqual({
      outcome: 'failed',
      permanent: false,
      code: 'unreachable',
      reason: 'Not sent: the server’s name could not be found',
    });
  });

  it.each(['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA'])('at %s has failed temporarily', async (command) => {
    const { port } = await faultyServer({ at: command, reply: 'drop' });
    expect(await send({ port })).toMatchObject({ outcome: 'failed', permanent: false });
  });

  it.each(['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA'])('by silence at %s has failed temporarily', async (command) => {
    const { port } = await faultyServer({ at: command, reply: 'silence' });
    expect(await send({ port })).toEqual({
      outcome: 'failed',
      permanent: false,
      code: 'unreachable',
      reason: 'Not sent: the server did not answer in time',
    });
  });

  it('in the middle of a long message has failed temporarily', async () => {
    const { port } = await faultyServer({ at: 'body', reply: 'drop' });
    const outcome = await send({ port, envelope: { message: 'a long line of a long letter\n'.repeat(200_000) } });
    expect(outcome).toMatchObject({ outcome: 'failed', permanent: false });
  });

  it('after the final dot is unknown', async () => {
    const { port } = await faultyServer({ at: '.', reply: 'drop' });
    expect(await send({ port })).toEqual({
      outcome: 'unknown',
      reason: 'Sent, but not confirmed: the server closed the connection',
    });
  });

  it('by silence after the final dot is unknown', async () => {
    const { port } = await faultyServer({ at: '.', reply: 'silence' });
    expect(await send({ port })).toEqual({
      outcome: 'unknown',
      reason: 'Sent, but not confirmed: the server did not answer in time',
    });
  });

  it('by an endless slow response is limited by the total time', async () => {
    const { port } = await faultyServer({ at: 'EHLO', reply: 'trickle' });
    const patient = createSmtpPools({ guard, timeouts: { totalMs: 400 } });
    open.push(() => patient.close());
    const outcome = await smtp.send(envelope, {
      config: configFor({ port }),
      network: { http, smtp: patient, now: () => now },
    });
    expect(outcome).toMatchObject({ outcome: 'failed', permanent: false });
  });
});

function network(): Network {
  return { http, smtp: pools, now: () => now };
}

type Sending = { port: number; config?: Record<string, unknown>; envelope?: Partial<Envelope> };

function configFor({ port, config }: Sending) {
  return smtp.shape.parse({
    smtp_host: '127.0.0.1',
    smtp_port: port,
    username: 'ann',
    from_email: 'robot@cuebird.example',
    from_name: 'Cuebird, Inc.',
    use_tls: false,
    ...config,
  });
}

function send(sending: Sending) {
  return smtp.send({ ...envelope, ...sending.envelope }, { config: configFor(sending), network: network() });
}
