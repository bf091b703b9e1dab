import { parentPort } from 'node:worker_threads';
import PostalMime, { decodeWords, type Email } from 'postal-mime';
import { storable } from './intake.ts';
import type { MailContent } from './mail-reader.ts';

/** The thread that parses mails. Texts and headers as the database can store them. */
parentPort?.on('message', async (raw: Uint8Array) => {
  const mail = await PostalMime.parse(raw, { maxNestingDepth: 16, maxHeadersSize: 256 * 1024 });
  const content: MailContent = {
    subject: storable(mail.subject ?? ''),
    text: storable(mail.text ?? ''),
    html: mail.html === undefined ? null : storable(mail.html),
    headers: headersOf(mail),
  };
  parentPort?.postMessage(content);
});
parentPort?.postMessage('ready');

const mostHeaders = 500;

/** Headers with several lines are joined; encoded words (RFC 2047) are decoded. */
function headersOf({ headers }: Email): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const { key, value } of headers.slice(0, mostHeaders)) {
    const text = storable(decodeWords(value));
    kept[key] = kept[key] === undefined ? text : `${kept[key]}, ${text}`;
  }
  return kept;
}
