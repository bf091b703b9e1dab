import type { Adapter, Envelope } from '#delivery/adapter.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { HttpAnswer } from '#platform/outbound/http.ts';
import { parseRetryAfter } from '#platform/outbound/retry-after.ts';
import { WebhookConfig } from './webhook.config.ts';
import { requestFor } from './webhook.message.ts';

/** HTTP requests signed by Standard Webhooks. The `webhook-id` is the same for every attempt, so receivers can tell. */
export const webhook: Adapter<WebhookConfig> = {
  type: 'webhook',
  provider: 'http',
  shape: WebhookConfig,
  // Custom headers are where people put tokens.
  secretFields: ['secret', 'headers'],
  destinationOf: (recipient, { url }) => originOf(/^https?:/i.test(recipient) ? recipient : (url ?? '')),
  async send(envelope, { config, network }) {
    const now = network.now();
    const request = requestFor(envelope, { config, nowMs: now.epochMilliseconds });
    if (!request) return { outcome: 'failed', permanent: true, reason: 'This webhook channel has no URL' };
    return outcomeOf(await network.http.request(request), { envelope, now });
  },
};

/** Up to the path, without the cost of a parser: it only has to be the same for the same host. */
function originOf(url: string): string {
  const pathAt = url.indexOf('/', 8);
  return pathAt === -1 ? url : url.slice(0, pathAt);
}

function outcomeOf(answer: HttpAnswer, about: { envelope: Envelope; now: Temporal.Instant }): Outcome {
  switch (answer.kind) {
    case 'answer':
      return outcomeOfStatus(answer, about);
    case 'not_sent':
      return { outcome: 'failed', permanent: false, reason: `Not sent: ${answer.reason}` };
    case 'refused':
      return { outcome: 'failed', permanent: true, reason: `Not sent: ${answer.reason}` };
    case 'lost':
      return { outcome: 'unknown', reason: `Sent, but not answered: ${answer.reason}` };
    default:
      return answer satisfies never;
  }
}

type Answered = Extract<HttpAnswer, { kind: 'answer' }>;

function outcomeOfStatus(answer: Answered, { envelope, now }: { envelope: Envelope; now: Temporal.Instant }): Outcome {
  const { status } = answer;
  const words = inWords(answer);
  if (status < 300) return { outcome: 'accepted', receipt: receiptIn(answer) ?? envelope.delivery_id, answer: words };
  if (status < 400) {
    return { outcome: 'failed', permanent: true, reason: `HTTP ${status}: redirects are not followed` };
  }
  if (status < 500 && !worthRetrying.has(status)) return { outcome: 'failed', permanent: true, reason: words };
  const retryAfterMs = parseRetryAfter(oneHeader(answer, 'retry-after'), now);
  return { outcome: 'failed', permanent: false, reason: words, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

// Timeout, conflict, too early, too many requests: the only refusals that say nothing about the request itself.
const worthRetrying = new Set([408, 409, 425, 429]);

function receiptIn(answer: Answered): string | undefined {
  return (oneHeader(answer, 'webhook-id') ?? oneHeader(answer, 'x-request-id'))?.slice(0, 200);
}

function inWords({ status, body }: Answered): string {
  const words = body.slice(0, 1_000).replace(/\s+/g, ' ').trim().slice(0, 500);
  return words ? `HTTP ${status}: ${words}` : `HTTP ${status}`;
}

function oneHeader({ headers }: Answered, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
