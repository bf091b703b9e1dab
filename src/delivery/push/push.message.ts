import webPush from 'web-push';
import type { Envelope } from '#delivery/adapter.ts';
import { apiTimeoutMs } from '#delivery/answer.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import type { Device } from './devices.ts';

/** The installation's key pair and whom push services may ask about it (RFC 8292). */
export type PushSender = { public_key: string; private_key: string; subject: string };

/** A push service keeps what it cannot bring for this long; a reminder of yesterday is of no use. */
const keptSeconds = 86_400;

/**
 * The encrypted, signed request for one browser (RFC 8030, 8291, 8292). The topic is the delivery: of two that wait, the
 * later replaces the earlier; the tag does the same with what is shown already.
 * @throws Error where the browser's keys are none
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

/** What push services take at the least, without the encryption's own 103 bytes (RFC 8030, section 7.2). */
const maxBytes = 4_096 - 103;

const titleOf = ({ subject, name }: Envelope) => (subject || name).slice(0, 200);

/** For those who look at it later. */
export const shownPush = (envelope: Envelope) => ({ title: titleOf(envelope), text: envelope.message });

/** What the service worker shows; a message that is too long is cut, as every browser would in showing it. */
function payloadOf(envelope: Envelope): string {
  const { delivery_id: tag, reminder_id, job_id, message } = envelope;
  const title = titleOf(envelope);
  const written = (body: string) => JSON.stringify({ title, body, tag, reminder_id, job_id });
  const characters = Array.from(message);
  for (let length = characters.length; ; length = Math.floor(length * 0.9)) {
    const body = length === characters.length ? message : `${characters.slice(0, length).join('')}…`;
    const payload = written(body);
    if (Buffer.byteLength(payload) <= maxBytes) return payload;
  }
}
