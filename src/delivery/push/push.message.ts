import webPush from 'web-push';
import type { Envelope } from '#delivery/adapter.ts';
import { apiTimeoutMs } from '#delivery/answer.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import type { Device } from './devices.ts';

/** The installation's key pair, and the contact for push services (RFC 8292). */
export type PushSender = { public_key: string; private_key: string; subject: string };

/** How long a push service keeps a message that it cannot deliver. A reminder of yesterday is useless. */
const keptSeconds = 86_400;

/**
 * Builds the encrypted, signed request for one browser (RFC 8030, 8291, 8292). The topic is the delivery id: of two
 * waiting messages the later replaces the earlier. The tag does the same for one that is already shown.
 * @throws Error when the browser's keys are invalid
 */
export function pushRequest(
  envelope: Envelope,
  { device, sender }: { device: Device; sender: PushSender },
): HttpRequest {
  const { endpoint, headers, body } = webPush.generateRequestDetails(device, payloadOf(envelope), {
    vapidDetails: { subject: sender.subject, publicKey: sender.public_key, privateKey: sender.private_key },
    TTL: keptSeconds,
    urgency: 'high',
    topic: envelope.delivery_id.replaceAll('-', ''),
  });
  const sent = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  return {
    url: endpoint,
    method: 'POST',
    headers: [...sent.flatMap(([name, value]) => [name.toLowerCase(), String(value)]), 'user-agent', 'Cuebird'],
    body,
    timeoutMs: apiTimeoutMs,
  };
}

/** The minimum that push services accept, without the encryption's own 103 bytes (RFC 8030, section 7.2). */
const maxBytes = 4_096 - 103;

const titleOf = ({ subject, name }: Envelope) => (subject || name).slice(0, 200);

/** The message as it is shown in the ledger. */
export const shownPush = (envelope: Envelope) => ({ title: titleOf(envelope), text: envelope.message });

/** What the service worker shows. A text that is too long is cut, as every browser would do. */
function payloadOf(envelope: Envelope): string {
  const { delivery_id: tag, workspace_id, reminder_id, message } = envelope;
  // Null for the test of a browser, which has no job.
  const job_id = envelope.is_test && reminder_id === null ? null : envelope.job_id;
  const title = titleOf(envelope);
  const written = (body: string) => JSON.stringify({ title, body, tag, workspace_id, reminder_id, job_id });
  const characters = Array.from(message);
  for (let length = characters.length; ; length = Math.floor(length * 0.9)) {
    const body = length === characters.length ? message : `${characters.slice(0, length).join('')}…`;
    const payload = written(body);
    if (Buffer.byteLength(payload) <= maxBytes) return payload;
  }
}
