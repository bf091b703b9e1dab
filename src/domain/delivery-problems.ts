import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import {
  isOwnLimit,
  missingVariableIn,
  onSuppressionList,
  serverWasStopped,
  workerWasLost,
} from '#domain/ledger-reasons.ts';

/** What kept a message from its recipient, as far as the ledger's words tell. */
export type DeliveryProblem =
  | 'no_such_address'
  | 'no_such_number'
  | 'not_on_whatsapp'
  | 'mailbox_full'
  | 'too_large'
  | 'unwanted'
  | 'opted_out'
  | 'suppressed'
  | 'recipient_unreachable'
  | 'reply_window'
  | 'missing_value'
  | 'broken_message'
  | 'no_channel'
  | 'channel_login'
  | 'busy'
  | 'unreachable'
  | 'unconfirmed'
  | 'no_such_url'
  | 'receiver_login'
  | 'receiver_fault'
  | 'provider_fault'
  | 'adapter_fault'
  | 'refused';

/** `details`: what the provider and the ledger say, without repetition. */
export type Explanation = { problem: DeliveryProblem; sentence: string; details: string[] };

type Line = {
  channel: ChannelType;
  status: DeliveryStatus;
  reason: string | null;
  provider_answer: string | null;
};

/**
 * Explains why a message has not reached its recipient. Null where nothing went wrong, and where the ledger's reason is
 * the product's own sentence.
 */
export function explain(line: Line): Explanation | null {
  const problem = problemOf(line);
  if (problem === null) return null;
  const again = line.status === 'waiting' ? ' It will be tried again.' : '';
  return { problem, sentence: sentenceOf(problem, line) + again, details: detailsOf(line) };
}

/** The reason and the provider's answer; an answer that starts with the reason replaces it. */
export function detailsOf({ reason, provider_answer: answer }: Pick<Line, 'reason' | 'provider_answer'>): string[] {
  const said = reason !== null && answer?.startsWith(`${reason}: `) === true ? [answer] : [reason, answer];
  return [...new Set(said)].filter((words) => words !== null && words !== '').map(String);
}

function problemOf({ channel, status, reason, provider_answer: answer }: Line): DeliveryProblem | null {
  switch (status) {
    case 'queued':
    case 'sending':
    case 'accepted':
    case 'delivered':
      return null;
    case 'skipped':
      return reason?.startsWith(onSuppressionList) === true ? 'suppressed' : null;
    case 'unknown':
      return 'unconfirmed';
    case 'waiting':
    case 'failed':
      return reason === null || reason === serverWasStopped || isOwnLimit(reason) || ownWords.test(reason)
        ? null
        : failureOf(channel, { reason, answer: answer ?? '' });
    default:
      return status satisfies never;
  }
}

/** Reasons that the engine writes as sentences. */
const ownWords =
  /^(?:No longer among|Expired[: ]|Cancelled by|The reminder |An e-mail address fits|A phone number fits|A URL fits|")/;

function failureOf(channel: ChannelType, { reason, answer }: { reason: string; answer: string }): DeliveryProblem {
  if (reason.startsWith(workerWasLost)) return 'unconfirmed';
  const own = missingVariableIn(reason) !== null ? 'missing_value' : startOf(reason);
  if (own !== null) return own;
  // Both are bounded by their adapters.
  const words = `${reason} ${answer}`;
  switch (channel) {
    case 'email':
      return mailFailureOf(words);
    case 'sms':
    case 'whatsapp':
      return phoneFailureOf(words) ?? providerFailureOf(words);
    case 'webhook':
      return receiverFailureOf(words);
    case 'slack':
    case 'push':
      return providerFailureOf(words);
    default:
      return channel satisfies never;
  }
}

const beginnings: readonly [RegExp, DeliveryProblem][] = [
  [/^The message (?:cannot be|was not) rendered/, 'broken_message'],
  [
    /^The workspace has no active channel|^The installation's own configuration|^This version cannot send/,
    'no_channel',
  ],
  [/^The channel's configuration cannot be used|^The \w+ channel is (?:disabled|switched off)/, 'no_channel'],
  [/^“[^”]*” is not an e-mail address/, 'no_such_address'],
  [/^Sent, but |^Handed over, but not confirmed/, 'unconfirmed'],
  [/^The \w+ adapter failed: /, 'adapter_fault'],
  [/^Not sent: /, 'unreachable'],
];

const startOf = (reason: string): DeliveryProblem | null =>
  beginnings.find(([beginning]) => beginning.test(reason))?.[1] ?? null;

/** By the enhanced status code (RFC 3463), else by the reply code and the server's usual words. */
function mailFailureOf(words: string): DeliveryProblem {
  const [, klass, subject, detail] = /\b([45])\.(\d{1,3})\.(\d{1,3})\b/.exec(words) ?? [];
  const code = `${subject}.${detail}`;
  if (/\b53[05]\b|\bEAUTH\b/.test(words) || code === '7.8' || code === '7.9') return 'channel_login';
  if (klass === '5' && /^(?:1\.(?:1|2|3|6|10)|2\.1|4\.4)$/.test(code)) return 'no_such_address';
  if (code === '2.2' || /mailbox (?:is )?full|over quota|quota exceeded|insufficient storage/i.test(words))
    return 'mailbox_full';
  if (code === '2.3' || code === '3.4' || /message (?:size|too large)/i.test(words)) return 'too_large';
  if (noMailbox.test(words)) return 'no_such_address';
  if (klass === '4' || /\b4[25][0-9]\b/.test(words)) return 'busy';
  if (subject === '7' || /\b(?:spam|blocked|blacklist|block ?list|policy|DMARC|SPF|DKIM)\b/i.test(words))
    return 'unwanted';
  return 'refused';
}

const noMailbox =
  /user unknown|unknown user|no such (?:user|recipient|mailbox|address)|mailbox (?:unavailable|not found|does not exist)|(?:recipient|address) (?:unknown|does not exist)|does not exist|invalid (?:recipient|mailbox)/i;

const phoneCodes: readonly [RegExp, DeliveryProblem][] = [
  [/^Twilio (?:21211|21214|21217|21614|30005|30006|63024)\b/, 'no_such_number'],
  [/^Vonage (?:3|5|9|11):/, 'no_such_number'],
  [/^Twilio 63003\b|^WhatsApp 131026\b/, 'not_on_whatsapp'],
  [/^Twilio 63016\b|^WhatsApp 131047\b/, 'reply_window'],
  [/^Twilio 21610\b|^Vonage 4:|^WhatsApp 131050\b/, 'opted_out'],
  [/^Twilio (?:30004|30007)\b|^Vonage (?:6|14):/, 'unwanted'],
  [/^Twilio 30003\b|^Vonage (?:2|7|12):/, 'recipient_unreachable'],
  [/^Twilio (?:20003|30002)\b|^WhatsApp 190\b/, 'channel_login'],
];

const phoneFailureOf = (words: string): DeliveryProblem | null =>
  phoneCodes.find(([code]) => code.test(words))?.[1] ?? null;

function providerFailureOf(words: string): DeliveryProblem {
  const status = statusIn(words);
  if (status === 401 || status === 403) return 'channel_login';
  if (status === 429) return 'busy';
  return status >= 500 ? 'provider_fault' : 'refused';
}

function receiverFailureOf(words: string): DeliveryProblem {
  const status = statusIn(words);
  if (status === 401 || status === 403) return 'receiver_login';
  if (status === 404 || status === 410) return 'no_such_url';
  if (status === 429) return 'busy';
  return status >= 500 ? 'receiver_fault' : 'refused';
}

/** The HTTP status in an adapter's words, such as `HTTP 503` or `Slack 404`; 0 when there is none. */
const statusIn = (words: string): number => Number(/\b(?:HTTP|Slack|error:) (\d{3})\b/.exec(words)?.[1] ?? 0);

function sentenceOf(problem: DeliveryProblem, { reason }: Line): string {
  if (problem !== 'missing_value') return sentences[problem];
  const name = missingVariableIn(reason ?? '');
  return name === null ? sentences.missing_value : `There is no value for {{${name}}}.`;
}

const sentences: Record<DeliveryProblem, string> = {
  no_such_address: 'This address does not exist.',
  no_such_number: 'This number cannot receive messages.',
  not_on_whatsapp: 'This number is not on WhatsApp.',
  mailbox_full: 'The mailbox is full.',
  too_large: 'The message is too large for the mailbox.',
  unwanted: 'The other side blocked the message as unwanted.',
  opted_out: 'This person does not want messages.',
  suppressed: 'This person is on the suppression list.',
  recipient_unreachable: 'The phone could not be reached.',
  reply_window: 'WhatsApp allows only approved templates 24 hours after the last reply.',
  missing_value: 'A value in the message is missing.',
  broken_message: 'The message could not be filled in.',
  no_channel: 'No working channel to send this over.',
  channel_login: 'The provider did not accept the login of the channel.',
  busy: 'The other side was too busy to take the message.',
  unreachable: 'The server could not be reached.',
  unconfirmed: 'It may have arrived: nobody confirmed it.',
  no_such_url: 'There is nothing at this URL.',
  receiver_login: 'The receiver did not allow access.',
  receiver_fault: 'The receiver answered with an error.',
  provider_fault: 'The provider had a fault.',
  adapter_fault: 'Something went wrong on this server while it was sent.',
  refused: 'The message was refused.',
};
