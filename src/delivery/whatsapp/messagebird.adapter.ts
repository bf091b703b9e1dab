import { z } from 'zod';
import type { Adapter, Callback, CallbackAnswer, Report } from '#delivery/adapter.ts';
import {
  type Answered,
  apiRequest,
  jsonIn,
  notUnderstood,
  outcomeOfRequest,
  parseJson,
  refusal,
  refused,
  tooLong,
  verifyByRequest,
} from '#delivery/answer.ts';
import { callbackUrlFor, instantIn } from '#delivery/callback.ts';
import { messageBirdHeaders, messageBirdReason } from '#delivery/messagebird/messagebird.answer.ts';
import { signingKeyField } from '#delivery/messagebird/messagebird.fields.ts';
import { messageBirdSignatureProblem } from '#delivery/messagebird/messagebird.signature.ts';
import { optOutIn } from '#delivery/opt-out.ts';
import { e164, notANumber } from '#delivery/phone.ts';
import { incomplete, Optional, OptionalKey, phoneProvider } from '#delivery/provider.config.ts';
import type { Outcome } from '#domain/outcome.ts';
import { whatsAppFields } from './whatsapp.fields.ts';

const api = 'https://conversations.messagebird.com';

const Config = z.object({
  ...phoneProvider(api),
  phone_number_id: Optional,
  signing_key: OptionalKey,
});
type Config = z.output<typeof Config>;

const maxCharacters = 4_096;

/** WhatsApp through MessageBird's Conversations API (developers.messagebird.com/api/conversations). */
export const adapter: Adapter<Config> = {
  type: 'whatsapp',
  provider: 'messagebird',
  title: 'MessageBird',
  rank: 4,
  shape: Config,
  secretFields: ['api_key', 'signing_key'],
  destinationFields: ['base_url'],
  fields: whatsAppFields(
    api,
    {
      api_key: { help: 'A live access key' },
      phone_number_id: { placeholder: '619747f69cf940a98fb443140ce9aed2', help: 'The ID of the WhatsApp channel' },
    },
    [signingKeyField],
  ),
  destinationOf: (_, config) => config.base_url,
  async send(envelope, { config, network }) {
    const to = e164(envelope.recipient, config);
    if (to === null) return refused(notANumber(envelope.recipient), 'unfit_address');
    const from = config.phone_number_id;
    if (from === undefined)
      return refused(`${incomplete}: MessageBird needs a channel ID (Phone Number ID)`, 'no_channel');
    const refusedText = tooLong(envelope.message, { max: maxCharacters, by: 'WhatsApp' });
    if (refusedText !== null) return refusedText;
    const callbackUrl =
      config.signing_key === undefined ? undefined : callbackUrlFor({ provider: 'messagebird', config, network });
    const reportUrl = callbackUrl && `${callbackUrl}?delivery=${envelope.delivery_id}`;
    const request = apiRequest(`${config.base_url}/v1/send`, {
      headers: messageBirdHeaders(config),
      body: { to, from, type: 'text', content: { text: envelope.message }, reportUrl },
    });
    return outcomeOfRequest(request, { network, read: (answer) => outcomeOf(answer, network.now()) });
  },
  verify(config, network) {
    const request = apiRequest(`${config.base_url}/v1/conversations?limit=1`, { headers: messageBirdHeaders(config) });
    return verifyByRequest(request, {
      network,
      read: (answer) =>
        answer.status === 200
          ? { success: true, message: 'Connected to MessageBird' }
          : { success: false, message: messageBirdReason(answer) },
    });
  },
  parseCallback,
};

const Sent = z.object({ id: z.string().min(1), status: z.string().optional() });

function outcomeOf(answer: Answered, now: Temporal.Instant): Outcome {
  if (answer.status >= 300) return refusal(answer, { reason: messageBirdReason(answer), now });
  const sent = jsonIn(answer, Sent) ?? jsonIn(answer, z.object({ message: Sent }))?.message;
  if (sent === undefined) return notUnderstood(answer);
  if (sent.status === 'rejected' || sent.status === 'failed') return refused(`MessageBird: ${sent.status}`);
  return { outcome: 'accepted', receipt: sent.id, answer: `HTTP ${answer.status}: ${sent.status ?? 'accepted'}` };
}

const Reported = z.object({
  message: z.object({
    id: z.string(),
    status: z.string().optional(),
    direction: z.string().optional(),
    from: z.string().optional(),
    createdDatetime: z.string().optional(),
    content: z.object({ text: z.string() }).partial().optional(),
    error: z.object({ code: z.number(), description: z.string() }).partial().nullish(),
  }),
});

/** `message.updated` and `message.created` of the Conversations API. */
function parseCallback(callback: Callback, { config, now }: { config: Config; now: Temporal.Instant }): CallbackAnswer {
  const problem = messageBirdSignatureProblem(callback, { signingKey: config.signing_key, now });
  if (problem !== null) return { kind: 'refused', reason: problem };
  const parsed = Reported.safeParse(parseJson(callback.body.toString('utf8')));
  if (!parsed.success) return { kind: 'reports', reports: [] };
  const deliveryId = callback.url.searchParams.get('delivery') ?? undefined;
  return { kind: 'reports', reports: reportsOf(parsed.data, deliveryId) };
}

function reportsOf({ message }: z.output<typeof Reported>, deliveryId: string | undefined): Report[] {
  const { id, status, direction, from, createdDatetime, content, error } = message;
  if (direction === 'received') {
    const said = optOutIn(content?.text ?? '');
    const sentAt = instantIn(createdDatetime);
    return said === null || from === undefined
      ? []
      : [{ kind: said, sender: `+${from.replace(/^\+/, '')}`, messageId: id, sentAt }];
  }
  if (status === 'delivered' || status === 'read') return [{ kind: 'delivered', id, deliveryId }];
  if (status !== 'failed' && status !== 'rejected') return [];
  const code = error?.code === undefined ? '' : ` ${error.code}`;
  return [{ kind: 'failed', id, deliveryId, reason: `MessageBird${code}: ${error?.description ?? status}` }];
}
