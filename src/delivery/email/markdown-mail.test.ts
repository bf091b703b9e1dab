import PostalMime from 'postal-mime';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Envelope } from '#delivery/adapter.ts';
import { renderOnThisThread } from '#domain/rendering.ts';
import { writeMessage } from '#domain/written-message.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createOutboundHttp } from '#platform/outbound/http-client.ts';
import { hostileMessages } from '#testing/hostile-messages.ts';
import { mailServer } from '#testing/mail-servers.ts';
import { closeServers } from '#testing/tcp-server.ts';
import { createSmtpPools } from './smtp-pools.ts';
import { adapter as smtp } from './smtp.adapter.ts';
import { sample } from '#testing/sample.ts';

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
  subject: '',
  message: '',
  is_test: false,
  company_name: 'Elm & Sons',
  mail_style: { color: '#2563eb', postalLine: '12 Elm Street, Springfield' },
  unsubscribe: { page: 'https://cuebird.example/unsubscribe/1', oneClick: 'https://cuebird.example/api/1' },
};

type Text = { subject?: string; message: string; values?: Record<string, string>; recipient_name?: string };

/** A mail in Markdown as it is sent, and as a mail program reads it; null where it is not written. */
async function arrives({ subject = 'Rent', message, values = {}, ...changes }: Text & Partial<Envelope>) {
  const written = await writeMessage(
    { subject, message, format: 'markdown' },
    { renderer: renderOnThisThread, channel: 'email', workspaceId: envelope.workspace_id, values },
  );
  if ('kind' in written) return null;
  const config = smtp.shape.parse({
    smtp_host: '127.0.0.1',
    smtp_port: server.port,
    username: 'ann',
    from_email: 'robot@cuebird.example',
    from_name: '',
    use_tls: false,
  });
  expect(await smtp.send({ ...envelope, ...changes, ...written }, { config, network })).toHaveProperty(
    'outcome',
    'accepted',
  );
  const raw = server.mails.at(-1) ?? '';
  return { head: raw.slice(0, raw.indexOf('\r\n\r\n')), mail: await PostalMime.parse(raw) };
}

const withoutSpace = (text: string) => text.replaceAll(/\s/g, '');

/** What a reader sees of a page. */
const wordsOf = (html: string) =>
  withoutSpace(
    html
      .replaceAll(/<title>[^<]*<\/title>/g, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll('&nbsp;', ' ')
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );

const namesOf = (head: string) => head.match(/^[\w-]+(?=:)/gm) ?? [];

describe('a mail in Markdown', () => {
  it('is a page with inline styles, and the same words as text', async () => {
    const arrived = await arrives({
      message: '# Rent\n\nHello **{{name}}**,\n\n- 950 €\n- [pay](https://pay.example)',
      values: { name: 'Änn' },
    });
    expect(arrived?.mail.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(
      'Rent\n\nHello Änn,\n\n- 950 €\n- pay (https://pay.example)\n\n-- \n' +
        'Elm & Sons\n12 Elm Street, Springfield\nUnsubscribe: https://cuebird.example/unsubscribe/1',
    );
    const html = arrived?.mail.html ?? '';
    expect(wordsOf(html)).toBe('RentHelloÄnn,950€payElm&Sons12ElmStreet,SpringfieldUnsubscribe');
    expect(html).toContain('background-color:#2563eb');
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).not.toMatch(/<(?:style|script|link|img|iframe|object|form)/i);
  });

  it('has the picture and name of a workspace with white-label at its head', async () => {
    const brand = { name: 'Elm & Sons', logo: 'https://cuebird.example/api/logos/1/2' };
    const html = (await arrives({ message: 'Hello', brand }))?.mail.html ?? '';
    expect(html).toContain('<img src="https://cuebird.example/api/logos/1/2" alt="" height="40"');
    expect(html).toContain('border-bottom:3px solid #2563eb');
    expect(wordsOf(html)).toMatch(/^Elm&SonsHello/);
    expect((await arrives({ message: 'Hello', brand: { ...brand, logo: null } }))?.mail.html).not.toContain('<img');
  });

  it.each([
    ['many lists', '- a\n\n1. b\n\n'.repeat(9_000)],
    ['many paragraphs', 'a\n\n'.repeat(33_000)],
    ['long words', 'ä'.repeat(100_000)],
    ['characters that are escaped', '&<>"'.repeat(25_000)],
    ['many links', 'https://a.example '.repeat(5_500)],
    ['deep quotes', `${'> '.repeat(30)}a\n`.repeat(1_600)],
  ])('has less than 100 kB of HTML, with %s', async (_, message) => {
    const html = (await arrives({ message: message.slice(0, 100_000) }))?.mail.html ?? '';
    expect(Buffer.byteLength(html)).toBeLessThan(100_000);
  });

  it('keeps the words of hostile messages, and makes no header of them', async () => {
    const expected = namesOf((await arrives({ message: 'Hello' }))?.head ?? '');
    let sent = 0;
    const messages = sample.partSeeds('hostile mails', 21).flatMap((seed) => hostileMessages({ count: 100, seed }));
    for (const { subject, message, values } of messages) {
      const arrived = await arrives({ subject, message, values, recipient_name: values.a });
      if (arrived === null) continue;
      sent += 1;
      const { head, mail } = arrived;
      expect(namesOf(head)).toEqual(expected);
      expect([mail.to?.length, mail.to?.[0]?.address, mail.cc, mail.bcc]).toEqual([
        1,
        'ann@example.com',
        undefined,
        undefined,
      ]);
      const html = mail.html ?? '';
      expect(html).not.toMatch(/<(?:script|style|link|img|iframe|object|form|svg|base|input|button)/i);
      const left = Array.from(wordsOf(html)).reverse();
      for (const character of withoutSpace(mail.text ?? '')) if (character === left.at(-1)) left.pop();
      expect(left.reverse().join('')).toBe('');
    }
    expect(sent).toBeGreaterThan(messages.length * 0.8);
  }, 60_000);
});
