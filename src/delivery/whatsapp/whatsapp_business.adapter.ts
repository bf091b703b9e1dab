import { z } from 'zod';
import { SharedSecret } from '#contract/signing-secret.ts';
import type { Adapter, Envelope, Verification } from '#delivery/adapter.ts';
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
import { e164, notANumber } from '#delivery/phone.ts';
import { incomplete, Optional, OptionalKey, phoneProvider } from '#delivery/provider.config.ts';
import { oneLine } from '#domain/one-line.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { parseMetaCallback } from './whatsapp_business.callback.ts';
import { metaApi, metaFields } from './whatsapp_business.fields.ts';

const Config = z.object({
  ...phoneProvider(metaApi),
  phone_number_id: Optional,
  template_name: Optional,
  template_language: Optional,
  app_secret: OptionalKey,
  verify_token: Optional,
});
type Config = z.output<typeof Config>;

const maxCharacters = 4_096;
const noNumber = `${incomplete}: the Cloud API needs a Phone Number ID`;

/** Meta's Cloud API (developers.facebook.com/documentation/business-messaging/whatsapp). */
export const adapter: Adapter<Config> = {
  type: 'whatsapp',
  provider: 'whatsapp_business',
  title: 'WhatsApp Business API',
  rank: 3,
  shape: Config,
  secretFields: ['api_key', 'app_secret', 'verify_token'],
  destinationFields: ['base_url'],
  newSecrets: { verify_token: SharedSecret(500) },
  fields: metaFields,
  destinationOf: (_, config) => config.base_url,
  async send(envelope, { config, network }) {
    const to = e164(envelope.recipient, config);
    if (to === null) return refused(notANumber(envelope.recipient), 'unfit_address');
    if (config.phone_number_id === undefined) return refused(noNumber, 'no_channel');
    const refusedText = tooLong(envelope.message, { max: maxCharacters, by: 'WhatsApp' });
    if (refusedText !== null) return refusedText;
    const request = requestTo(`${encodeURIComponent(config.phone_number_id)}/messages`, config, {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      // Each report returns it, even if this response is lost.
      biz_opaque_callback_data: envelope.delivery_id,
      ...contentOf(envelope, config),
    });
    return outcomeOfRequest(request, { network, read: (answer) => outcomeOf(answer, network.now()) });
  },
  async verify(config, network): Promise<Verification> {
    if (config.phone_number_id === undefined) return { success: false, message: noNumber };
    const path = `${encodeURIComponent(config.phone_number_id)}?fields=verified_name,display_phone_number`;
    return verifyByRequest(requestTo(path, config), {
      network,
      read(answer) {
        const number = jsonIn(
          answer,
          z.object({ display_phone_number: z.string(), verified_name: z.string().nullish() }),
        );
        if (answer.status !== 200 || number === null) return { success: false, message: reasonOf(answer) };
        const name = number.verified_name ? ` (${number.verified_name})` : '';
        return { success: true, message: `Connected to ${number.display_phone_number}${name}` };
      },
    });
  },
  parseCallback: (callback, { config }) => parseMetaCallback(callback, config),
};

/** Template values must not contain line breaks, tabs or runs of spaces (error 132018 otherwise). */
const contentOf = ({ message }: Envelope, { template_name: name, template_language: language }: Config) =>
  name === undefined
    ? { type: 'text', text: { preview_url: false, body: message } }
    : {
        type: 'template',
        template: {
          name,
          language: { code: language ?? 'en_US' },
          components: [{ type: 'body', parameters: [{ type: 'text', text: oneLine(message) }] }],
        },
      };

const version = 'v25.0';

function requestTo(path: string, { base_url, api_key }: Config, body?: object): HttpRequest {
  const root = /\/v\d+\.\d+$/.test(base_url) ? base_url : `${base_url}/${version}`;
  return apiRequest(`${root}/${path}`, { headers: ['authorization', `Bearer ${api_key}`], ...(body && { body }) });
}

const Sent = z.object({
  messages: z.array(z.object({ id: z.string().min(1), message_status: z.string().optional() })).min(1),
});

function outcomeOf(answer: Answered, now: Temporal.Instant): Outcome {
  if (answer.status >= 300) {
    const code = jsonIn(answer, ErrorBody)?.error.code;
    // The code decides too: a rate limit may come with status 400.
    const isForNow = code !== undefined && temporary.has(code);
    return refusal(answer, { reason: reasonOf(answer), now, ...(isForNow && { permanent: false }) });
  }
  const message = jsonIn(answer, Sent)?.messages[0];
  if (message === undefined) return notUnderstood(answer);
  const status = message.message_status ?? 'accepted';
  return { outcome: 'accepted', receipt: message.id, answer: `HTTP ${answer.status}: ${status}` };
}

const ErrorBody = z.object({
  error: z.object({
    code: z.number(),
    message: z.string().default('no reason given'),
    error_data: z.object({ details: z.string() }).partial().optional(),
  }),
});

/** "Cloud API error codes": throttling, and faults on Meta's side. */
const temporary = new Set([1, 2, 4, 80007, 130429, 131000, 131016, 131048, 131056, 131057, 133004]);

function reasonOf(answer: Answered): string {
  const error = jsonIn(answer, ErrorBody)?.error;
  if (error === undefined) return `WhatsApp: ${inWords(answer)}`;
  const words = error.message.replace(/^\(#\d+\) /, '');
  const details = error.error_data?.details;
  return `WhatsApp ${error.code}: ${words}${details && details !== words ? ` (${details})` : ''}`;
}
