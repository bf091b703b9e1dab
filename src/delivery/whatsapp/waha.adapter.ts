import { z } from 'zod';
import { SharedSecret } from '#contract/signing-secret.ts';
import type { Adapter } from '#delivery/adapter.ts';
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
import { e164, notANumber } from '#delivery/phone.ts';
import {
  CallbackToken,
  DefaultCountry,
  defaultCountryField,
  HttpUrl,
  Needed,
  OptionalKey,
} from '#delivery/provider.config.ts';
import { oneLine } from '#domain/one-line.ts';
import type { Outcome } from '#domain/outcome.ts';
import { stableMessageId, parseWahaCallback } from './waha.callback.ts';

const Config = z.object({
  base_url: HttpUrl,
  session_name: Needed,
  api_key: OptionalKey,
  hmac_key: OptionalKey,
  default_country: DefaultCountry,
  callback_token: CallbackToken,
});
type Config = z.output<typeof Config>;

/** A self-hosted WAHA server (waha.devlike.pro/docs): WhatsApp Web behind HTTP. */
export const adapter: Adapter<Config> = {
  type: 'whatsapp',
  provider: 'waha',
  title: 'WAHA',
  rank: 1,
  shape: Config,
  secretFields: ['api_key', 'hmac_key'],
  destinationFields: ['base_url'],
  newSecrets: { hmac_key: SharedSecret(4_000) },
  fields: [
    { name: 'base_url', label: 'Base URL', kind: 'text', required: true, placeholder: 'https://waha.example.com' },
    { name: 'session_name', label: 'Session Name', kind: 'text', required: true, placeholder: 'default' },
    {
      name: 'api_key',
      label: 'API Key',
      kind: 'password',
      required: false,
      help: 'Sent as X-Api-Key, if the server requires one',
    },
    {
      name: 'hmac_key',
      label: 'Webhook HMAC Key',
      kind: 'password',
      required: false,
      help: 'At least 16 characters, as in the webhook of the session (events message and message.ack); without it, reports and STOP replies are refused',
    },
    defaultCountryField,
  ],
  destinationOf: (_, config) => config.base_url,
  async send(envelope, { config, network }) {
    const number = e164(envelope.recipient, config);
    if (number === null) return refused(notANumber(envelope.recipient), 'unfit_address');
    const chatId = `${number.slice(1)}@c.us`;
    const request = apiRequest(`${config.base_url}/api/sendText`, {
      headers: headersOf(config),
      body: { chatId, text: envelope.message, session: config.session_name },
    });
    return outcomeOfRequest(request, { network, read: (answer) => outcomeOf(answer, network.now()) });
  },
  verify(config, network) {
    const url = `${config.base_url}/api/sessions/${encodeURIComponent(config.session_name)}`;
    const request = apiRequest(url, { headers: headersOf(config) });
    return verifyByRequest(request, {
      network,
      read(answer) {
        const session = answer.status === 200 ? jsonIn(answer, z.object({ status: z.string() })) : null;
        if (session === null) return { success: false, message: reasonOf(answer) };
        const isWorking = session.status === 'WORKING';
        const words = isWorking ? 'is connected to WhatsApp' : `is not connected: ${session.status}`;
        return { success: isWorking, message: `The WAHA session “${config.session_name}” ${words}` };
      },
    });
  },
  parseCallback: (callback, { config }) => parseWahaCallback(callback, config),
};

const headersOf = ({ api_key: key }: Config) => (key === undefined ? [] : ['x-api-key', key]);

/** WAHA's engines return the message id in different forms. */
const Sent = z.object({
  id: z.union([z.string().min(1), z.object({ _serialized: z.string().min(1) })]).optional(),
  key: z.object({ id: z.string().min(1) }).optional(),
});

function outcomeOf(answer: Answered, now: Temporal.Instant): Outcome {
  // A session that is starting, or waits for its QR code, answers 422. It may work at the next attempt.
  if (answer.status >= 300)
    return refusal(answer, { reason: reasonOf(answer), now, ...(answer.status === 422 && { permanent: false }) });
  const sent = jsonIn(answer, Sent);
  const id =
    sent === null ? idIn(answer) : typeof sent.id === 'string' ? sent.id : (sent.id?._serialized ?? sent.key?.id);
  if (id === undefined) return notUnderstood(answer);
  return { outcome: 'accepted', receipt: stableMessageId(id), answer: `HTTP ${answer.status}: sent as ${id}` };
}

/** WAHA returns the message, so a long response is read only in part. */
const idIn = ({ body, isComplete }: Answered) =>
  isComplete ? undefined : /"(?:id|_serialized)":"(true_[^"\\]+)"/.exec(body)?.[1];

/** The text of an error, as the specification words it: `WAHA API error: {status} - {body}`. */
const reasonOf = ({ status, body }: Answered) => `WAHA API error: ${status} - ${oneLine(body).slice(0, 500)}`;
