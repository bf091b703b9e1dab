import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { twilio } from '#testing/callback-fixture.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { longestTickMs } from '#testing/longest-tick.ts';
import { pngWith } from '#testing/sample-picture.ts';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';

/** How long one request may hold up all others, in milliseconds of processor time. */
const mostMs = 50;

const [kiB, miB] = [1024, 1024 * 1024];

/** As much of a repeated text as fits into so many bytes. */
const filled = (text: string, { bytes, begin = '' }: { bytes: number; begin?: string }) =>
  begin + text.repeat(Math.floor((bytes - begin.length) / text.length));
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));

type Input = { method?: string; path: string; body: string; type?: string };

describe('the event loop', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  /** The longest tick of the event loop during such a request: the least of up to eight, so that code which runs for the first time, and a busy machine, do not count. */
  async function tickOf({ method = 'POST', path, body, type = 'application/json' }: Input): Promise<number> {
    const request = {
      method,
      body: Buffer.from(body),
      headers: { 'content-type': type, cookie: dana.cookie, origin: cuebird.url, 'x-workspace-id': workspace },
    };
    const send = async () => {
      const response = await fetch(new URL(path, cuebird.url), request);
      expect(response.status).toBeLessThan(500);
      await response.arrayBuffer();
    };
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 8 && least >= mostMs; run += 1) least = Math.min(least, await longestTickMs(send));
    return least;
  }

  const reminderWith = (fields: object) => JSON.stringify({ ...sampleReminder, ...fields });
  const messageOf = (message: string) => reminderWith({ content: { ...sampleReminder.content, message } });
  const preview = (body: string, values = {}) =>
    JSON.stringify({ content: { ...sampleTemplate.content, body }, values });
  const picture = (type: string, bytes: Buffer) =>
    JSON.stringify({ picture: `data:image/${type};base64,${bytes.toString('base64')}` });

  it.each<[string, Input]>([
    ['many values', { path: '/api/reminders', body: reminderWith({ x: times(19_000, () => 1) }) }],
    ['a long text', { path: '/api/reminders', body: reminderWith({ name: filled('\\', { bytes: 0.5 * miB - kiB }) }) }],
    ['escapes', { path: '/api/reminders', body: `{"name":"${filled('\\u0041', { bytes: miB - kiB })}"}` }],
    ['nested lists', { path: '/api/reminders', body: filled('[', { bytes: miB }) }],
    [
      'recipients',
      {
        path: '/api/reminders',
        body: reminderWith({
          content: { ...sampleReminder.content, recipients: times(9_900, (at) => `a${at}@example.com`) },
        }),
      },
    ],
    [
      'unknown names',
      { path: '/api/reminders', body: JSON.stringify(Object.fromEntries(times(19_900, (at) => [`name${at}`, 1]))) },
    ],
    ['JSON to sign in', { path: '/api/auth/sign-in/email', body: filled('[', { bytes: miB }) }],
  ])('is free for others while JSON is read: %s', async (_, input) => {
    expect(await tickOf(input)).toBeLessThan(mostMs);
  });

  const head = (columns: number) => `Name,Email,${times(columns - 2, (at) => `v${at}`).join(',')}\n`;

  it.each([
    [
      'ten thousand lines',
      `Name,Email,Note\n${times(10_000, (at) => `Ann,a${at}@example.com,${'x'.repeat(170)}`).join('\n')}`,
    ],
    ['cells without a value', filled(`${','.repeat(199)}\n`, { bytes: 1_990_000, begin: head(200) })],
    ['cells', filled(`${'a,'.repeat(50)}a\n`, { bytes: 990_000, begin: head(51) })],
    ['line feeds', filled('\n', { bytes: 1_990_000, begin: head(2) })],
    ['carriage returns', filled('\r', { bytes: 1_990_000, begin: head(2) })],
    ['quotation marks in a cell', filled('""', { bytes: 1_990_000, begin: `${head(2)}"` })],
    ['misplaced quotation marks', filled('"a"b', { bytes: 1_990_000, begin: head(2) })],
    ['quotation marks and blanks', filled('" ', { bytes: 1_990_000, begin: `${head(2)}"` })],
    ['quoted cells', filled('"""a",\n', { bytes: 1_990_000, begin: head(2) })],
    ['formulas', filled(";'''=", { bytes: 1_990_000, begin: `${head(2)}a,` })],
    ['apostrophes', filled("'", { bytes: 1_990_000, begin: `${head(2)}a,` })],
    ['tags', filled('a;', { bytes: 1_990_000, begin: 'Email,Tags\na@example.com,"' })],
  ])('is free for others while a file of contacts is read: %s', async (_, csv) => {
    const body = JSON.stringify({ mode: 'preview', csv });
    expect(await tickOf({ path: '/api/contacts/import', body })).toBeLessThan(mostMs);
  });

  const ref = (at: number) => `019a9d3e-0000-7000-8000-${String(at).padStart(12, '0')}`;
  const file = (sections: object) => JSON.stringify({ format: 'cuebird-workspace', version: 1, ...sections });

  it.each<[string, () => string]>([
    ['reminders', () => file({ reminders: times(10_000, (at) => ({ ...sampleReminder, ref: ref(at) })) })],
    ['values', () => file({ contacts: times(590, () => times(1_000, () => 1)) })],
    ['unknown settings', () => file({ workspace: Object.fromEntries(times(290_000, (at) => [`name${at}`, 1])) })],
    ['a long text', () => file({ name: 'ä'.repeat(5 * miB - kiB) })],
    ['escapes', () => `{"name":"${filled('\\u0041', { bytes: 10 * miB - kiB })}"}`],
    ['a long name', () => `{"${filled('\\u0041', { bytes: 10 * miB - kiB })}":1}`],
  ])(
    'is free for others while the file of a workspace is read: %s',
    async (_, body) => {
      const path = `/api/workspaces/${workspace}/import?mode=preview`;
      expect(await tickOf({ path, body: body() })).toBeLessThan(mostMs);
    },
    60_000,
  );

  it.each([
    ['opening brackets', '['],
    ['emphasis', '*a_ '],
    ['quotes', '> '],
    ['lists', '- '],
    ['paragraphs', 'a\n\n'],
    ['links', '[a](http://b.example) '],
    ['addresses', 'http://a.example/ '],
    ['code', '`a``'],
    ['variables', '{{a}}'],
    ['conditions', '{% if a %}'],
    ['braces', '{'],
    ['braces and blanks', '{{ '],
    ['filters', '{{a|b:c}}'],
  ])('is free for others while a message of %s is previewed and stored', async (_, text) => {
    const message = filled(text, { bytes: 99_000 });
    const values = { a: 'x'.repeat(2_000) };
    expect(await tickOf({ path: '/api/templates/preview', body: preview(message, values) })).toBeLessThan(mostMs);
    expect(await tickOf({ path: '/api/reminders', body: messageOf(message) })).toBeLessThan(mostMs);
  });

  it('is free for others while a template without an end is filled in', async () => {
    const loop = '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}';
    expect(await tickOf({ path: '/api/templates/preview', body: preview(loop) })).toBeLessThan(mostMs);
  });

  it('is free for others while a calendar is read', async () => {
    const event = 'BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20300101T000000Z\r\nRRULE:FREQ=SECONDLY\r\nEND:VEVENT\r\n';
    const text = filled(event, { bytes: 1_000_000, begin: 'BEGIN:VCALENDAR\r\n' });
    const rules = { timezone: 'UTC', offsets: [{ amount: 1, unit: 'days' }], all_day_time: '09:00' };
    const body = JSON.stringify({ ...rules, file: { name: 'a.ics', text } });
    expect(await tickOf({ path: '/api/calendar-sources/preview', body })).toBeLessThan(mostMs);
  }, 30_000);

  it.each([
    ['a PNG of many chunks', picture('png', pngWith([['IHDR', Buffer.alloc(13, 1)], ...times(21_000, emptyChunk)]))],
    ['a JPEG of many segments', picture('jpeg', ofSegments('\xff\xd8', '\xff\xfe\0\x02'))],
    ['a WebP of many chunks', picture('webp', ofSegments('RIFF\xf8\xff\x03\0WEBP', 'EXIF\0\0\0\0'))],
  ])('is free for others while %s is read', async (_, body) => {
    expect(await tickOf({ method: 'PUT', path: '/api/profile/picture', body })).toBeLessThan(mostMs);
  });

  describe('while a callback is read that nobody has signed', () => {
    const names = (count: number) => times(count, (at) => `k${at}`);
    const form = 'application/x-www-form-urlencoded';
    const channels = {
      twilio: { type: 'sms', configuration: twilio },
      nexmo: { type: 'sms', configuration: { ...twilio, provider: 'nexmo', signature_secret: 's'.repeat(20) } },
      smtp: {
        type: 'email',
        configuration: { smtp_host: '127.0.0.1', smtp_port: 2, username: 'a@elm.example', use_tls: false },
      },
    };

    it.each<[string, keyof typeof channels, Omit<Input, 'path'>]>([
      ['Twilio: names', 'twilio', { body: names(350_000).join('&'), type: form }],
      ['Twilio: few names in few bytes', 'twilio', { body: names(10_000).join('&'), type: form }],
      ['Vonage: names', 'nexmo', { body: names(350_000).join('&'), type: form }],
      ['Vonage: JSON', 'nexmo', { body: JSON.stringify(Object.fromEntries(names(200_000).map((name) => [name, 1]))) }],
      ['a mail of line breaks', 'smtp', { body: filled('\n', { bytes: 3 * miB }), type: 'message/rfc822' }],
      ['a mail in a form', 'smtp', { body: filled('%0A', { bytes: 3 * miB, begin: 'raw=' }), type: form }],
      [
        'a form of many parts',
        'smtp',
        { body: filled('--b\r\n\r\n', { bytes: 3 * miB }), type: 'multipart/form-data; boundary=b' },
      ],
      [
        'a form with 100,000 fields in the header of a part',
        'smtp',
        {
          body: `--b\r\n${Array.from({ length: 100_000 }, (_, n) => `h${n}: ${'x'.repeat(20)}`).join('\r\n')}`,
          type: 'multipart/form-data; boundary=b',
        },
      ],
      [
        'a form with 250 parameters in each part',
        'smtp',
        {
          body: filled(`--b\r\ncontent-disposition: form-data${';a=b'.repeat(250)}\r\n\r\nx\r\n`, { bytes: 3 * miB }),
          type: 'multipart/form-data; boundary=b',
        },
      ],
    ])('is free for others: %s', async (_, name, input) => {
      const body = { name: 'Office', ...channels[name] };
      const { json } = await dana.call('POST', '/api/channels', { workspace, body });
      expect(await tickOf({ path: json.callback_url, ...input })).toBeLessThan(mostMs);
    });
  });
});

const emptyChunk = () => ['tEXt', Buffer.alloc(0)] as const;

const ofSegments = (begin: string, segment: string) =>
  Buffer.from(filled(segment, { bytes: 260_000, begin }), 'latin1');
