import { z } from 'zod';
import type { Adapter, Envelope, Network } from '#delivery/adapter.ts';
import {
  type Answered,
  apiRequest,
  inWords,
  jsonIn,
  notUnderstood,
  outcomeOfRequest,
  refusal,
  refused,
  tooLong,
  verifyByRequest,
} from '#delivery/answer.ts';
import { callbackUrlFor } from '#delivery/callback.ts';
import { e164, notANumber } from '#delivery/phone.ts';
import { incomplete, Optional, OptionalKey, phoneProvider } from '#delivery/provider.config.ts';
import type { Outcome } from '#domain/outcome.ts';
import { inSegments, segmentsOf } from '#domain/sms-segments.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { parseVonageCallback, signatureMethods } from './nexmo.callback.ts';
import { smsFields } from './sms.fields.ts';

const api = 'https://rest.nexmo.com';

const Config = z.object({
  ...phoneProvider(api),
  api_secret: OptionalKey,
  from_number: Optional,
  signature_secret: OptionalKey,
  signature_method: z.enum(signatureMethods).default('md5hash'),
});
type Config = z.output<typeof Config>;

const maxCharacters = 3_200;

/** Vonage's SMS API, formerly Nexmo's (developer.vonage.com/api/sms). It answers refusals with 200, too. */
export const adapter: Adapter<Config> = {
  type: 'sms',
  provider: 'nexmo',
  title: 'Vonage (Nexmo)',
  rank: 4,
  shape: Config,
  secretFields: ['api_secret', 'signature_secret'],
  destinationFields: ['base_url'],
  fields: smsFields(api, { api_key: {}, api_secret: {}, from_number: { placeholder: '+1234567890' } }, [
    {
      name: 'signature_secret',
      label: 'Signature Secret',
      kind: 'password',
      required: false,
      help: 'With signed webhooks. Verifies delivery reports and STOP replies; without it they are refused',
    },
    {
      name: 'signature_method',
      label: 'Signature Method',
      kind: 'select',
      required: false,
      default: 'md5hash',
      options: signatureMethods.map((value) => ({ value, label: value })),
    },
  ]),
  destinationOf: (_, config) => config.base_url,
  async send(envelope, { config, network }) {
    const to = e164(envelope.recipient, config);
    if (to === null) return refused(notANumber(envelope.recipient), 'unfit_address');
    if (config.api_secret === undefined || config.from_number === undefined)
      return refused(`${incomplete}: Vonage needs an API secret and a sender`, 'no_channel');
    const refusedText = tooLong(envelope.message, { max: maxCharacters, by: 'Vonage' });
    if (refusedText !== null) return refusedText;
    const request = requestFor(envelope, { to, config, network });
    return outcomeOfRequest(request, {
      network,
      read: (answer) => outcomeOf(answer, { envelope, now: network.now() }),
    });
  },
  verify(config, network) {
    const query = new URLSearchParams({ api_key: config.api_key, api_secret: config.api_secret ?? '' });
    return verifyByRequest(apiRequest(`${config.base_url}/account/get-balance?${query}`), {
      network,
      read(answer) {
        const balance = answer.status === 200 ? jsonIn(answer, z.object({ value: z.number() })) : null;
        return balance === null
          ? { success: false, message: `Vonage: ${inWords(answer)}` }
          : { success: true, message: `Connected to Vonage; the balance is ${balance.value.toFixed(2)} EUR` };
      },
    });
  },
  parseCallback: (callback, { config }) => parseVonageCallback(callback, config),
};

/** Vonage writes numbers without the plus. */
const bare = (number: string) => number.replace(/^\+/, '');

function requestFor(
  envelope: Envelope,
  { to, config, network }: { to: string; config: Config; network: Network },
): HttpRequest {
  const from = config.from_number ?? '';
  const form = new URLSearchParams({
    api_key: config.api_key,
    api_secret: config.api_secret ?? '',
    to: bare(to),
    from: bare(e164(from) ?? from),
    text: envelope.message,
    type: segmentsOf(envelope.message).encoding === 'UCS-2' ? 'unicode' : 'text',
    'client-ref': envelope.delivery_id,
  });
  const callbackUrl = callbackUrlFor({ provider: 'nexmo', config, network });
  if (callbackUrl !== undefined && config.signature_secret !== undefined) form.set('callback', callbackUrl);
  return apiRequest(`${config.base_url}/sms/json`, { body: form });
}

/** The answer, with one entry for each segment. */
const Sent = z.object({
  messages: z
    .array(
      z.object({ status: z.coerce.string(), 'message-id': z.string().optional(), 'error-text': z.string().optional() }),
    )
    .min(1),
});

function outcomeOf(answer: Answered, { envelope, now }: { envelope: Envelope; now: Temporal.Instant }): Outcome {
  const sent = jsonIn(answer, Sent);
  if (sent === null)
    return answer.status >= 300
      ? refusal(answer, { reason: `Vonage: ${inWords(answer)}`, now })
      : notUnderstood(answer);
  const [first] = sent.messages;
  // If any segment was sent the message counts as sent: a retry would send that one again.
  const failed = first?.status === '0' ? undefined : first;
  if (failed !== undefined) {
    const reason = `Vonage ${failed.status}: ${failed['error-text'] ?? 'no reason given'}`;
    return refusal(answer, { reason, now, permanent: !temporary.has(failed.status) });
  }
  const receipt = first?.['message-id'];
  if (receipt === undefined) return notUnderstood(answer);
  const lost = sent.messages.filter(({ status }) => status !== '0').length;
  const words = `HTTP ${answer.status}: submitted (${inSegments(segmentsOf(envelope.message))})`;
  return { outcome: 'accepted', receipt, answer: lost === 0 ? words : `${words}, ${lost} of them refused` };
}

/** Throttled, internal error, too many connections (developer.vonage.com "SMS API error codes"). */
const temporary = new Set(['1', '5', '10']);
