import { describe, expect, it } from 'vitest';
import type { Report } from '#delivery/adapter.ts';
import { processorMs } from '#testing/processor-time.ts';
import { readBounce } from './bounce.ts';
import { parseBounceCallback } from './bounce.callback.ts';
import { mailNameOf } from './message-names.ts';
import { autoReply, bounced, fromExchange, fromExim, fromGmail, fromPostfix, readReceipt } from './bounces.fixture.ts';

const read = (text: string) => readBounce(Buffer.from(text));
const of = { id: bounced.deliveryId, ...bounced };
const reportId = expect.stringMatching(/^[\w-]{43}$/);
const noUser = { action: 'failed', status: '5.1.1', diagnostic: '550 5.1.1 <ann@example.com>: User unknown' };

describe('a bounce', () => {
  it.each<[string, string, string]>([
    ['Postfix', fromPostfix(noUser), '550 5.1.1 <ann@example.com>: User unknown'],
    [
      'Exim',
      fromExim,
      '550 5.1.1 <ann@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
    ],
    [
      'Exchange',
      fromExchange,
      '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ann@example.com not found by SMTP address lookup',
    ],
    [
      'Gmail',
      fromGmail,
      "550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the recipient's email address for typos or unnecessary spaces.",
    ],
  ])("of %s yields the mail, the server's text, and that there is no such mailbox", async (_, mail, words) => {
    expect(read(mail)).toEqual([{ kind: 'failed', ...of, reportId, reason: `Bounced: ${words}`, hasNoMailbox: true }]);
  });

  it.each([
    ['5.1.1', true],
    ['5.1.2', true],
    ['5.1.3', true],
    ['5.1.6', true],
    ['5.1.10', true],
    ['5.2.1', true],
    // About the sender's address, a full mailbox, size, network, policy.
    ['5.1.7', false],
    ['5.1.8', false],
    ['5.2.2', false],
    ['5.2.3', false],
    ['5.4.4', false],
    ['5.7.1', false],
    ['4.4.7', false],
  ])('with status %s means %s that no mail will ever arrive there', async (status, hasNoMailbox) => {
    const mail = fromPostfix({ action: 'failed', status, diagnostic: '550 because' });
    expect(read(mail)).toEqual([{ kind: 'failed', ...of, reportId, reason: 'Bounced: 550 because', hasNoMailbox }]);
  });

  it('without a text says its status', async () => {
    const mail = fromPostfix({ action: 'failed', status: '5.4.4', diagnostic: '' });
    expect(read(mail)).toMatchObject([{ reason: 'Bounced: status 5.4.4' }]);
  });

  it.each<[string, string | null, readonly string[] | undefined]>([
    ['its ENVID alone', mailNameOf(bounced), []],
    ['its ENVID as xtext', mailNameOf(bounced).replace('A', '+41'), []],
    ['the returned headers alone', null, undefined],
    ['the returned headers, beside a foreign ENVID', 'QQ314159', undefined],
    ['folded headers', null, ['Subject: x', 'Message-ID:', ` <${mailNameOf(bounced)}@elm.example>`]],
  ])('is found by %s', async (_, envelopeId, returned) => {
    expect(read(fromPostfix(noUser, { envelopeId, returned }))).toMatchObject([of]);
  });

  it.each(['delivered', 'relayed'])('that says %s means that the mail arrived', async (action) => {
    const mail = fromPostfix({ action, status: '2.0.0', diagnostic: '250 ok' });
    expect(read(mail)).toEqual([{ kind: 'delivered', ...of }]);
  });

  it('that says delayed keeps the text and changes nothing', async () => {
    const mail = fromPostfix({
      action: 'delayed',
      status: '4.4.1',
      diagnostic: 'connect to mx.example.com: timed out',
    });
    expect(read(mail)).toEqual([{ kind: 'delayed', ...of, words: 'Delayed: connect to mx.example.com: timed out' }]);
  });

  it('of an alias counts as failed when one of its addresses has failed', async () => {
    const more = '\r\n\r\nFinal-Recipient: rfc822; bob@example.com\r\nAction: failed\r\nStatus: 5.2.2';
    const mail = fromPostfix({ action: 'delivered', status: '2.0.0', diagnostic: '250 ok' });
    expect(read(mail.replace('smtp; 250 ok', `smtp; 250 ok${more}`))).toMatchObject([
      { kind: 'failed', reason: 'Bounced: status 5.2.2' },
    ]);
  });

  it.each([
    ['an out-of-office reply', autoReply],
    ['a read receipt', readReceipt],
    [
      'a report about a foreign mail',
      fromPostfix(noUser, { envelopeId: null, returned: ['Message-ID: <1@elm.example>'] }),
    ],
    ['an unknown action', fromPostfix({ ...noUser, action: 'vanished' })],
    ['an alias that was expanded', fromPostfix({ ...noUser, action: 'expanded' })],
    ['no mail at all', 'Hello\r\n\r\nworld'],
    ['nothing', ''],
    ['bytes', '\0\xff\xfe'.repeat(1_000)],
    ['endless nested parts', nested(500)],
    ['endless headers', `From: a@b.c\r\n${'X-A: b\r\n'.repeat(100_000)}\r\n`],
  ])('is not %s', async (_, mail) => {
    expect(read(mail)).toEqual([]);
  });

  it.each(['base64', 'quoted-printable'])('is read where its report is encoded as %s', (encoding) => {
    const mail = fromPostfix(noUser);
    const type = 'Content-Type: message/delivery-status\r\n';
    const [head = '', rest = ''] = mail.split(`${type}\r\n`);
    const [report = '', ...returned] = rest.split('\r\n--');
    const encoded = encoding === 'base64' ? Buffer.from(report).toString('base64') : report.replaceAll(/[:;<]/g, inHex);
    const parts = [`${head}${type}Content-Transfer-Encoding: ${encoding}\r\n\r\n${encoded}`, ...returned];
    expect(read(parts.join('\r\n--'))).toMatchObject([
      { kind: 'failed', ...of, reason: 'Bounced: 550 5.1.1 <ann@example.com>: User unknown' },
    ]);
  });

  it('is read within the parts that a gateway has put around it', () => {
    const [head = '', ...body] = fromPostfix(noUser, { envelopeId: null }).split('\r\n\r\n');
    const boundary = 'outer';
    const inner = `Content-Type: multipart/mixed; boundary="4FbAAA.1763625605/mx.elm.example"\r\n\r\n${body.join('\r\n\r\n')}`;
    const wrapped = head.replace('4FbAAA.1763625605/mx.elm.example', boundary);
    expect(read(`${wrapped}\r\n\r\n--${boundary}\r\n${inner}\r\n--${boundary}--\r\n`)).toMatchObject([of]);
  });

  it('is read with line feeds alone, as a pipe passes it on', () => {
    expect(read(fromExim.replaceAll('\r\n', '\n'))).toMatchObject([of]);
  });

  it('is read at its beginning, however much is returned with it', async () => {
    const huge = fromExim.replace('Pay, please', 'Pay, please\r\n'.repeat(500_000));
    expect(read(huge)).toMatchObject([{ kind: 'failed', ...of }]);
    const behindAMegabyte = fromExim.replace('created automatically', 'created automatically '.repeat(60_000));
    expect(read(behindAMegabyte)).toEqual([]);
  });

  it('keeps no more text than fits a ledger row, and no character that the database cannot store', async () => {
    const diagnostic = `550 5.1.1 ${'\0never\u0000 '.repeat(2_000)}`;
    const [report] = read(fromPostfix({ ...noUser, diagnostic }));
    const reason = report?.kind === 'failed' ? report.reason : '';
    expect(reason).toMatch(/^Bounced: 550 5\.1\.1 never never/);
    expect(reason.length).toBeLessThanOrEqual(510);
    expect(reason).not.toContain('\0');
  });
});

/** A mail of one megabyte that repeats something behind a beginning. */
const megabyteOf = (text: string, begin = '') => begin + text.repeat(Math.ceil((1024 * 1024) / text.length));
const reportHead = 'Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n';

it.each<[string, string]>([
  ['line breaks', megabyteOf('\n')],
  ['line breaks of two characters', megabyteOf('\r\n')],
  ['blanks', megabyteOf(' ')],
  ['header fields', megabyteOf('a: b\n')],
  ['one folded header field', megabyteOf(' b\n', 'A: b\n')],
  ['parameters', megabyteOf('; a="b"', 'Content-Type: multipart/report')],
  ['a quoted parameter without an end', megabyteOf('\\"', 'Content-Type: multipart/report; boundary="')],
  ['references', megabyteOf('<a@b.example> ', 'References: ')],
  ['parts', megabyteOf('--b\r\n', reportHead)],
  [
    'lines that almost delimit parts',
    megabyteOf(`${'-'.repeat(71)}\n`, reportHead.replace('=b', `=${'-'.repeat(70)}`)),
  ],
  ['nested parts', nested(8_000)],
  ['a report of groups', megabyteOf('a: b\r\n\r\n', `${reportHead}\r\n`)],
  ['a report of failures', megabyteOf('Action: failed\n\n', `${reportHead}\r\n`)],
  ['a report in base64', megabyteOf('A\n', `${reportHead}Content-Transfer-Encoding: base64\r\n\r\n`)],
  ['an encoded report', megabyteOf('=41', `${reportHead}Content-Transfer-Encoding: quoted-printable\r\n\r\n`)],
  ['soft line breaks', megabyteOf('= ', `${reportHead}Content-Transfer-Encoding: quoted-printable\r\n\r\n`)],
  ['message ids', megabyteOf('Message-ID: a\n\n', `${reportHead}\n\n--b\nContent-Type: text/plain\n\n`)],
])('a megabyte of %s takes no longer than a request may hold up others', (_, mail) => {
  const raw = Buffer.from(mail);
  expect(processorMs(() => void readBounce(raw))).toBeLessThan(50);
});

describe('a bounce that is posted', () => {
  const url = new URL('https://cuebird.example/api/callbacks/smtp/token');
  const post = async (headers: Record<string, string>, body: Buffer) =>
    parseBounceCallback({ method: 'POST', url, headers: new Headers(headers), body });
  const mail = fromPostfix(noUser);

  async function form(body: FormData | URLSearchParams) {
    const request = new Request(url, { method: 'POST', body });
    return post(Object.fromEntries(request.headers), Buffer.from(await request.arrayBuffer()));
  }

  function multipart(fields: Record<string, string | File>): FormData {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    return data;
  }

  it.each(['message/rfc822', 'text/plain', 'application/octet-stream', ''])('as %s is read', async (type) => {
    const answer = await post(type === '' ? {} : { 'content-type': type }, Buffer.from(mail));
    expect(answer).toMatchObject({ kind: 'reports', reports: [{ kind: 'failed', ...of }] });
  });

  it.each(['body-mime', 'email', 'message', 'raw'])('in a form’s %s is read', async (field) => {
    const reports: Partial<Report>[] = [{ kind: 'failed', ...of }];
    expect(await form(multipart({ subject: 'x', [field]: mail }))).toMatchObject({ kind: 'reports', reports });
    expect(await form(new URLSearchParams({ [field]: mail }))).toMatchObject({ kind: 'reports', reports });
    expect(await form(multipart({ [field]: new File([mail], 'mail.eml') }))).toMatchObject({
      kind: 'reports',
      reports,
    });
  });

  it('in a form without a mail, or in an invalid form, yields nothing', async () => {
    expect(await form(multipart({ subject: 'x' }))).toEqual({ kind: 'reports', reports: [] });
    const broken = { 'content-type': 'multipart/form-data; boundary=none' };
    expect(await post(broken, Buffer.from(mail))).toEqual({ kind: 'reports', reports: [] });
  });

  it.each<[string, string, string]>([
    ['an empty form', 'application/x-www-form-urlencoded', '&'],
    ['an encoded mail', 'application/x-www-form-urlencoded', '%0A'],
    ['parts', 'multipart/form-data; boundary=b', '--b\r\n'],
    ['named parts', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name=x\r\n\r\n\r\n'],
    ['lines', 'multipart/form-data; boundary=b', '\n'],
  ])('as 3 MB of %s takes no longer than a request may hold up others', (_, type, text) => {
    const begin = type.startsWith('multipart') ? '--b\r\nContent-Disposition: form-data; name=raw\r\n\r\n' : 'raw=';
    const body = Buffer.from(begin + text.repeat(Math.floor((3 * 1024 * 1024) / text.length)));
    expect(processorMs(() => void post({ 'content-type': type }, body))).toBeLessThan(50);
  });

  it('in a form after twenty other fields is found, as providers post it', async () => {
    const others = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`field-${n}`, 'x\r\n'.repeat(100)]));
    expect(await form(multipart({ ...others, 'body-mime': mail }))).toMatchObject({
      reports: [{ kind: 'failed' }],
    });
  });

  it('in a form keeps each byte, and a percent sign that encodes nothing', async () => {
    const diagnostic = '550 5.1.1 100% für “ann” + co %zz';
    const body = new URLSearchParams({ raw: fromPostfix({ ...noUser, diagnostic }) }).toString();
    const answer = await post(
      { 'content-type': 'application/x-www-form-urlencoded' },
      Buffer.from(body.replace('%25zz', '%zz')),
    );
    expect(answer).toMatchObject({ reports: [{ reason: `Bounced: ${diagnostic}` }] });
  });

  it('is refused as GET', () => {
    const answer = parseBounceCallback({ method: 'GET', url, headers: new Headers(), body: Buffer.alloc(0) });
    expect(answer).toHaveProperty('kind', 'refused');
  });
});

const inHex = (character: string) => `=${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** A mail of nested parts. */
function nested(depth: number): string {
  const open = (level: number) =>
    `Content-Type: multipart/report; report-type=delivery-status; boundary=b${level}\r\n\r\n--b${level}\r\n`;
  return Array.from({ length: depth }, (_, level) => open(level)).join('');
}
