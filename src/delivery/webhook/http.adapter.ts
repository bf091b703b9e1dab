import { SigningSecret } from '#contract/signing-secret.ts';
import type { Adapter, Envelope } from '#delivery/adapter.ts';
import { type Answered, headerOf, inWords, outcomeOfRequest, refusal, refused } from '#delivery/answer.ts';
import type { Outcome } from '#domain/outcome.ts';
import { WebhookConfig } from './webhook.config.ts';
import { webhookFields } from './webhook.fields.ts';
import { originWithoutSecrets, requestFor, shownRequest } from './webhook.message.ts';

/**
 * HTTP requests signed by Standard Webhooks. The `webhook-id` is the same for every attempt, so that receivers
 * recognise a duplicate.
 */
export const adapter: Adapter<WebhookConfig> = {
  type: 'webhook',
  provider: 'http',
  title: 'HTTP request',
  shape: WebhookConfig,
  // Custom headers often hold tokens.
  secretFields: ['secret', 'headers'],
  destinationFields: ['url', 'trusted_origins'],
  newSecrets: { secret: SigningSecret(500) },
  fields: webhookFields,
  hasAddresses: true,
  destinationOf: (recipient, { url }) => originOf(/^https?:/i.test(recipient) ? recipient : (url ?? '')),
  async send(envelope, { config, network }) {
    const now = network.now();
    const request = requestFor(envelope, { config, nowMs: now.epochMilliseconds });
    if (!request) return refused('This webhook channel has no URL', 'no_channel');
    const bare = originWithoutSecrets(request.url, config);
    return outcomeOfRequest(request, { network, read: (answer) => outcomeOf(answer, { envelope, now, bare }) });
  },
  show(envelope, { config, now }) {
    const request = requestFor(envelope, { config, nowMs: now.epochMilliseconds });
    return request && shownRequest(request, config);
  },
};

/** The text before the path, without the cost of a parser: it only has to be the same for the same host. */
function originOf(url: string): string {
  const pathAt = url.indexOf('/', 8);
  return pathAt === -1 ? url : url.slice(0, pathAt);
}

type Asked = { envelope: Envelope; now: Temporal.Instant; bare: string | null };

function outcomeOf(answer: Answered, { envelope, now, bare }: Asked): Outcome {
  const { status } = answer;
  const words = inWords(answer);
  if (status < 300) return { outcome: 'accepted', receipt: receiptIn(answer) ?? envelope.delivery_id, answer: words };
  if (status < 400) return refused(`HTTP ${status}: redirects are not followed`);
  // The receiver's answer is shown only to members who may configure the channel, the reason to all members.
  const reason = bare === null ? `HTTP ${status}` : `HTTP ${status} (${withoutSecrets(bare)})`;
  return { ...refusal(answer, { reason, now }), answer: words };
}

const withoutSecrets = (origin: string) =>
  `sent without the channel's headers and signature: this is not the channel's own address, and ${origin} is not a trusted origin of it`;

function receiptIn(answer: Answered): string | undefined {
  return (headerOf(answer, 'webhook-id') ?? headerOf(answer, 'x-request-id'))?.slice(0, 200);
}
