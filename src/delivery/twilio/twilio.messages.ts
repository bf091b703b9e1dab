import { z } from 'zod';
import type { Envelope, Network, Verification } from '#delivery/adapter.ts';
import {
  type Answered,
  apiRequest,
  inWords,
  jsonIn,
  notUnderstood,
  outcomeOfRequest,
  refusal,
  refused,
  verifyByRequest,
} from '#delivery/answer.ts';
import { callbackUrlFor } from '#delivery/callback.ts';
import { incomplete } from '#delivery/provider.config.ts';
import type { Outcome } from '#domain/outcome.ts';
import { isTemporaryCode } from './twilio.errors.ts';

export const twilioApi = 'https://api.twilio.com';

/** `api_key` is the account's SID and `api_secret` its auth token. A form with one field only holds `SID:token`. */
type Account = { api_key: string; api_secret?: string; base_url: string; callback_token?: string };

/** Recipient, sender and content, by the names of the Messages resource. */
type Message = { To: string; From?: string; MessagingServiceSid?: string } & (
  | { Body: string }
  | { ContentSid: string; ContentVariables: string }
);

/** Creates a message (twilio.com/docs/messaging/api/message-resource). */
export async function sendTwilioMessage(
  message: Message,
  { envelope, config, network }: { envelope: Envelope; config: Account; network: Network },
): Promise<Outcome> {
  const login = loginOf(config);
  if (login.token === undefined) return refused(`${incomplete}: Twilio needs the account's auth token`, 'no_channel');
  const callbackUrl = callbackUrlFor({ provider: 'twilio', config, network });
  const form = new URLSearchParams({ ...message });
  // Each report returns the delivery's id, even if this response is lost.
  if (callbackUrl !== undefined) form.set('StatusCallback', `${callbackUrl}?delivery=${envelope.delivery_id}`);
  const request = apiRequest(`${accountUrl(config)}/Messages.json`, { headers: headersOf(login), body: form });
  return outcomeOfRequest(request, { network, read: (answer) => outcomeOf(answer, network.now()) });
}

/** Fetches the account: the credentials must be valid and the account active. */
export function verifyTwilioAccount(config: Account, network: Network): Promise<Verification> {
  const login = loginOf(config);
  if (login.token === undefined)
    return Promise.resolve({ success: false, message: `${incomplete}: Twilio needs the account's auth token` });
  return verifyByRequest(apiRequest(`${accountUrl(config)}.json`, { headers: headersOf(login) }), {
    network,
    read(answer) {
      const account = jsonIn(answer, z.object({ friendly_name: z.string().optional(), status: z.string() }));
      if (answer.status !== 200 || account === null) return { success: false, message: reasonOf(answer) };
      const { friendly_name: name = login.sid, status } = account;
      return status === 'active'
        ? { success: true, message: `Connected to the Twilio account “${name}”` }
        : { success: false, message: `The Twilio account “${name}” is ${status}` };
    },
  });
}

type Login = { sid: string; token: string | undefined };

export function loginOf({ api_key: key, api_secret: secret }: Pick<Account, 'api_key' | 'api_secret'>): Login {
  const [sid = '', ...rest] = key.split(':');
  return { sid, token: secret ?? (rest.length > 0 ? rest.join(':') : undefined) };
}

const accountUrl = (config: Account) =>
  `${config.base_url}/2010-04-01/Accounts/${encodeURIComponent(loginOf(config).sid)}`;

const headersOf = ({ sid, token }: Login) => [
  'authorization',
  `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`,
];

const Created = z.object({
  sid: z.string().min(1),
  status: z.string().nullish(),
  num_segments: z.string().nullish(),
  error_code: z.number().nullish(),
  error_message: z.string().nullish(),
});

function outcomeOf(answer: Answered, now: Temporal.Instant): Outcome {
  if (answer.status >= 300) {
    const code = jsonIn(answer, ErrorBody)?.code;
    return refusal(answer, { reason: reasonOf(answer), now, ...(isTemporaryCode(code) && { permanent: false }) });
  }
  const created = jsonIn(answer, Created);
  if (created === null) return notUnderstood(answer);
  const { sid, status, num_segments: segments, error_code: code, error_message: message } = created;
  if (status === 'failed' || status === 'undelivered') return refused(`Twilio ${code ?? ''}: ${message ?? status}`);
  const length = segments === null || segments === undefined || segments === '0' ? '' : ` (segments: ${segments})`;
  return { outcome: 'accepted', receipt: sid, answer: `HTTP ${answer.status}: ${status ?? 'accepted'}${length}` };
}

const ErrorBody = z.object({ code: z.number().optional(), message: z.string().default('no reason given') });

/** For example `Twilio 21211: The 'To' number +1 is not a valid phone number.` */
function reasonOf(answer: Answered): string {
  const error = jsonIn(answer, ErrorBody);
  return error === null || error.code === undefined
    ? `Twilio: ${inWords(answer)}`
    : `Twilio ${error.code}: ${error.message}`;
}
