import { createHash, createHmac } from 'node:crypto';
import type { MagicFate } from '#contract/simulated-failures.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { accountOf, workspaceOf } from '#sandbox/accounts.ts';
import { type Answer, type Call, jsonAnswer, parseJson } from '#sandbox/call.ts';
import {
  answered,
  type Emulator,
  fateOf,
  type EmulatorContext,
  isE164,
  jsonReport,
  type Received,
  type ReportedMessage,
  type ReportContext,
} from '#sandbox/emulator.ts';
import { inGsmAlphabet, segmentsOf } from '#sandbox/sms-segments.ts';
import { isSameSecret } from '#platform/same-secret.ts';

/**
 * Vonage's SMS API, formerly Nexmo's (developer.vonage.com/api/sms). Refusals come with HTTP 200 and an error in
 * `status`. Each part of a long message has an id and reports of its own.
 */
export const vonage: Emulator = {
  provider: 'nexmo',
  owns: ({ path }) => path === '/sms/json' || path === '/account/get-balance',
  receive,
  throttled: () => refusal('1', 'Throughput Rate Exceeded - please wait [ 250 ] and retry'),
  unavailable: (status) => (status === 500 ? refusal('5', 'Internal Error') : { status, headers: {}, body: '' }),
  report,
};

async function receive(call: Call, context: EmulatorContext): Promise<Received> {
  const given = call.method === 'GET' ? call.query : fieldsIn(call.body.toString());
  const refuse = (status: string, text: string) => answered(refusal(status, text));
  for (const name of ['api_key', 'api_secret']) if (!given.get(name)) return refuse('2', `Missing ${name}`);
  const workspaceId = workspaceOf(given.get('api_key') ?? '');
  const isOpen =
    workspaceId !== null &&
    isSameSecret(context.accounts.secretOf('nexmo', workspaceId, 16), given.get('api_secret') ?? '');
  if (!isOpen) return refuse('4', 'Bad Credentials');
  // Programs use this to check their credentials.
  if (call.path === '/account/get-balance') return answered(jsonAnswer(200, { value: 10.28, autoReload: false }));
  return check(call, { given, workspaceId });
}

function check(call: Call, { given, workspaceId }: { given: URLSearchParams; workspaceId: string }): Received {
  const refuse = (status: string, text: string) => answered(refusal(status, text));
  for (const name of ['to', 'from', 'text']) if (!given.get(name)) return refuse('2', `Missing ${name} param`);
  const [to = '', from = '', text = '', type = 'text'] = ['to', 'from', 'text', 'type'].map(
    (name) => given.get(name) ?? undefined,
  );
  if (!/^\d+$/.test(to)) return refuse('3', 'to address is not numeric');
  if (!isE164(`+${to}`)) return refuse('3', 'Invalid to param');
  if (!isSender(from)) return refuse('15', 'Illegal Sender Address - rejected');
  if (!['text', 'unicode'].includes(type)) return refuse('3', 'Invalid type param');
  if (text.length > 3_200) return refuse('12', 'Message too long');
  if ((given.get('client-ref') ?? '').length > 100) return refuse('3', 'Invalid client-ref param');
  const fate = fateOf(`+${to}`);
  const refused = fate === null ? undefined : refusals[fate];
  if (refused) return refuse(...refused);
  const shown = type === 'unicode' ? text : inGsmAlphabet(text);
  const { segments } = segmentsOf(shown);
  const callback = given.get('callback');
  return {
    kind: 'taken',
    fate,
    message: {
      workspaceId,
      channel: 'sms',
      sender: from,
      recipient: `+${to}`,
      subject: '',
      text: shown,
      raw: call.body.toString(),
      segments,
      callbackUrl: callback !== null && /^https?:/.test(callback) ? callback : null,
    },
    answer: (id) => accepted({ id, to, segments }),
  };
}

/** The parameters of a body: JSON or a form. */
function fieldsIn(body: string): URLSearchParams {
  const given = parseJson(body);
  if (typeof given !== 'object' || given === null) return new URLSearchParams(body);
  return new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)]));
}

/** Whether the text is a valid sender: digits without a plus, or a name of at most eleven letters and digits. */
const isSender = (from: string) => /^\d{3,15}$/.test(from) || /^(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}$/.test(from);

const refusals: Partial<Record<MagicFate, [status: string, text: string]>> = {
  invalid: ['6', 'The message was not recognised: unroutable number prefix'],
  unreachable: ['6', 'Un-routable message - rejected'],
  region_closed: ['29', 'Non-Whitelisted Destination - rejected'],
  opted_out: ['7', 'Number barred'],
};

function accepted({ id, to, segments }: { id: string; to: string; segments: number }): Answer {
  const messages = Array.from({ length: segments }, (_, part) => ({
    to,
    'message-id': partId(id, part),
    status: '0',
    'remaining-balance': '3.14159265',
    'message-price': '0.03330000',
    network: '12345',
  }));
  return jsonAnswer(200, { 'message-count': String(segments), messages });
}

/** The id of a part; the first one has the message's own. */
function partId(id: string, part: number): string {
  return part === 0 ? id : createHash('sha256').update(`${id} ${part}`).digest('hex').slice(0, 32);
}

function refusal(status: string, text: string): Answer {
  return jsonAnswer(200, { 'message-count': '1', messages: [{ status, 'error-text': text }] });
}

function report(message: ReportedMessage, { happening, accounts, now }: ReportContext): HttpRequest[] {
  if (happening.kind === 'sent') return [];
  const key = accounts.secretOf('nexmo signature', message.workspaceId);
  const time = now.toString({ smallestUnit: 'second' });
  const common = {
    'api-key': accountOf(message.workspaceId),
    'message-timestamp': time.replace('T', ' ').replace('Z', ''),
    timestamp: String(Math.floor(now.epochMilliseconds / 1000)),
  };
  const send = (id: string, fields: Record<string, string>) =>
    jsonReport(message.callbackUrl, { body: JSON.stringify(signed({ ...common, ...fields, nonce: id }, key)) });
  if (happening.kind === 'reply') {
    const { id, text } = happening;
    const inbound = { msisdn: message.recipient.slice(1), to: message.sender, messageId: id, text, type: 'text' };
    return [send(id, { ...inbound, keyword: text.trim().split(/\s/)[0]?.toUpperCase() ?? '' })];
  }
  const isDelivered = happening.kind === 'delivered';
  const clientRef = fieldsIn(message.raw ?? '').get('client-ref');
  return Array.from({ length: message.segments ?? 1 }, (_, part) => {
    const id = partId(message.id, part);
    return send(id, {
      msisdn: message.recipient.slice(1),
      to: message.sender,
      'network-code': '12345',
      messageId: id,
      price: '0.03330000',
      status: happening.kind,
      scts: time.replace(/\D/g, '').slice(2, 12),
      'err-code': isDelivered ? '0' : '1',
      ...(clientRef && { 'client-ref': clientRef }),
    });
  });
}

/** `sig`: the HMAC-SHA256 of all parameters in order (developer.vonage.com, "Signing messages"). */
function signed(fields: Record<string, string>, key: string): Record<string, string> {
  const content = Object.entries(fields)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`)
    .join('');
  return { ...fields, sig: createHmac('sha256', key).update(content).digest('hex').toUpperCase() };
}
