/** The status line and the headers of an answer, with what they say about the body and the connection. */
export type AnswerHead = {
  status: number;
  /** The headers by lower-case name, as a list where a name occurs several times. */
  headers: Readonly<Record<string, string | string[]>>;
  /** The length of the body in bytes, or how its end is found. */
  body: number | 'chunked' | 'until the end';
  /** How long the connection may be idle and still be used again; 0 if it ends with this answer. */
  keepsForMs: number;
};

/** How long an idle connection is used: most servers close theirs after 5 s, and a request must not arrive just then. */
export const usualIdleMs = 4_000;
const longestIdleMs = 600_000;
/** Subtracted from the time that a server announces, for the request's way to it. */
const marginMs = 2_000;

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const notInValues = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Parses the text before the empty line (RFC 9112, 4 and 5), read as Latin-1. Null where it is malformed or says two
 * things about the body's length: such an answer may be somebody else's.
 */
export function parseHead(text: string): AnswerHead | null {
  const lineEnd = endOfLine(text, 0);
  const [, minor, status] = statusLine.exec(text.slice(0, lineEnd)) ?? [];
  if (status === undefined) return null;
  const headers: Record<string, string | string[]> = Object.create(null);
  let length: number | null = null;
  let encoding: string | null = null;
  let connection = '';
  for (let at = lineEnd + 2; at < text.length; ) {
    const end = endOfLine(text, at);
    const colon = text.indexOf(':', at);
    if (colon === -1 || colon >= end) return null;
    const written = text.slice(at, colon);
    const value = withoutBlanks(text, { from: colon + 1, to: end });
    if (!token.test(written) || notInValues.test(value)) return null;
    at = end + 2;
    const name = written.toLowerCase();
    addHeader(headers, { name, value });
    if (name === 'content-length') {
      if (length !== null || !/^\d{1,15}$/.test(value)) return null;
      length = Number(value);
    } else if (name === 'transfer-encoding') encoding = encoding === null ? value : `${encoding},${value}`;
    else if (name === 'connection') connection = connection === '' ? value : `${connection},${value}`;
  }
  if (length !== null && encoding !== null) return null;
  const body = bodyOf(Number(status), { length, encoding });
  if (body === null) return null;
  const isKept =
    body !== 'until the end' &&
    keepsConnection(connection, minor) &&
    !mayHaveMore(Number(status), { length, encoding });
  // An HTTP/1.0 server does not know chunks: some part on the way may have read the message otherwise (RFC 9112, 6.1).
  const isDoubtful = minor === '0' && encoding !== null;
  return {
    status: Number(status),
    headers,
    body,
    keepsForMs: isKept && !isDoubtful ? idleMs(headers['keep-alive']) : 0,
  };
}

/** Whether this line may be a trailer, which is checked like a header and then dropped. */
export function isHeaderLine(line: string): boolean {
  const colon = line.indexOf(':');
  return colon > 0 && token.test(line.slice(0, colon)) && !notInValues.test(line.slice(colon + 1));
}

type Framing = { length: number | null; encoding: string | null };

/** The body's length by RFC 9112, 6.3; null where the headers contradict each other. */
function bodyOf(status: number, { length, encoding }: Framing): AnswerHead['body'] | null {
  if (hasNoBody(status)) return 0;
  if (encoding === null) return length ?? 'until the end';
  const codings = listOf(encoding);
  const chunkedAt = codings.indexOf('chunked');
  if (chunkedAt === -1) return 'until the end';
  return chunkedAt === codings.length - 1 ? 'chunked' : null;
}

const hasNoBody = (status: number) => status < 200 || status === 204 || status === 304;

/** Whether bytes would follow an answer that has no body: they would be read as the next answer. */
const mayHaveMore = (status: number, { length, encoding }: Framing) =>
  hasNoBody(status) && ((length ?? 0) > 0 || encoding !== null);

function keepsConnection(connection: string, minor: string | undefined): boolean {
  if (connection === '') return minor === '1';
  const options = listOf(connection);
  return !options.includes('close') && (minor === '1' || options.includes('keep-alive'));
}

function idleMs(hint: string | string[] | undefined): number {
  if (hint === undefined) return usualIdleMs;
  const seconds = /timeout=(\d{1,9})/i.exec(String(hint))?.[1];
  return seconds === undefined ? usualIdleMs : Math.max(0, Math.min(Number(seconds) * 1000 - marginMs, longestIdleMs));
}

const listOf = (text: string) =>
  text
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\r\n', from);
  return end === -1 ? text.length : end;
}

/** Removes spaces and tabs around a value; other blanks of Latin-1 belong to it. */
function withoutBlanks(text: string, { from, to }: { from: number; to: number }): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isBlank = (code: number) => code === 0x20 || code === 0x09;

function addHeader(headers: Record<string, string | string[]>, { name, value }: { name: string; value: string }): void {
  const known = headers[name];
  if (known === undefined) headers[name] = value;
  else if (typeof known === 'string') headers[name] = [known, value];
  else known.push(value);
}
