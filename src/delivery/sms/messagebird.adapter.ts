import { z } from 'zod';
import type { Adapter, Callback, CallbackAnswer, Envelope, Network, Report } from '#delivery/adapter.ts';
import {
  type Answered,
  apiRequest,
  jsonIn,
  notUnderstood,
  outcomeOfRequest,
  refusal,
  refused,
  verifyByRequest,
} from '#delivery/answer.ts';
import { callbackUrlFor, instantIn, parametersOf } from '#delivery/callback.ts';
import { messageBirdHeaders, messageBirdReason } from '#delivery/messagebird/messagebird.answer.ts';
import { signingKeyField } from '#delivery/messagebird/messagebird.fields.ts';
import { messageBirdSignatureProblem } from '#delivery/messagebird/messagebird.signature.ts';
import { optOutIn } from '#delivery/opt-out.ts';
import { e164, notANumber } from '#delivery/phone.ts';
import { incomplete, Optional, OptionalKey, phoneProvider } from '#delivery/provider.config.ts';
import type { Outcome } from '#domain/outcome.ts';
import { inSegments, segmentsOf } from '#domain/sms-segments.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { smsFields } from './sms.fields.ts';

const api = 'https://rest.messagebird.com';

const Config = z.object({
  ...phoneProvider(api),
  from_number: Optional,
  signing_key: OptionalKey,
});
type Config = z.output<typeof Config>;

const maxSegments = 9;

/** MessageBird's SMS API (developers.messagebird.com/api/sms-messaging). */
export const adapter: Adapter<Config> = {
  type: 'sms',
  provider: 'messagebird',
  title: 'MessageBird',
  rank: 3,
  shape: Config,
  secretFields: ['api_key', 'signing_key'],
  destinationFields: ['base_url'],
  fields: smsFields(
    api,
    {
      api_key: { help: 'A live access key' },
      from_number: { placeholder: '+1234567890', help: 'A number or a name of at most 11 letters and digits' },
    },
    [signingKeyField],
  ),
  destinationOf: (_, config) => config.base_url,
  async send(envelope, { config, network }) {
    const to = e164(envelope.recipient, config);
    if (to === null) return refused(notANumber(envelope.recipient), 'unfit_address');
    if (config.from_number === undefined)
      return refused(`${incomplete}: MessageBird needs a sender (From Number)`, 'no_channel');
    const { segments } = segmentsOf(envelope.message);
    if (segments > maxSegments)
      return refused(`The message takes ${segments} segments; MessageBird sends ${maxSegments}`, 'too_large');
    const request = requestFor(envelope, { to, config, network });
    return outcomeOfRequest(request, {
      network,
      read: (answer) => outcomeOf(answer, { envelope, now: network.now() }),
    });
  },
  verify(config, network) {
    return verifyByRequest(apiRequest(`${config.base_url}/balance`, { headers: messageBirdHeaders(config) }), {
      network,
      read(answer) {
        const balance = jsonIn(answer, z.object({ amount: z.number(), type: z.string() }));
        return answer.status === 200 && balance !== null
          ? { success: true, message: `Connected to MessageBird; the balance is ${balance.amount} ${balance.type}` }
          : { success: false, message: messageBirdReason(answer) };
      },
    });
  },
  parseCallback,
};

/** MessageBird writes numbers without the plus. */
const bare = (number: string) => number.replace(/^\+/, '');

function requestFor(
  envelope: Envelope,
  { to, config, network }: { to: string; config: Config; network: Network },
): HttpRequest {
  const from = config.from_number ?? '';
  const reportUrl =
    config.signing_key === undefined ? undefined : callbackUrlFor({ provider: 'messagebird', config, network });
  return apiRequest(`${config.base_url}/messages`, {
    headers: messageBirdHeaders(config),
    body: {
      originator: bare(e164(from) ?? from),
      recipients: [bare(to)],
      body: envelope.message,
      datacoding: segmentsOf(envelope.message).encoding === 'UCS-2' ? 'unicode' : 'plain',
      // MessageBird reports only on messages with a reference.
      reference: envelope.delivery_id,
      reportUrl,
    },
  });
}

const Created = z.object({
  id: z.string().min(1),
  recipients: z.object({ items: z.array(z.object({ status: z.string() })).default([]) }).optional(),
});

function outcomeOf(answer: Answered, { envelope, now }: { envelope: Envelope; now: Temporal.Instant }): Outcome {
  if (answer.status >= 300) return refusal(answer, { reason: messageBirdReason(answer), now });
  const created = jsonIn(answer, Created);
  if (created === null) return notUnderstood(answer);
  const status = created.recipients?.items[0]?.status ?? 'sent';
  if (status === 'delivery_failed') return refused('MessageBird: delivery failed');
  const segments = inSegments(segmentsOf(envelope.message));
  return { outcome: 'accepted', receipt: created.id, answer: `HTTP ${answer.status}: ${status} (${segments})` };
}

/** A status report, which is a GET, or an incoming message. */
function parseCallback(callback: Callback, { config, now }: { config: Config; now: Temporal.Instant }): CallbackAnswer {
  const problem = messageBirdSignatureProblem(callback, { signingKey: config.signing_key, now });
  if (problem !== null) return { kind: 'refused', reason: problem };
  return { kind: 'reports', reports: reportsIn(parametersOf(callback)) };
}

function reportsIn(parameters: URLSearchParams): Report[] {
  const status = parameters.get('status');
  const id = parameters.get('id') ?? '';
  const deliveryId = parameters.get('reference') ?? undefined;
  if (status === 'delivered') return [{ kind: 'delivered', id, deliveryId }];
  if (status === 'delivery_failed' || status === 'expired')
    return [{ kind: 'failed', id, deliveryId, reason: failureInWords(status, parameters) }];
  if (status !== null) return [];
  const said = optOutIn(parameters.get('body') ?? parameters.get('payload') ?? '');
  const sender = parameters.get('originator') ?? '';
  const sentAt = instantIn(parameters.get('createdDatetime'));
  return said === null || sender === ''
    ? []
    : [{ kind: said, sender: `+${bare(sender)}`, messageId: id || null, sentAt }];
}

function failureInWords(status: string, parameters: URLSearchParams): string {
  const code = parameters.get('statusErrorCode') ?? '';
  const why = parameters.get('statusReason') ?? '';
  const words = status === 'expired' ? 'the message expired' : 'the message could not be delivered';
  return `MessageBird${code ? ` ${code}` : ''}: ${words}${why ? ` (${why})` : ''}`;
}
