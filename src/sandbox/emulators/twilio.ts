import type { MagicFate } from '#contract/simulated-failures.ts';
import { accountOf, workspaceOf } from '#sandbox/accounts.ts';
import { type Answer, basicAuthOf, type Call, formOf, jsonAnswer } from '#sandbox/call.ts';
import { answered, type Emulator, fateOf, type EmulatorContext, isE164, type Received } from '#sandbox/emulator.ts';
import { segmentsOf } from '#sandbox/sms-segments.ts';
import { isSameSecret } from '#platform/same-secret.ts';
import { report } from './twilio-reports.ts';

/** The numbers of every account: the one that Twilio's test credentials send from, and the sender of its WhatsApp sandbox. */
export const twilioNumbers = { sms: '+15005550006', whatsapp: '+14155238886' };

const path = /^\/2010-04-01\/Accounts\/([^/]+)(\/Messages)?\.json$/;

/**
 * Twilio's Messages resource, for SMS and WhatsApp (twilio.com/docs/messaging/api/message-resource; the codes are those of
 * twilio.com/docs/api/errors).
 */
export const twilio: Emulator = {
  provider: 'twilio',
  owns: (call) => call.path.startsWith('/2010-04-01/'),
  receive,
  throttled: () => refusal(429, 20429, 'Too Many Requests'),
  unavailable: (status) => refusal(status, 20500, 'An internal server error has occurred'),
  report,
};

async function receive(call: Call, context: EmulatorContext): Promise<Received> {
  const [, sid = '', messages] = path.exec(call.path) ?? [];
  const workspaceId = sid.startsWith('AC') ? workspaceOf(sid.slice(2)) : null;
  const login = basicAuthOf(call.headers);
  const isOpen =
    workspaceId !== null &&
    login?.username === sid &&
    isSameSecret(context.accounts.secretOf('twilio', workspaceId), login.password);
  if (!isOpen) return answered(unauthenticated);
  // Programs use this to check their credentials.
  if (messages === undefined && call.method === 'GET') return answered(accountAnswer(sid));
  if (messages === undefined || call.method !== 'POST')
    return answered(refusal(404, 20404, `The requested resource ${call.path} was not found`));
  return check(call, { context, workspaceId, sid });
}

async function check(
  call: Call,
  { context, workspaceId, sid }: { context: EmulatorContext; workspaceId: string; sid: string },
): Promise<Received> {
  const form = formOf(call) ?? new URLSearchParams();
  const refuse = (code: number, message: string) => answered(refusal(400, code, message));
  const [to, from, body] = [form.get('To') ?? '', form.get('From') ?? '', form.get('Body') ?? ''];
  if (to === '') return refuse(21604, "A 'To' phone number is required.");
  if (from === '' && !form.has('MessagingServiceSid')) return refuse(21603, "A 'From' phone number is required.");
  if (body === '' && !form.has('MediaUrl') && !form.has('ContentSid'))
    return refuse(21602, 'Message body is required.');
  if (Array.from(body).length > 1_600)
    return refuse(21617, 'The concatenated message body exceeds the 1600 character limit');
  const callbackUrl = form.get('StatusCallback');
  if (callbackUrl !== null && !/^https?:$/.test(URL.parse(callbackUrl)?.protocol ?? '')) {
    return refuse(21609, `The 'StatusCallback' URL ${callbackUrl} is not a valid URL.`);
  }

  const isWhatsApp = to.startsWith('whatsapp:');
  if (isWhatsApp !== from.startsWith('whatsapp:'))
    return refuse(21910, "Invalid 'From' and 'To' pair. 'From' and 'To' should be of the same channel");
  const [recipient, sender] = [to, from].map((address) => address.replace(/^whatsapp:/, ''));
  if (recipient === undefined || sender === undefined || !isE164(recipient))
    return refuse(21211, `Invalid 'To' Phone Number: ${to}`);
  const problem = isWhatsApp ? whatsAppSenderProblem(sender) : senderProblem(sender);
  if (problem) return refuse(...problem);
  const fate = fateOf(recipient);
  const fateRefusal = fate === null ? undefined : refusals({ to, from })[fate];
  if (fateRefusal) return refuse(...fateRefusal);
  if (recipient === sender) return refuse(21266, "'To' and 'From' number cannot be the same");
  if (await context.hasOptedOut({ workspaceId, provider: 'twilio', sender, recipient })) {
    return refuse(21610, 'Attempt to send to unsubscribed recipient');
  }

  const { segments } = segmentsOf(body);
  return {
    kind: 'taken',
    fate,
    message: {
      workspaceId,
      channel: isWhatsApp ? 'whatsapp' : 'sms',
      sender,
      recipient,
      subject: '',
      text: body,
      raw: call.body.toString(),
      segments: isWhatsApp ? null : segments,
      callbackUrl,
    },
    answer: (id) => messageAnswer({ id, sid, to, from, body, segments, now: call.now }),
  };
}

type Problem = [code: number, message: string];

/** Numbers must be the account's own. A name of up to eleven letters and digits is accepted, a short code is not. */
function senderProblem(sender: string): Problem | null {
  if (sender === twilioNumbers.sms || isSenderName(sender)) return null;
  if (!isE164(sender))
    return [21212, `The 'From' number ${sender} is not a valid phone number, shortcode, or alphanumeric sender ID.`];
  return [
    21606,
    `The 'From' phone number provided (${sender}) is not a valid message-capable Twilio phone number for this destination.`,
  ];
}

const isSenderName = (sender: string) => /^(?=.*[A-Za-z])[A-Za-z0-9 &+_-]{1,11}$/.test(sender);

function whatsAppSenderProblem(sender: string): Problem | null {
  if (sender === twilioNumbers.whatsapp) return null;
  return [63007, 'Twilio could not find a Channel with the specified From address'];
}

const refusals = ({ to, from }: { to: string; from: string }): Partial<Record<MagicFate, Problem>> => ({
  invalid: [21211, `Invalid 'To' Phone Number: ${to}`],
  unreachable: [
    21612,
    `The 'To' phone number: ${to}, is not currently reachable using the 'From' phone number: ${from} via SMS.`,
  ],
  region_closed: [
    21408,
    `Permission to send an SMS has not been enabled for the region indicated by the 'To' number: ${to}`,
  ],
  opted_out: [21610, 'Attempt to send to unsubscribed recipient'],
  not_mobile: [21614, `'To' number: ${to}, is not a valid mobile number`],
});

function messageAnswer(of: {
  id: string;
  sid: string;
  to: string;
  from: string;
  body: string;
  segments: number;
  now: Temporal.Instant;
}): Answer {
  const messageSid = `SM${accountOf(of.id)}`;
  const date = new Date(of.now.epochMilliseconds).toUTCString().replace('GMT', '+0000');
  const uri = `/2010-04-01/Accounts/${of.sid}/Messages/${messageSid}`;
  return jsonAnswer(201, {
    account_sid: of.sid,
    api_version: '2010-04-01',
    body: of.body,
    date_created: date,
    date_sent: null,
    date_updated: date,
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from: of.from,
    messaging_service_sid: null,
    num_media: '0',
    num_segments: String(of.segments),
    price: null,
    price_unit: 'USD',
    sid: messageSid,
    status: 'queued',
    subresource_uris: { media: `${uri}/Media.json` },
    to: of.to,
    uri: `${uri}.json`,
  });
}

const accountAnswer = (sid: string) =>
  jsonAnswer(200, {
    sid,
    friendly_name: 'Cuebird sandbox',
    status: 'active',
    type: 'Full',
    uri: `/2010-04-01/Accounts/${sid}.json`,
  });

const unauthenticated: Answer = refusal(401, 20003, 'Authenticate', {
  'www-authenticate': 'Basic realm="Twilio API"',
});

function refusal(status: number, code: number, message: string, headers: Answer['headers'] = {}): Answer {
  return jsonAnswer(
    status,
    { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
    headers,
  );
}
