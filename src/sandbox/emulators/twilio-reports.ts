import { createHmac } from 'node:crypto';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { accountOf } from '#sandbox/accounts.ts';
import { type ReportedMessage, reportTimeoutMs, type ReportContext } from '#sandbox/emulator.ts';
import { segmentsOf } from '#sandbox/sms-segments.ts';

/** Twilio's reports and its inbound messages are forms (twilio.com/docs/messaging/guides/webhook-request). */
export function report(message: ReportedMessage, { happening, accounts }: ReportContext): HttpRequest[] {
  const sid = `AC${accountOf(message.workspaceId)}`;
  const isReply = happening.kind === 'reply';
  const messageSid = `SM${accountOf(isReply ? happening.id : message.id)}`;
  const status = isReply ? 'received' : happening.kind === 'failed' ? 'undelivered' : happening.kind;
  const [own, theirs] = [message.sender, message.recipient].map((number) => addressOf(message, number));
  const fields: Record<string, string> = {
    AccountSid: sid,
    ApiVersion: '2010-04-01',
    From: (isReply ? theirs : own) ?? '',
    MessageSid: messageSid,
    SmsMessageSid: messageSid,
    SmsSid: messageSid,
    SmsStatus: status,
    To: (isReply ? own : theirs) ?? '',
  };
  if (isReply) Object.assign(fields, inboundFields(happening.text));
  else Object.assign(fields, { MessageStatus: status }, happening.kind === 'failed' && failureFields(message));
  const { callbackUrl: url } = message;
  return [signed({ url, fields, token: accounts.secretOf('twilio', message.workspaceId) })];
}

const addressOf = ({ channel }: ReportedMessage, number: string) =>
  channel === 'whatsapp' ? `whatsapp:${number}` : number;

function inboundFields(text: string): Record<string, string> {
  const keyword = optOutTypes[text.trim().toUpperCase()];
  const fields = { Body: text, NumMedia: '0', NumSegments: String(segmentsOf(text).segments) };
  return keyword === undefined ? fields : { ...fields, OptOutType: keyword };
}

/** The words of Twilio's opt-out handling (help.twilio.com, "Twilio support for opt-out keywords"). */
const optOutTypes: Record<string, string> = {
  ...Object.fromEntries(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'].map((word) => [word, 'STOP'])),
  ...Object.fromEntries(['START', 'YES', 'UNSTOP'].map((word) => [word, 'START'])),
  HELP: 'HELP',
  INFO: 'HELP',
};

/** The codes of a failure: an unknown handset, or for WhatsApp a recipient without an account. */
function failureFields({ channel }: ReportedMessage): Record<string, string> {
  return channel === 'whatsapp'
    ? { ErrorCode: '63024', ErrorMessage: 'Invalid message recipient' }
    : { ErrorCode: '30005', ErrorMessage: 'Unknown destination handset' };
}

/** Base64 of the HMAC-SHA1 of the URL and the sorted fields (twilio.com/docs/usage/security#validating-requests). */
function signed({ url, fields, token }: { url: string; fields: Record<string, string>; token: string }): HttpRequest {
  const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const content = url + sorted.map(([name, value]) => name + value).join('');
  const signature = createHmac('sha1', token).update(content).digest('base64');
  return {
    url,
    method: 'POST',
    headers: [
      'content-type',
      'application/x-www-form-urlencoded; charset=utf-8',
      'user-agent',
      'TwilioProxy/1.1',
      'x-twilio-signature',
      signature,
    ],
    body: new URLSearchParams(sorted).toString(),
    timeoutMs: reportTimeoutMs,
  };
}
