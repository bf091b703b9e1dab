import type { HttpRequest } from '#platform/outbound/http.ts';

/** A request as it is written to the connection. */
export type RequestText = {
  content: string | Buffer;
  /** The encoding of `text`, where it is a string. */
  charset: 'latin1' | 'utf8';
  /** Whether the connection ends with this request: a server may read the body of a method that has none as the next request. */
  endsConnection: boolean;
};

/** Headers that decide where a request ends, or which connection it uses. */
const reserved =
  /^(?:connection|content-length|expect|host|http2-settings|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const notInValues = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Writes a request (RFC 9112, 3). Null where a name or value would break it, or is ours to set.
 * @param host with the port where it is not the usual one
 * @param path of a parsed URL, with its query
 */
export function requestText(
  { method, headers, body = '' }: Pick<HttpRequest, 'method' | 'headers' | 'body'>,
  { host, path }: { host: string; path: string },
): RequestText | null {
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const length = Buffer.byteLength(body);
  const endsConnection = length > 0 && !hasBody;
  const connection = endsConnection ? 'close' : 'keep-alive';
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: ${connection}\r\n`;
  let values = '';
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    const value = headers[at + 1];
    if (value === undefined) return null;
    values += value;
    if (isAllowed(name)) head += `${name}: ${value}\r\n`;
    // A `host` header is accepted if it equals the one that is written: signatures may require it.
    else if (name.toLowerCase() !== 'host' || value !== host) return null;
  }
  if (notInValues.test(values)) return null;
  head += length > 0 || hasBody ? `content-length: ${length}\r\n\r\n` : '\r\n';
  return { ...joined(head, { body, length }), endsConnection };
}

const allowedNames = new Set<string>();
/** The most header names that are cached, and the most characters of one. */
const mostNames = 500;
const longestName = 100;

/** Whether a header with this name is valid and may be set by callers. Cached: nearly all requests have the same few names. */
function isAllowed(name: string): boolean {
  if (allowedNames.has(name)) return true;
  if (!token.test(name) || reserved.test(name)) return false;
  if (allowedNames.size < mostNames && name.length <= longestName) allowedNames.add(name);
  return true;
}

/** One string where possible: the head is Latin-1 and the body UTF-8, but both are mostly ASCII. */
function joined(
  head: string,
  { body, length }: { body: string | Buffer; length: number },
): Pick<RequestText, 'content' | 'charset'> {
  if (typeof body === 'string') {
    if (length === body.length) return { content: head + body, charset: 'latin1' };
    if (!/[\x80-\xff]/.test(head)) return { content: head + body, charset: 'utf8' };
  }
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  return { content: Buffer.concat([Buffer.from(head, 'latin1'), bytes]), charset: 'latin1' };
}
