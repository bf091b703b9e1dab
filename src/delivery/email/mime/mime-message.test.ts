import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import MailComposer from 'nodemailer/lib/mail-composer';
import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import type { Envelope, Mail } from '#delivery/adapter.ts';
import { composeMail } from '#delivery/email/mail.ts';
import { EmailConfig } from '#delivery/email/smtp.config.ts';
import { mimeMessage } from './mime-message.ts';
import { sample } from '#testing/sample.ts';

const now = Temporal.Instant.from('2026-11-20T08:00:00Z');

const mail: Mail = {
  messageId: '<one@cuebird.example>',
  from: { name: 'Cuebird', address: 'robot@cuebird.example' },
  to: { name: 'Ann', address: 'ann@example.com' },
  subject: 'Rent is due',
  text: 'Pay',
  html: '<p>Pay</p>',
  date: new Date(now.epochMilliseconds),
  headers: { 'Auto-Submitted': 'auto-generated' },
};

const written = (of: Partial<Mail>) => mimeMessage({ ...mail, ...of }).toString('utf8');

/** The same mail as nodemailer composes it, with the line ends that it sends. */
async function byNodemailer({ envelopeId: _, returnAddress: __, ...of }: Mail): Promise<string> {
  const bytes = await new MailComposer(of).compile().build();
  return bytes.toString('utf8').replaceAll(/\r\n|\r|\n/g, '\r\n');
}

/** What a mail program makes of a mail. */
async function meaningOf(raw: string) {
  const { headers, from, to, replyTo, subject, date, messageId, text, html, attachments } = await PostalMime.parse(raw);
  const own = headers.filter(({ key }) => /^(?:list|auto|x)-|^mime-version$/.test(key));
  const values = Object.fromEntries(own.map(({ key, value }) => [key, value]));
  // The parser adds a line break, but for base64.
  const lines = (body = '') => body.replaceAll(/\r\n?/g, '\n').trimEnd();
  return { values, from, to, replyTo, subject, date, messageId, text: lines(text), html: lines(html), attachments };
}

const headOf = (raw: string) => raw.slice(0, raw.indexOf('\r\n\r\n'));
const linesOf = (raw: string) => raw.split('\r\n');

const pieces = fc.oneof(
  fc.lorem({ maxCount: 12 }),
  fc.constantFrom(
    'Miete für März, 950 €',
    'арендная плата',
    '家賃のお知らせ',
    '🏠🔑',
    'naïve café',
    'אנה',
    '=C3=A4',
    'a=b',
    'trailing space \n',
    'tab\t\n',
    '\n.\n..\n',
    '\r\n-- \r\n',
    'lone\rreturn',
    '=_alternative',
    '--=_alternative--\n',
    'From here on',
    'https://pay.example/?a=1&b=2 ',
    '\ud83c',
    '\udfe0',
    '\0',
    '\u2028\u0085',
    '"quoted", <marked> (said); \\',
    'x'.repeat(75),
    'x'.repeat(76),
    'x'.repeat(77),
    'ä'.repeat(300),
    '家'.repeat(100),
    `${'word '.repeat(40)}\n`,
  ),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const text = (most: number) => fc.array(pieces, { maxLength: most }).map((parts) => parts.join(' '));
const address = fc.constantFrom(
  'ann@example.com',
  "o'brien+rent@mail.example.com",
  'info@bücher.example',
  'a..b@example.com',
  '.dot@example.com',
  'jürgen@bücher.example',
  `${'long'.repeat(15)}@${'sub.'.repeat(20)}example.com`,
);
const parts = fc.record({
  recipient: address,
  name: text(2),
  sender: fc
    .oneof(fc.constantFrom('', 'Elm Street', 'Elm & Söhne'), text(2))
    .map((one) => one.replace(/[\r\n\0]/g, '')),
  from: address,
  replyTo: fc.oneof(fc.constant(''), address),
  subject: text(3),
  message: text(12),
  isFormatted: fc.boolean(),
  hasHtml: fc.boolean(),
  token: fc.option(fc.base64String({ minLength: 20, maxLength: 150 })),
});

/** Mails as the product composes them, the same for the same seed. */
const generated = ({ count, seed }: { count: number; seed: number }): Mail[] =>
  fc.sample(parts, { numRuns: count, seed }).map((one, at) => {
    const id = `019a9d3e-0000-7000-8000-${at.toString(16).padStart(12, '0')}`;
    const page = `https://cuebird.example/unsubscribe/${encodeURIComponent(one.token ?? '')}`;
    const envelope: Envelope = {
      delivery_id: id,
      workspace_id: '019a9d3e-0000-7000-8000-000000000002',
      job_id: '019a9d3e-0000-7000-8000-000000000003',
      reminder_id: '019a9d3e-0000-7000-8000-000000000004',
      name: 'Rent',
      scheduled_for: '2026-11-20T08:00:00Z',
      attempt: 1,
      channel: 'email',
      recipient: one.recipient,
      recipient_name: one.name,
      subject: one.subject,
      message: one.message,
      is_test: false,
      company_name: 'Elm Street',
      ...(one.isFormatted && { formatted: { html: one.hasHtml ? `<p>${one.message}</p>` : null } }),
      ...(one.token !== null && { unsubscribe: { page, oneClick: `${page}/one` } }),
    };
    const config = EmailConfig.parse({
      smtp_host: 'mail.example',
      smtp_port: 25,
      username: 'ann',
      from_email: one.from,
      from_name: one.sender.slice(0, 200),
      reply_to: one.replyTo,
    });
    return composeMail(envelope, { config, now });
  });

/** Of two thousand, all or a sample. */
const twoThousand = (name: string, first: number) =>
  sample.partSeeds(name, first).flatMap((seed) => generated({ count: 200, seed }));

describe('a mail', () => {
  it('means what nodemailer’s own means', async () => {
    for (const one of twoThousand('mails of nodemailer', 21)) {
      const raw = mimeMessage(one).toString('utf8');
      expect(await meaningOf(raw)).toEqual(await meaningOf(await byNodemailer(one)));
    }
  }, 60_000);

  it('has short lines of ASCII that end with CRLF', () => {
    for (const one of twoThousand('mails of short lines', 41)) {
      const raw = mimeMessage(one).toString('utf8');
      const isAscii = /^[\0-\x7f]*$/.test(`${one.to.address}${one.from.address}${one.replyTo ?? ''}`);
      if (isAscii) expect(raw).toMatch(/^[\t\x20-\x7e\r\n]*$/);
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      const head = headOf(raw);
      // A longer line of the head is one word.
      for (const line of linesOf(head)) expect(line).toMatch(/^(?:.{0,76}|(?:[\w-]+:)? ?\S{1,997})$/u);
      // The longest encoded word (RFC 2047, section 2).
      for (const [word] of head.matchAll(/=\?utf-8\?[BQ]\?[^?\s]*\?=/gi)) expect(word.length).toBeLessThanOrEqual(75);
      for (const line of linesOf(raw.slice(head.length))) expect(line.length).toBeLessThanOrEqual(76);
    }
  });

  it('is the same whatever was composed before', () => {
    const mails = generated({ count: 300, seed: 13 });
    const first = mails.map((one) => mimeMessage(one).toString('utf8'));
    const again = mails.toReversed().map((one) => mimeMessage(one).toString('utf8'));
    expect(again.toReversed()).toEqual(first);
  });

  it('is text alone without HTML', async () => {
    const raw = written({ html: undefined, text: 'Dear Änn,\npay.' });
    expect(headOf(raw)).toContain('Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ');
    expect((await meaningOf(raw)).text).toBe('Dear Änn,\npay.');
  });

  it('is base64 where most of it is beyond ASCII, and readable where not', () => {
    const encodings = (of: Partial<Mail>) => written(of).match(/(?<=Encoding: ).*/g);
    expect(encodings({ text: '家賃のお知らせです', html: `<p>${'Miete für März. '.repeat(20)}</p>` })).toEqual([
      'base64',
      'quoted-printable',
    ]);
    expect(encodings({})).toEqual(['7bit', '7bit']);
  });

  it('keeps spaces at the end of a line, which servers may cut off, and divides no character between lines', async () => {
    const text = `Amount due: \nRoom:\t\n${'Büro '.repeat(40)}\n${'x'.repeat(74)}ü`;
    const raw = written({ html: undefined, text });
    const lines = linesOf(raw.slice(headOf(raw).length));
    expect(lines.filter((line) => /[ \t]$/.test(line))).toEqual([]);
    const utf8 = new TextDecoder('utf-8', { fatal: true });
    for (const line of lines) {
      const bytes = line
        .replace(/=$/, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
      expect(() => utf8.decode(Buffer.from(bytes, 'latin1')), line).not.toThrow();
    }
    expect((await meaningOf(raw)).text).toBe(text);
  });

  it('has the two parts that it should have when its text contains a boundary', async () => {
    const boundary = /boundary="(.*)"/.exec(written({}))?.[1] ?? '';
    const attack = `--${boundary}\nContent-Type: text/html\n\n<script>\n--${boundary}--\n`;
    const raw = written({ text: attack, html: attack });
    expect(raw.split(`--${boundary}`)).toHaveLength(4);
    const { text, html, attachments } = await meaningOf(raw);
    expect([text, html, attachments]).toEqual([attack.trimEnd(), attack.trimEnd(), []]);
  });

  const breaks = ['\r\n', '\n', '\r', '\r\n\r\n', '\0\n', '\u2028\n', '\u0085\r'];
  it.each(breaks)('has no other header or recipient for the line break %j in any of its fields', async (end) => {
    const attack = `Ann${end}Bcc: eve@example.com${end}${end}<script>`;
    const raw = written({
      messageId: `<one@cuebird.example${end}Bcc: eve@example.com>`,
      from: { name: attack, address: `robot@cuebird.example${end}Bcc: eve@example.com` },
      to: { name: attack, address: `ann@example.com${end}Bcc: eve@example.com` },
      replyTo: `ann@example.com${end}Bcc: eve@example.com`,
      subject: attack,
      headers: { 'List-Unsubscribe': `<https://cuebird.example>${end}Bcc: eve@example.com` },
    });
    expect(headOf(raw).match(/^[\w-]+(?=:)/gm)).toEqual([
      'From',
      'To',
      'Reply-To',
      'Subject',
      'Message-ID',
      'Date',
      'List-Unsubscribe',
      'MIME-Version',
      'Content-Type',
    ]);
    expect(raw.slice(headOf(raw).length)).toBe(written({}).slice(headOf(written({})).length));
  });

  it.each([
    ['emoji', '🏠'.repeat(250_000)],
    ['a line without spaces', 'x'.repeat(1_000_000)],
    ['lines of 100,000 characters', `${'ä x'.repeat(33_333)}\n`.repeat(10)],
    ['lone surrogates', '\ud83c'.repeat(300_000)],
    ['line breaks', '\r\n'.repeat(500_000)],
    ['carriage returns', '\r'.repeat(1_000_000)],
    ['NUL', '\0'.repeat(1_000_000)],
    ['what looks encoded', '=?utf-8?Q?'.repeat(100_000)],
    ['quotes and backslashes', '"\\'.repeat(500_000)],
    ['spaces', ' '.repeat(1_000_000)],
    ['boundaries', '--=_alternative\n'.repeat(60_000)],
  ])('is composed in linear time from %s as its subject, names and texts', (_, content) => {
    const compose = (part: string) => {
      const before = process.cpuUsage();
      const mailbox = { name: part, address: 'ann@example.com' };
      const raw = written({ from: mailbox, to: mailbox, subject: part, text: part, html: part });
      const ms = process.cpuUsage(before).user / 1000;
      expect(linesOf(raw).filter((line) => line.length > 998)).toEqual([]);
      return ms;
    };
    compose(content.slice(0, content.length / 8));
    expect(compose(content)).toBeLessThan(3_000);
  });

  it('leaves little in memory, also of a hundred thousand short lines', () => {
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 100; n += 1) {
      const lines = Array.from({ length: 1_000 }, (_, at) => `ä${n}.${at}`);
      // Mostly ASCII, so that it is quoted-printable.
      written({ subject: `ä${n}`, text: [...lines, 'x'.repeat(8_000)].join('\n'), html: undefined });
    }
    collectGarbage();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(6_000_000);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe('a mail with a file', () => {
  it('has its text, its page and the file as they were, whatever the file contains', async () => {
    const content = 'Name,Text\r\n"Zoë","--=_mixed\r\n--=_mixed--\r\n.\r\n"\r\n';
    const raw = written({ text: 'Attached', attachment: { name: 'report.csv', mediaType: 'text/csv', content } });
    const { text, html, attachments } = await meaningOf(raw);
    expect([text, html]).toEqual(['Attached', '<p>Pay</p>']);
    expect(attachments).toMatchObject([{ filename: 'report.csv', mimeType: 'text/csv', disposition: 'attachment' }]);
    const [file] = attachments;
    expect(Buffer.from(file?.content as ArrayBuffer).toString('utf8')).toBe(content);
    expect(linesOf(raw).every((line) => line.length <= 998 && /^[\t\x20-\x7e]*$/.test(line))).toBe(true);
  });
});
