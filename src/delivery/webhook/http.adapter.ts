import type { Adapter, Envelope } from '#delivery/adapter.ts';
import { type Answered, headerOf, inWords, outcomeOfRequest, refusal, refused } from '#delivery/answer.ts';
import type { Outcome } from '#domain/outcome.ts';
import { WebhookConfig } from './webhook.config.ts';
import { fields } from './webhook.fields.ts';
import { requestFor, shownRequest } from './webhook.message.ts';

/** HTTP requests signed by Standard Webhooks. The `webhook-id` is the same for every attempt, so receivers can tell. */
export const adapter: Adapter<WebhookConfig> = {
  type: 'webhook',
  provider: 'http',
  title: 'HTTP request',
  shape: WebhookConfig,
  // Custom headers are where people put tokens.
  secretFields: ['secret', 'headers'],
  fields,
  destinationOf: (recipient, { url }) => originOf(/^https?:/i.test(recipient) ? recipient : (url ?? '')),
  async send(envelope, { config, network }) {
    const now = network.now();
    const request = requestFor(envelope, { config, nowMs: now.epochMilliseconds });
    if (!request) return refused('This webhook channel has no URL');
    return outcomeOfRequest(request, { network, read: (answer) => outcomeOf(answer, { envelope, now }) });
  },
  show(envelope, { config, now }) {
    const request = requestFor(envelope, { config, nowMs: now.epochMilliseconds });
    return request && shownRequest(request, config);
  },
};

/** Up to the path, without the cost of a parser: it only has to be the same for the same host. */
function originOf(url: string): string {
  const pathAt = url.indexOf('/', 8);
  return pathAt === -1 ? url : url.slice(0, pathAt);
}

function outcomeOf(answer: Answered, { envelope, now }: { envelope: Envelope; now: Temporal.Instant }): Outcome {
  const { status } = answer;
  const words = inWords(answer);
  if (status < 300) return { outcome: 'accepted', receipt: receiptIn(answer) ?? envelope.delivery_id, answer: words };
  if (status < 400) return refused(`HTTP ${status}: redirects are not followed`);
  // What its receiver says is shown to those who may configure it, and the reason to everybody.
  return { ...refusal(answer, { reason: `HTTP ${status}`, now }), answer: words };
}

function receiptIn(answer: Answered): string | undefined {
  return (headerOf(answer, 'webhook-id') ?? headerOf(answer, 'x-request-id'))?.slice(0, 200);
}
