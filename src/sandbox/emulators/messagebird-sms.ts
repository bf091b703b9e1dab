import type { MagicFate } from '#contract/simulated-failures.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { accountOf } from '#sandbox/accounts.ts';
import { type Call, formOf, jsonAnswer, jsonOf, parseJson } from '#sandbox/call.ts';
import {
  answered,
  fateOf,
  isE164,
  type Received,
  reportTimeoutMs,
  type ReportedMessage,
  type ReportContext,
} from '#sandbox/emulator.ts';
import { inGsmAlphabet, segmentsOf } from '#sandbox/sms-segments.ts';
import { type MessageBirdError, refusals } from './messagebird-refusals.ts';
import { messageBirdSignature } from './messagebird-signature.ts';

/** SMS by `POST /messages`. */
export const messageBirdSms = { check, report };

function check(call: Call, workspaceId: string): Received {
  if (call.method !== 'POST')
    return answered(refusals(405, [{ code: 98, description: 'Method not allowed', parameter: null }]));
  const form = formOf(call);
  const fields = fieldsIn(form === null ? jsonOf(call) : Object.fromEntries(form));
  if (fields === null) return answered(refusals(422, [{ code: 21, description: 'Bad request', parameter: null }]));
  const { originator, body, recipients, datacoding = 'plain', reference = null, reportUrl = null } = fields;
  const numbers = recipients.map((recipient) => `+${recipient.replace(/^\+/, '')}`);
  const [recipient] = numbers;
  const problems: MessageBirdError[] = [];
  if (recipient === undefined || !numbers.every(isE164))
    problems.push({ code: 9, description: 'no (correct) recipients found', parameter: 'recipients' });
  if (originator === undefined)
    problems.push({ code: 9, description: 'originator is required', parameter: 'originator' });
  else if (!isOriginator(originator))
    problems.push({ code: 10, description: 'originator is invalid', parameter: 'originator' });
  if (!body) problems.push({ code: 9, description: 'body is required', parameter: 'body' });
  if (!['plain', 'unicode', 'auto'].includes(datacoding))
    problems.push({ code: 10, description: 'datacoding is invalid', parameter: 'datacoding' });
  const shown = datacoding === 'plain' ? inGsmAlphabet(body ?? '') : (body ?? '');
  const { segments } = segmentsOf(shown);
  if (segments > 9) problems.push({ code: 10, description: 'body is too long', parameter: 'body' });
  if (reportUrl !== null && !/^https?:/.test(reportUrl))
    problems.push({ code: 10, description: 'reportUrl is invalid', parameter: 'reportUrl' });
  if (problems.length > 0 || recipient === undefined || originator === undefined)
    return answered(refusals(422, problems));
  const fate = fateOf(recipient);
  if (fate !== null && refused.has(fate))
    return answered(
      refusals(422, [{ code: 9, description: 'no (correct) recipients found', parameter: 'recipients' }]),
    );
  return {
    kind: 'taken',
    fate,
    message: {
      workspaceId,
      channel: 'sms',
      sender: originator,
      recipient,
      subject: '',
      text: shown,
      raw: call.body.toString(),
      segments,
      // According to its documentation, there are no status reports without a reference.
      callbackUrl: reference === null ? null : reportUrl,
    },
    answer: (id) => jsonAnswer(201, messageOf({ id, call, fields, numbers, segments })),
  };
}

const refused: ReadonlySet<MagicFate> = new Set(['invalid', 'unreachable', 'region_closed', 'opted_out', 'not_mobile']);

type Fields = {
  originator?: string;
  body?: string;
  recipients: string[];
  datacoding?: string;
  reference?: string;
  reportUrl?: string;
};

const formFields = (text: string) => Object.fromEntries(new URLSearchParams(text));

function fieldsIn(given: unknown): Fields | null {
  if (typeof given !== 'object' || given === null) return null;
  const values = new Map<string, unknown>(Object.entries(given));
  const text = (name: string) => {
    const value = values.get(name);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  const list = values.get('recipients');
  const recipients = Array.isArray(list) ? list.map(String) : (text('recipients')?.split(',') ?? []);
  return {
    originator: text('originator'),
    body: text('body'),
    recipients,
    datacoding: text('datacoding'),
    reference: text('reference'),
    reportUrl: text('reportUrl'),
  };
}

/** Whether the text is a valid sender: a number, or a name of at most eleven letters and digits. */
const isOriginator = (text: string) => isE164(`+${text.replace(/^\+/, '')}`) || /^[A-Za-z0-9 ]{1,11}$/.test(text);

function messageOf(of: { id: string; call: Call; fields: Fields; numbers: string[]; segments: number }) {
  const { id, fields, numbers, segments } = of;
  const at = of.call.now.toString({ smallestUnit: 'second' }).replace('Z', '+00:00');
  const ownId = accountOf(id);
  return {
    id: ownId,
    href: `https://rest.messagebird.com/messages/${ownId}`,
    direction: 'mt',
    type: 'sms',
    originator: fields.originator,
    body: fields.body,
    reference: fields.reference ?? null,
    reportUrl: fields.reportUrl ?? null,
    validity: null,
    gateway: 10,
    typeDetails: {},
    datacoding: fields.datacoding ?? 'plain',
    mclass: 1,
    scheduledDatetime: null,
    createdDatetime: at,
    recipients: {
      totalCount: numbers.length,
      totalSentCount: numbers.length,
      totalDeliveredCount: 0,
      totalDeliveryFailedCount: 0,
      items: numbers.map((number) => ({
        recipient: Number(number.slice(1)),
        status: 'sent',
        statusDatetime: at,
        messagePartCount: segments,
      })),
    },
  };
}

/** Status reports of SMS are GETs with the report in the query; so are incoming messages. */
function report(message: ReportedMessage, { happening, accounts, now }: ReportContext): HttpRequest[] {
  if (happening.kind === 'sent') return [];
  const url = new URL(message.callbackUrl);
  const at = now.toString({ smallestUnit: 'second' }).replace('Z', '+00:00');
  const reported: Record<string, string> =
    happening.kind === 'reply'
      ? {
          id: accountOf(happening.id),
          recipient: message.sender.replace(/^\+/, ''),
          originator: message.recipient.slice(1),
          body: happening.text,
          createdDatetime: at,
        }
      : {
          id: accountOf(message.id),
          reference: fieldsIn(parseJson(message.raw ?? '') ?? formFields(message.raw ?? ''))?.reference ?? '',
          recipient: message.recipient.slice(1),
          statusDatetime: at,
          ...(happening.kind === 'delivered'
            ? { status: 'delivered', statusReason: 'successfully delivered' }
            : { status: 'delivery_failed', statusReason: 'unknown subscriber', statusErrorCode: '1' }),
        };
  for (const [name, value] of Object.entries(reported)) url.searchParams.set(name, value);
  const signature = messageBirdSignature({
    url: url.href,
    key: accounts.secretOf('messagebird signing', message.workspaceId),
    now,
  });
  return [
    { url: url.href, method: 'GET', headers: ['messagebird-signature-jwt', signature], timeoutMs: reportTimeoutMs },
  ];
}
