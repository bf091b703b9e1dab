import type { IncomingMessage } from 'node:http';

/** A complete request to the sandbox. */
export type Call = {
  method: string;
  /** The path and query of the request line. */
  target: string;
  path: string;
  query: URLSearchParams;
  /** The headers by lower-case name; repeated ones are joined by commas. */
  headers: Readonly<Record<string, string>>;
  /** The first MiB of the body. */
  body: Buffer;
  /** The size of the whole body. */
  size: number;
  now: Temporal.Instant;
};

/** The sandbox's response. */
export type Answer = { status: number; headers: Readonly<Record<string, string>>; body: string };

const bodyLimit = 1024 * 1024;

/** Reads a request to its end. Rejects when the connection breaks. */
export async function readCall(request: IncomingMessage, now: () => Temporal.Instant): Promise<Call> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (size < bodyLimit) chunks.push(chunk.subarray(0, bodyLimit - size));
    size += chunk.length;
  }
  const target = request.url ?? '/';
  const url = URL.parse(target, 'http://sandbox') ?? new URL('http://sandbox/');
  const headers = Object.entries(request.headersDistinct).map(([name, values]) => [name, values?.join(', ') ?? '']);
  return {
    method: request.method ?? '',
    target,
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks),
    size,
    now: now(),
  };
}

/** The fields of a form; null when the content type is not a form. */
export function formOf({ headers, body }: Call): URLSearchParams | null {
  return mediaTypeOf(headers) === 'application/x-www-form-urlencoded' ? new URLSearchParams(body.toString()) : null;
}

/** The parsed JSON of a request; undefined for another content type or invalid JSON. */
export function jsonOf({ headers, body }: Call): unknown {
  return mediaTypeOf(headers) === 'application/json' ? parseJson(body.toString()) : undefined;
}

/** The content type without its parameters. */
export const mediaTypeOf = (headers: Call['headers']) =>
  headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';

/** Parses JSON; undefined for invalid text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The user name and password of `Authorization: Basic`. */
export function basicAuthOf(headers: Call['headers']): { username: string; password: string } | null {
  const [, encoded] = /^basic ([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '') ?? [];
  const [, username, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  return username === undefined || password === undefined ? null : { username, password };
}

export function jsonAnswer(status: number, value: unknown, headers: Answer['headers'] = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

export function textAnswer(status: number, body: string, headers: Answer['headers'] = {}): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body };
}
