import type { Callback, CallbackAnswer } from '#delivery/adapter.ts';
import { readBounce } from './bounce.ts';
import { fieldValueOf, readMime } from './mime-reader.ts';

/** The fields in which providers post a raw mail: Mailgun, SendGrid and others. */
const rawFields = ['body-mime', 'email', 'message', 'raw'];

/**
 * Parses a mail to the return address, posted by a pipe (`message/rfc822`) or by a provider's route (a form field). Senders do not sign bounces: the
 * secret address of the channel authorises the request.
 */
export function parseBounceCallback({ method, headers, body }: Callback): CallbackAnswer {
  if (method === 'GET') return { kind: 'refused', reason: 'Send the mail unchanged, as message/rfc822' };
  return { kind: 'reports', reports: readBounce(mailIn(headers.get('content-type') ?? '', body)) };
}

function mailIn(contentType: string, body: Buffer): Buffer {
  switch (fieldValueOf(contentType).value) {
    case 'multipart/form-data':
      return mailInParts(contentType, body);
    case 'application/x-www-form-urlencoded':
      return mailInPairs(body);
    default:
      return body;
  }
}

/**
 * The most that the route takes of a body, with the mail among other fields. Mailgun and SendGrid send some twenty fields with two lines of header each;
 * 3 MB of base64 have 41,000 lines.
 */
const formBounds = { bytes: 3 * 1024 * 1024, lines: 50_000, fieldLines: 500, parts: 100, depth: 1 };

/** A form has the structure of a mail, with its boundary in the request's header (RFC 7578). */
function mailInParts(contentType: string, body: Buffer): Buffer {
  const head = Buffer.from(`content-type: ${contentType}\r\n\r\n`);
  const { parts } = readMime(Buffer.concat([head, body]), formBounds);
  const named = parts.map((part) => ({
    name: fieldValueOf(part.fields.get('content-disposition') ?? '').parameters.get('name'),
    body: part.body,
  }));
  return rawFields.flatMap((name) => named.find((part) => part.name === name)?.body ?? [])[0] ?? Buffer.alloc(0);
}

const mostPairs = 1_000;
/** As much as is read of a mail. */
const longestValue = 1024 * 1024;

function mailInPairs(body: Buffer): Buffer {
  const values = new Map<string, Buffer>();
  for (let [at, pairs] = [0, 0]; at < body.length && pairs < mostPairs; pairs += 1) {
    const found = body.indexOf('&', at);
    const end = found === -1 ? body.length : found;
    const equals = body.subarray(at, Math.min(end, at + longestName)).indexOf('=');
    const name = equals === -1 ? '' : body.toString('latin1', at, at + equals);
    if (rawFields.includes(name) && !values.has(name)) values.set(name, body.subarray(at + equals + 1, end));
    at = end + 1;
  }
  return fromPercent(rawFields.flatMap((name) => values.get(name) ?? [])[0] ?? Buffer.alloc(0));
}

const longestName = 20;

/** Decodes a form's value. A percent sign that encodes nothing stays as it is. */
function fromPercent(text: Buffer): Buffer {
  const bytes = Buffer.alloc(Math.min(text.length, longestValue));
  let length = 0;
  for (let at = 0; at < text.length && length < longestValue; at += 1) {
    const code = text[at] ?? 0;
    const decoded = code === percent ? 16 * hexOf(text[at + 1]) + hexOf(text[at + 2]) : -1;
    if (decoded >= 0) at += 2;
    bytes[length] = decoded >= 0 ? decoded : code === plus ? blank : code;
    length += 1;
  }
  return bytes.subarray(0, length);
}

const [percent, plus, blank] = [0x25, 0x2b, 0x20];

/** A number below -255 for what is no hexadecimal digit. */
function hexOf(code: number | undefined): number {
  if (code === undefined) return -1_000;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  // Capital letters, or small ones.
  const letter = code & ~0x20;
  return letter >= 0x41 && letter <= 0x46 ? letter - 0x37 : -1_000;
}
