import type { HttpRequest } from '#platform/outbound/http.ts';

/** A request as it is written to the connection. */
export type RequestText = {
  content: string | Buffer;
  /** Of a string. */
  charset: 'latin1' | 'utf8';
  /** A server may take the body of a method that has none for the next request. */
  endsConnection: boolean;
};

/** What decides where a request ends, and which connection it travels on. */
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
    // A signature may name the host, which is written already.
    else if (name.toLowerCase() !== 'host' || value !== host) return null;
  }
  if (notInValues.test(values)) return null;
  head += length > 0 || hasBody ? `content-length: ${length}\r\n\r\n` : '\r\n';
  return { ...joined(head, { body, length }), endsConnection };
}

const allowedNames = new Set<string>();
/** The most names, and the most characters of one, that are kept. */
const mostNames = 500;
const longestName = 100;

/** Whether a header of this name is valid, and is not ours to set. Nearly all requests have the same few names. */
function isAllowed(name: string): boolean {
  if (allowedNames.has(name)) return true;
  if (!token.test(name) || reserved.test(name)) return false;
  if (allowedNames.size < mostNames && name.length <= longestName) allowedNames.add(name);
  return true;
}

/** One string where it can be: the head is Latin-1, the body UTF-8, and both mostly ASCII. */
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
