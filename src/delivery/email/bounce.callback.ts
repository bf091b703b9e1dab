import type { Callback, CallbackAnswer } from '#delivery/adapter.ts';
import { readBounce } from './bounce.ts';

/** The fields in which providers post a raw mail: Mailgun, SendGrid and others. */
const rawFields = ['body-mime', 'email', 'message', 'raw'];

/**
 * Parses a mail to the return address, posted by a pipe (`message/rfc822`) or by a provider's route (a form field). Senders do not sign bounces: the
 * secret address of the channel authorises the request.
 */
export async function parseBounceCallback({ method, headers, body }: Callback): Promise<CallbackAnswer> {
  if (method === 'GET') return { kind: 'refused', reason: 'Send the mail unchanged, as message/rfc822' };
  return { kind: 'reports', reports: await readBounce(await mailIn(headers.get('content-type') ?? '', body)) };
}

async function mailIn(contentType: string, body: Buffer): Promise<Buffer> {
  if (!/^(?:multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(contentType)) return body;
  try {
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
    const found = rawFields.map((name) => form.get(name)).find((value) => value !== null);
    return found instanceof File ? Buffer.from(await found.arrayBuffer()) : Buffer.from(found ?? '');
  } catch {
    return Buffer.alloc(0);
  }
}
