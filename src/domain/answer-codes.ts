import type { ChannelType } from '#contract/channel-types.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';

/** How many characters of an answer are examined. */
const mostRead = 2_000;

/** The code of a refusal, from the provider's words, which are read here only. Called when an outcome is settled; the ledger keeps the code. */
export function codeOfAnswer(
  channel: ChannelType,
  { reason, answer }: { reason: string; answer: string | null },
): ReasonCode {
  const words = `${reason.slice(0, mostRead)} ${(answer ?? '').slice(0, mostRead)}`;
  switch (channel) {
    case 'email':
      return codeOfMail(words);
    case 'sms':
    case 'whatsapp':
      return codeOfPhone(words) ?? codeOfProvider(words);
    case 'webhook':
      return codeOfReceiver(words);
    case 'slack':
    case 'push':
      return codeOfProvider(words);
    default:
      return channel satisfies never;
  }
}

/** From the enhanced status code (RFC 3463), else from the reply code and the usual words of servers. */
function codeOfMail(words: string): ReasonCode {
  const [, klass, subject, detail] = /\b([45])\.(\d{1,3})\.(\d{1,3})\b/.exec(words) ?? [];
  const code = `${subject}.${detail}`;
  if (/\b53[05]\b|\bEAUTH\b/.test(words) || code === '7.8' || code === '7.9') return 'channel_login';
  if (klass === '5' && /^(?:1\.(?:1|2|3|6|10)|2\.1|4\.4)$/.test(code)) return 'no_such_address';
  if (code === '2.2' || /mailbox (?:is )?full|over quota|quota exceeded|insufficient storage/i.test(words))
    return 'mailbox_full';
  if (code === '2.3' || code === '3.4' || /message (?:size|too large)/i.test(words)) return 'too_large';
  if (noMailbox.test(words)) return 'no_such_address';
  if (klass === '4' || /\b4[25][0-9]\b/.test(words)) return 'temporarily_refused';
  if (subject === '7' || /\b(?:spam|blocked|blacklist|block ?list|policy|DMARC|SPF|DKIM)\b/i.test(words))
    return 'unwanted';
  return 'refused';
}

const noMailbox =
  /user unknown|unknown user|no such (?:user|recipient|mailbox|address)|mailbox (?:unavailable|not found|does not exist)|(?:recipient|address) (?:unknown|does not exist)|does not exist|invalid (?:recipient|mailbox)/i;

const phoneCodes: readonly [RegExp, ReasonCode][] = [
  [/^Twilio (?:21211|21214|21217|21614|30005|30006|63024)\b/, 'no_such_number'],
  [/^Vonage (?:3|5|9|11):/, 'no_such_number'],
  [/^Twilio 63003\b|^WhatsApp 131026\b/, 'not_on_whatsapp'],
  [/^Twilio 63016\b|^WhatsApp 131047\b/, 'reply_window'],
  [/^Twilio 21610\b|^Vonage 4:|^WhatsApp 131050\b/, 'opted_out'],
  [/^Twilio (?:30004|30007)\b|^Vonage (?:6|14):/, 'unwanted'],
  [/^Twilio 30003\b|^Vonage (?:2|7|12):/, 'recipient_unreachable'],
  [/^Twilio (?:20003|30002)\b|^WhatsApp 190\b/, 'channel_login'],
];

const codeOfPhone = (words: string): ReasonCode | null => phoneCodes.find(([code]) => code.test(words))?.[1] ?? null;

function codeOfProvider(words: string): ReasonCode {
  const status = statusIn(words);
  if (status === 401 || status === 403) return 'channel_login';
  if (status === 429) return 'temporarily_refused';
  return status >= 500 ? 'provider_error' : 'refused';
}

function codeOfReceiver(words: string): ReasonCode {
  const status = statusIn(words);
  if (status === 401 || status === 403) return 'receiver_login';
  if (status === 404 || status === 410) return 'no_such_url';
  if (status === 429) return 'temporarily_refused';
  return status >= 500 ? 'receiver_error' : 'refused';
}

/** The HTTP status in an adapter's words, such as `HTTP 503` or `Slack 404`; 0 when there is none. */
const statusIn = (words: string): number => Number(/\b(?:HTTP|Slack|error:) (\d{3})\b/.exec(words)?.[1] ?? 0);
