import { describe, expect, it } from 'vitest';
import type { Report } from '#delivery/adapter.ts';
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
    expect(await read(mail)).toEqual([
      { kind: 'failed', ...of, reportId, reason: `Bounced: ${words}`, hasNoMailbox: true },
    ]);
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
    expect(await read(mail)).toEqual([
      { kind: 'failed', ...of, reportId, reason: 'Bounced: 550 because', hasNoMailbox },
    ]);
  });

  it('without a text says its status', async () => {
    const mail = fromPostfix({ action: 'failed', status: '5.4.4', diagnostic: '' });
    expect(await read(mail)).toMatchObject([{ reason: 'Bounced: status 5.4.4' }]);
  });

  it.each<[string, string | null, readonly string[] | undefined]>([
    ['its ENVID alone', mailNameOf(bounced), []],
    ['its ENVID as xtext', mailNameOf(bounced).replace('A', '+41'), []],
    ['the returned headers alone', null, undefined],
    ['the returned headers, beside a foreign ENVID', 'QQ314159', undefined],
    ['folded headers', null, ['Subject: x', 'Message-ID:', ` <${mailNameOf(bounced)}@elm.example>`]],
  ])('is found by %s', async (_, envelopeId, returned) => {
    expect(await read(fromPostfix(noUser, { envelopeId, returned }))).toMatchObject([of]);
  });

  it.each(['delivered', 'relayed'])('that says %s means that the mail arrived', async (action) => {
    const mail = fromPostfix({ action, status: '2.0.0', diagnostic: '250 ok' });
    expect(await read(mail)).toEqual([{ kind: 'delivered', ...of }]);
  });

  it('that says delayed keeps the text and changes nothing', async () => {
    const mail = fromPostfix({
      action: 'delayed',
      status: '4.4.1',
      diagnostic: 'connect to mx.example.com: timed out',
    });
    expect(await read(mail)).toEqual([
      { kind: 'delayed', ...of, words: 'Delayed: connect to mx.example.com: timed out' },
    ]);
  });

  it('of an alias counts as failed when one of its addresses has failed', async () => {
    const more = '\r\n\r\nFinal-Recipient: rfc822; bob@example.com\r\nAction: failed\r\nStatus: 5.2.2';
    const mail = fromPostfix({ action: 'delivered', status: '2.0.0', diagnostic: '250 ok' });
    expect(await read(mail.replace('smtp; 250 ok', `smtp; 250 ok${more}`))).toMatchObject([
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
    expect(await read(mail)).toEqual([]);
  });

  it('is read at its beginning, however much is returned with it', async () => {
    const huge = fromExim.replace('Pay, please', 'Pay, please\r\n'.repeat(500_000));
    expect(await read(huge)).toMatchObject([{ kind: 'failed', ...of }]);
    const behindAMegabyte = fromExim.replace('created automatically', 'created automatically '.repeat(60_000));
    expect(await read(behindAMegabyte)).toEqual([]);
  });

  it('keeps no more text than fits a ledger row, and no character that the database cannot store', async () => {
    const diagnostic = `550 5.1.1 ${'\0never\u0000 '.repeat(2_000)}`;
    const [report] = await read(fromPostfix({ ...noUser, diagnostic }));
    const reason = report?.kind === 'failed' ? report.reason : '';
    expect(reason).toMatch(/^Bounced: 550 5\.1\.1 never never/);
    expect(reason.length).toBeLessThanOrEqual(510);
    expect(reason).not.toContain('\0');
  });
});

describe('a bounce that is posted', () => {
  const url = new URL('https://cuebird.example/api/callbacks/smtp/token');
  const post = (headers: Record<string, string>, body: Buffer) =>
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

  it('is refused as GET', async () => {
    const answer = await parseBounceCallback({ method: 'GET', url, headers: new Headers(), body: Buffer.alloc(0) });
    expect(answer).toHaveProperty('kind', 'refused');
  });
});

/** A mail of nested parts. */
function nested(depth: number): string {
  const open = (level: number) =>
    `Content-Type: multipart/report; report-type=delivery-status; boundary=b${level}\r\n\r\n--b${level}\r\n`;
  return Array.from({ length: depth }, (_, level) => open(level)).join('');
}
