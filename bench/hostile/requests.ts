/** A hostile request and its purpose. */
export type HostileRequest = {
  name: string;
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

const json = { 'content-type': 'application/json' };
const mebibyte = 1_048_576;

/** Fields that no schema contains, up to this many bytes. */
const unknownFields = (bytes: number) =>
  `{${Array.from({ length: Math.floor(bytes / 13) }, (_, at) => `"${at.toString(36).padStart(7, '_')}":1`).join(',')}}`;

const nested = (depth: number) => `{"name":${'['.repeat(depth)}1${']'.repeat(depth)}}`;

const loops = '{% for a in (1..9999) %}{% for b in (1..9999) %}{{ a | times: b }}{% endfor %}{% endfor %}';

const preview = (body: string) => JSON.stringify({ content: { subject: 'Rent', body, type: 'email' } });

const two = (figure: number) => String(figure).padStart(2, '0');

/** A calendar whose time zone lists 35,000 changes, with an event in each of 3,800 years. */
function zoneOfChanges(): string {
  const changes = Array.from({ length: 35_000 }, (_, at) => {
    const [year, month, day] = [1000 + ((at * 91) % 8_000), 1 + (at % 12), 1 + (at % 28)];
    return `${year}${two(month)}${two(day)}T${two(at % 24)}${two(at % 60)}00`;
  });
  const lists = Array.from({ length: 350 }, (_, at) => `RDATE:${changes.slice(at * 100, at * 100 + 100).join(',')}`);
  const zone = ['BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', ...lists];
  const events = Array.from({ length: 3_800 }, (_, at) => [
    'BEGIN:VEVENT',
    `UID:${at}`,
    startOf(1000 + at),
    'END:VEVENT',
  ]);
  const lines = ['BEGIN:VTIMEZONE', 'TZID:Ours', ...zone, 'END:STANDARD', 'END:VTIMEZONE', ...events.flat()];
  return ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n');
}

const startOf = (year: number) => `DTSTART;TZID=Ours:${year}0101T100000`;

const calendarPreview = (text: string) =>
  JSON.stringify({
    timezone: 'UTC',
    offsets: [{ amount: 1, unit: 'days' }],
    all_day_time: '09:00',
    file: { name: 'Ours', text },
  });

/** Requests to the address at which a mail server reports bounces of a channel. */
export const toCallback = (path: string): readonly HostileRequest[] => [
  {
    name: 'a bounce of line breaks',
    method: 'POST',
    path,
    headers: { 'content-type': 'message/rfc822' },
    body: '\n'.repeat(mebibyte),
  },
  {
    name: 'a bounce of many parts',
    method: 'POST',
    path,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: '--b\r\n\r\n'.repeat(mebibyte / 7),
  },
];

/** Requests that a client sends one after the other without waiting for an answer: some 64 KB. */
export const packet = 'GET /docs/operations HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_300);

/** Requests without credentials. */
export const fromStrangers: readonly HostileRequest[] = [
  { name: 'unknown fields', method: 'POST', path: '/api/reminders', headers: json, body: unknownFields(mebibyte) },
  {
    name: 'a large import',
    method: 'POST',
    path: '/api/contacts/import',
    headers: json,
    body: unknownFields(6 * mebibyte),
  },
  { name: 'nested lists', method: 'POST', path: '/api/channels', headers: json, body: nested(200_000) },
  {
    name: 'a long password',
    method: 'POST',
    path: '/api/auth/sign-in/email',
    headers: json,
    body: JSON.stringify({ email: 'dana@example.com', password: 'x'.repeat(60_000) }),
  },
  {
    name: 'a form for no hook',
    method: 'POST',
    path: '/api/hooks/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Array.from({ length: 12_000 }, (_, at) => `f${at}=`)
      .join('&')
      .slice(0, 64_000),
  },
  { name: 'a broken address', method: 'GET', path: '/api/unsubscribe/%0d%0a%00%e2%82' },
];

/** Requests of a member, whose workspace contains the largest rows. */
export const fromMembers: readonly HostileRequest[] = [
  { name: 'unknown fields', method: 'POST', path: '/api/reminders', headers: json, body: unknownFields(mebibyte) },
  { name: 'nested lists', method: 'POST', path: '/api/channels', headers: json, body: nested(200_000) },
  { name: 'nested loops', method: 'POST', path: '/api/templates/preview', headers: json, body: preview(loops) },
  {
    name: 'a large range, sorted',
    method: 'POST',
    path: '/api/templates/preview',
    headers: json,
    body: preview('{% assign all = (1..4000000) | reverse | sort | uniq | join: "," %}{{ all | size }}'),
  },
  {
    name: 'a placeholder and 99,000 letters',
    method: 'POST',
    path: '/api/templates/preview',
    headers: json,
    body: preview(`{{x}} ${'a'.repeat(99_000)}`),
  },
  {
    name: '1.9 million columns',
    method: 'POST',
    path: '/api/contacts/import',
    headers: json,
    body: JSON.stringify({ csv: `name${','.repeat(1_900_000)}\nDana`, mode: 'preview' }),
  },
  {
    name: 'a calendar with 35,000 changes of its zone',
    method: 'POST',
    path: '/api/calendar-sources/preview',
    headers: json,
    body: calendarPreview(zoneOfChanges()),
  },
  { name: 'the largest page', method: 'GET', path: '/api/reminders?limit=200' },
];
