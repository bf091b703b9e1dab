import { parentPort } from 'node:worker_threads';
import PostalMime, { decodeWords, type Email } from 'postal-mime';
import { storable } from './intake.ts';
import type { MailContent } from './mail-reader.ts';

/** The thread that parses mails. A mail that cannot be parsed ends it. */
parentPort?.on('message', (raw: Uint8Array) => void contentOf(raw).then((content) => parentPort?.postMessage(content)));
parentPort?.postMessage('ready');

const mostHeaders = 500;

/** Texts and headers as the database can store them. */
async function contentOf(raw: Uint8Array): Promise<MailContent> {
  const mail = await PostalMime.parse(raw, { maxNestingDepth: 16, maxHeadersSize: 256 * 1024 });
  return {
    subject: storable(mail.subject ?? ''),
    text: storable(mail.text ?? ''),
    html: mail.html === undefined ? null : storable(mail.html),
    headers: headersOf(mail),
  };
}

/** Headers with several lines are joined; encoded words (RFC 2047) are decoded. */
function headersOf({ headers }: Email): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const { key, value } of headers.slice(0, mostHeaders)) {
    const text = storable(decodeWords(value));
    kept[key] = kept[key] === undefined ? text : `${kept[key]}, ${text}`;
  }
  return kept;
}
