import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Envelope } from '#delivery/adapter.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import { faultyServer, mailServer } from '#testing/mail-servers.ts';
import { closeServers } from '#testing/tcp-server.ts';
import { mailNameOf } from './message-names.ts';
import { createSmtpPools } from './smtp-pools.ts';
import { adapter as smtp } from './smtp.adapter.ts';

const now = Temporal.Instant.from('2026-11-20T08:00:00Z');
const guard = createEgressGuard({ allow: ['127.0.0.0/8'], exact: () => [] });
const network = { http: createOutboundHttp({ guard }), smtp: createSmtpPools({ guard }), now: () => now };
let server: Awaited<ReturnType<typeof mailServer>>;

beforeEach(async () => {
  server = await mailServer();
});
afterEach(closeServers);
afterAll(async () => {
  network.smtp.close();
  await network.http.close();
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
  recipient_name: 'Ann',
  subject: 'Rent is due',
  message: 'Pay',
  is_test: false,
};

type Changes = Partial<Envelope> & { configuration?: object };

function send({ configuration = {}, ...changes }: Changes) {
  const config = smtp.shape.parse({
    smtp_host: '127.0.0.1',
    smtp_port: server.port,
    username: 'ann',
    from_email: 'robot@cuebird.example',
    from_name: 'Cuebird',
    use_tls: false,
    ...configuration,
  });
  return smtp.send({ ...envelope, ...changes }, { config, network });
}

/** Sends a mail and returns it as sent over SMTP, and as a mail program parses it. */
async function arrives(changes: Changes = {}) {
  expect(await send(changes)).toHaveProperty('outcome', 'accepted');
  const raw = server.mails.at(-1) ?? '';
  const end = raw.indexOf('\r\n\r\n');
  return { raw, head: raw.slice(0, end), mail: await PostalMime.parse(raw) };
}

const linesOf = (text: string) => text.split('\r\n');

describe('a mail over the wire', () => {
  it('is text first and HTML after it, with the same content (RFC 2046, 5.1.4)', async () => {
    const { raw, mail } = await arrives({ message: 'Dear Änn,\n\npay <soon> & "well":\nhttps://example.com/?a=1&b=2' });
    expect(raw).toMatch(/^Content-Type: multipart\/alternative;\r?\n?/m);
    expect(raw.indexOf('Content-Type: text/plain; charset=utf-8')).toBeGreaterThan(0);
    expect(raw.indexOf('Content-Type: text/html; charset=utf-8')).toBeGreaterThan(raw.indexOf('text/plain'));
    expect(mail.text?.trimEnd()).toBe('Dear Änn,\n\npay <soon> & "well":\nhttps://example.com/?a=1&b=2');
    const words = mail.html?.replaceAll(/<[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
    expect(words?.trim()).toBe(mail.text?.trim());
  });

  it('has short lines of ASCII only, however long its words are (RFC 5322, 2.1.1)', async () => {
    const subject = `Große Erinnerung ${'an die Miete für März '.repeat(30)}${'x'.repeat(300)}`;
    const message = `${'ä'.repeat(5_000)}\n${'x'.repeat(5_000)}\n.\n..\nFrom here on\n${'Wörter '.repeat(500)}`;
    const { raw, head, mail } = await arrives({
      subject,
      message,
      recipient_name: `Ännchen ${'von Tharau '.repeat(20)}`,
    });
    expect(raw).toMatch(/^[\r\n\t\x20-\x7e]*$/);
    expect(Math.max(...linesOf(raw).map((line) => line.length))).toBeLessThanOrEqual(998);
    expect(Math.max(...linesOf(head).map((line) => line.length))).toBeLessThanOrEqual(320);
    expect(mail.subject).toBe(subject.trim());
    expect(mail.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(message.trimEnd());
    expect(mail.to?.[0]?.name).toBe(`Ännchen ${'von Tharau '.repeat(20)}`.trim());
  });

  it.each([
    'Änn',
    'Ann "the" Tenant',
    'Tenant, Ann; (of) <Elm> Street: @home',
    'Ann\\Bob',
    '安娜 🏠',
    'אנה',
    '=?utf-8?Q?Ann?=',
    'a@b.c',
    "O'Brien.",
  ])('keeps the name “%s” (RFC 2047)', async (name) => {
    const { raw, mail } = await arrives({ recipient_name: name, subject: name, configuration: { from_name: name } });
    expect(raw).toMatch(/^[\r\n\t\x20-\x7e]*$/);
    const seen = [mail.to?.[0]?.name, mail.from?.name, mail.subject].map((text) => text?.replaceAll('\u2060', ''));
    expect(seen).toEqual([name, name, name]);
    expect(mail.to).toHaveLength(1);
  });

  it('is from the workspace where the channel names no sender', async () => {
    const named = await arrives({ company_name: 'Elm Street' });
    const unnamed = await arrives({ company_name: 'Elm Street', configuration: { from_name: '' } });
    expect([named.mail.from?.name, unnamed.mail.from?.name]).toEqual(['Cuebird', 'Elm Street']);
  });

  it('has one Message-ID, one Date and no other name, in every attempt', async () => {
    const [first, second] = [await arrives({ attempt: 1 }), await arrives({ attempt: 2 })];
    for (const { head, mail } of [first, second]) {
      expect(head.match(/^Message-ID: .*$/gim)).toEqual([
        `Message-ID: <${mailNameOf({ deliveryId: envelope.delivery_id, jobId: envelope.job_id })}@cuebird.example>`,
      ]);
      expect(head.match(/^Date: .*$/gim)).toEqual(['Date: Fri, 20 Nov 2026 08:00:00 +0000']);
      expect(mail.date).toBe('2026-11-20T08:00:00.000Z');
    }
    expect(linesOf(first.head).map(nameOf)).toEqual(linesOf(second.head).map(nameOf));
  });

  it('to an address with a non-ASCII domain goes to its ASCII form (RFC 5891)', async () => {
    const faulty = await faultyServer(() => null);
    await send({ recipient: 'ann@bücher.example', configuration: { smtp_port: faulty.port } });
    expect(faulty.lines.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ann@xn--bcher-kva.example>']);
    expect(faulty.mails[0]?.text).toMatch(/^To: .*<ann@xn--bcher-kva\.example>/m);
  });

  it('to a non-ASCII local part asks for SMTPUTF8 (RFC 6531)', async () => {
    const able = await faultyServer(() => null, { extensions: ['SMTPUTF8', '8BITMIME'] });
    const to = (port: number) => send({ recipient: 'jürgen@example.com', configuration: { smtp_port: port } });
    expect(await to(able.port)).toHaveProperty('outcome', 'accepted');
    expect(able.lines).toContain('MAIL FROM:<robot@cuebird.example> SMTPUTF8');
  });

  it('asks a server with delivery status notifications to report under our name for the mail (RFC 3461)', async () => {
    const able = await faultyServer(() => null, { extensions: ['DSN'] });
    const plain = await faultyServer(() => null);
    for (const { port } of [able, plain])
      expect(await send({ configuration: { smtp_port: port, return_address: 'bounces@elm.example' } })).toHaveProperty(
        'outcome',
        'accepted',
      );
    const name = mailNameOf({ deliveryId: envelope.delivery_id, jobId: envelope.job_id });
    const asked = (lines: readonly string[]) => lines.filter((line) => /^(MAIL|RCPT) /.test(line));
    expect(asked(able.lines)).toEqual([
      `MAIL FROM:<bounces@elm.example> RET=HDRS ENVID=${name}`,
      'RCPT TO:<ann@example.com> NOTIFY=FAILURE,DELAY',
    ]);
    expect(asked(plain.lines)).toEqual(['MAIL FROM:<bounces@elm.example>', 'RCPT TO:<ann@example.com>']);
    expect(able.mails[0]?.text).toMatch(/^From: .*<robot@cuebird\.example>/m);
  });

  it("has the reminder's name as subject when it has none", async () => {
    expect((await arrives({ subject: ' \r\n ' })).mail.subject).toBe('Rent');
  });
});

describe('the content of a mail', () => {
  const hostile = fc.string({
    unit: fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '\0',
      '\u2028',
      '\u0085',
      '\v',
      ' ',
      ':',
      ',',
      '<',
      '>',
      '"',
      '=?',
      '?=',
      'a',
      'é',
      '\ud800',
      'Bcc: eve@example.com',
      '\r\n.\r\n',
      '\r\n\r\n',
    ),
    maxLength: 12,
  });

  it('never becomes a header, a recipient or a second mail', async () => {
    const usual = linesOf((await arrives()).head)
      .map(nameOf)
      .filter(Boolean);
    const count = server.mails.length;
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, hostile, async (subject, name, words, title) => {
        const { head, mail } = await arrives({
          subject: `Rent ${subject}`,
          recipient_name: `Ann ${name}`,
          message: `Pay ${words}`,
          name: title,
        });
        sent += 1;
        expect(new Set(linesOf(head).map(nameOf).filter(Boolean))).toEqual(new Set(usual));
        expect(mail.to?.map(({ address }) => address)).toEqual(['ann@example.com']);
        expect([mail.cc ?? [], mail.bcc ?? []]).toEqual([[], []]);
        expect(mail.attachments).toEqual([]);
      }),
      { numRuns: 150, seed: 7 },
    );
    expect(server.mails).toHaveLength(count + sent);
    expect(new Set(server.recipients)).toEqual(new Set(['ann@example.com']));
  });

  it.each(['from_name', 'from_email', 'username', 'smtp_host'])(
    'cannot be injected through the channel’s %s either',
    (field) => {
      const configuration = {
        smtp_host: 'a.example',
        smtp_port: 25,
        username: 'a@b.example',
        from_email: 'a@b.example',
      };
      const broken = { ...configuration, [field]: 'x@y.example\r\nBcc: eve@example.com' };
      expect(smtp.shape.safeParse(broken).success).toBe(false);
    },
  );
});

/** The name of a header's first line; nothing for a continuation line. */
const nameOf = (line: string) => /^([\w-]+):/.exec(line)?.[1]?.toLowerCase() ?? '';
