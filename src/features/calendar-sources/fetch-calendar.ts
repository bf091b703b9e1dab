import { calendarSourceLimits } from '#contract/calendar-sources.ts';
import { hopsHeader } from '#contract/hops.ts';
import type { HttpAnswer, OutboundHttp } from '#platform/outbound/http.ts';

type Known = { etag: string | null; lastModified: string | null };

export type Fetched =
  | ({ kind: 'text'; text: string } & Known)
  | { kind: 'unchanged' }
  /** A sentence for people, which contains neither the address nor the server's answer. */
  | { kind: 'failed'; reason: string };

/** For all of it, redirects included. */
const timeoutMs = 20_000;
const mostRedirects = 3;

/**
 * Asks for a calendar, and follows redirects; the egress guard looks at each address.
 * @param known what the server said of its last answer: it need not send the same again
 */
export async function fetchCalendar(
  http: OutboundHttp,
  { url, known, workspaceId }: { url: string; known: Known | null; workspaceId: string },
): Promise<Fetched> {
  let address = url.replace(/^webcal:/i, 'https:');
  const untilMs = performance.now() + timeoutMs;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const answer = await http.request({
      url: address,
      method: 'GET',
      tenant: workspaceId,
      headers: headersOf(known),
      timeoutMs: untilMs - performance.now(),
      mostBytes: calendarSourceLimits.urlBytes,
    });
    if (answer.kind !== 'answer') return failed(reasonOf(answer));
    const location = headerOf(answer, 'location');
    if (![301, 302, 303, 307, 308].includes(answer.status) || location === null) return read(answer);
    const next = URL.parse(location, address);
    if (next === null) return failed('The server leads to an address that is none.');
    // A redirect must not lead from an encrypted connection to an unencrypted one.
    if (address.startsWith('https:') && next.protocol !== 'https:')
      return failed('The server leads from https to an address without encryption.');
    address = next.href;
  }
  return failed(`The server leads to another address more than ${mostRedirects} times.`);
}

function read(answer: Extract<HttpAnswer, { kind: 'answer' }>): Fetched {
  const { status, body, isComplete } = answer;
  if (status === 304) return { kind: 'unchanged' };
  if (status === 404 || status === 410) return failed(`The server has no calendar at this address (${status}).`);
  if (status === 401 || status === 403) return failed(`The server does not let Cuebird read the calendar (${status}).`);
  if (status !== 200) return failed(`The server answered ${status}.`);
  if (!isComplete) return failed('The calendar is larger than 5 MB, or its end did not arrive.');
  const encoding = headerOf(answer, 'content-encoding');
  if (encoding !== null && encoding !== 'identity') return failed('The server sends the calendar compressed, unasked.');
  return { kind: 'text', text: body, etag: shortOf(answer, 'etag'), lastModified: shortOf(answer, 'last-modified') };
}

const failed = (reason: string): Fetched => ({ kind: 'failed', reason });

function reasonOf(answer: Exclude<HttpAnswer, { kind: 'answer' }>): string {
  switch (answer.kind) {
    case 'refused':
      return answer.reason;
    case 'not_sent':
      return `The server cannot be reached: ${answer.reason}`;
    case 'lost':
      return `The connection was lost: ${answer.reason}`;
    default:
      return answer satisfies never;
  }
}

const headersOf = (known: Known | null): string[] => [
  'accept',
  'text/calendar, */*;q=0.5',
  'accept-encoding',
  'identity',
  'user-agent',
  'Cuebird',
  hopsHeader,
  '1',
  ...(known?.etag ? ['if-none-match', known.etag] : []),
  ...(known?.lastModified ? ['if-modified-since', known.lastModified] : []),
];

function headerOf({ headers }: Extract<HttpAnswer, { kind: 'answer' }>, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** A validator of the answer, unless it is too long to be sent back. */
function shortOf(answer: Extract<HttpAnswer, { kind: 'answer' }>, name: string): string | null {
  const value = headerOf(answer, name);
  return value !== null && value.length <= 500 ? value : null;
}
