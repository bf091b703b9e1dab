import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { MagicFate } from '#contract/simulated-failures.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { accountOf } from '#sandbox/accounts.ts';
import { type Answer, type Call, jsonAnswer, jsonOf } from '#sandbox/call.ts';
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

/** The one session of every account, and the number of its phone. */
export const wahaSession = 'default';
const own = '14155238887';

/** WAHA, the self-hosted WhatsApp HTTP API (waha.devlike.pro/docs). */
export const waha: Emulator = {
  provider: 'waha',
  owns: ({ path }) => path === '/api/sendText' || path === '/api/sessions' || path.startsWith('/api/sessions/'),
  receive,
  throttled: () => jsonAnswer(429, { statusCode: 429, message: 'ThrottlerException: Too Many Requests' }),
  unavailable: (status) => jsonAnswer(status, { statusCode: status, message: 'Internal server error' }),
  report,
};

async function receive(call: Call, context: EmulatorContext): Promise<Received> {
  const workspaceId = context.accounts.openToken('waha', call.headers['x-api-key'] ?? '');
  if (workspaceId === null) return answered(jsonAnswer(401, { message: 'Unauthorized', statusCode: 401 }));
  if (call.path !== '/api/sendText') return answered(sessionAnswer(call));
  if (call.method !== 'POST') return answered(notFound(`Cannot ${call.method} ${call.path}`));
  return checkText(call, workspaceId);
}

const SendText = z.looseObject({
  session: z.string().default(wahaSession),
  chatId: z.string({ error: 'chatId must be a string' }),
  text: z.string({ error: 'text must be a string' }).min(1, 'text should not be empty'),
});

function checkText(call: Call, workspaceId: string): Received {
  const sent = SendText.safeParse(jsonOf(call) ?? {});
  if (!sent.success) {
    const message = sent.error.issues.map((issue) => issue.message);
    return answered(jsonAnswer(400, { message, error: 'Bad Request', statusCode: 400 }));
  }
  const { session, chatId, text } = sent.data;
  if (session !== wahaSession) return answered(noSession(session));
  const recipient = `+${/^(\d+)@(?:c\.us|s\.whatsapp\.net)$/.exec(chatId)?.[1] ?? ''}`;
  const fate = fateOf(recipient);
  // The engine throws for a chat that WhatsApp does not know, and WAHA returns the error.
  if (!isE164(recipient) || (fate !== null && refused.has(fate)))
    return answered(engineFault(call, `No LID for user: ${chatId}`));
  return {
    kind: 'taken',
    fate,
    message: {
      workspaceId,
      channel: 'whatsapp',
      sender: `+${own}`,
      recipient,
      subject: '',
      text,
      raw: call.body.toString(),
      segments: null,
      callbackUrl: null,
    },
    answer: (id) => jsonAnswer(201, { ...payload({ id, chatId, text, now: call.now }), ack: 1, ackName: 'SERVER' }),
  };
}

const refused: ReadonlySet<MagicFate> = new Set(['invalid', 'unreachable', 'not_mobile']);

function sessionAnswer(call: Call): Answer {
  const name = decodeURIComponent(call.path.split('/')[3] ?? '');
  if (call.method !== 'GET') return notFound(`Cannot ${call.method} ${call.path}`);
  const session = {
    name: wahaSession,
    status: 'WORKING',
    config: {},
    me: { id: `${own}@c.us`, pushName: 'Cuebird sandbox' },
    engine: { engine: 'WEBJS' },
  };
  if (name === '') return jsonAnswer(200, [session]);
  return name === wahaSession
    ? jsonAnswer(200, session)
    : jsonAnswer(404, { message: 'Session not found', error: 'Not Found', statusCode: 404 });
}

const notFound = (message: string) => jsonAnswer(404, { message, error: 'Not Found', statusCode: 404 });

const noSession = (name: string) =>
  jsonAnswer(422, {
    error: 'Session status is not as expected. Try again later or restart the session',
    session: name,
    status: 'STOPPED',
    expected: ['WORKING'],
  });

function engineFault({ now, path }: Call, message: string): Answer {
  return jsonAnswer(500, {
    statusCode: 500,
    timestamp: now.toString(),
    exception: { name: 'Error', message },
    request: { path, method: 'POST' },
  });
}

function payload({ id, chatId, text, now }: { id: string; chatId: string; text: string; now: Temporal.Instant }) {
  return {
    id: messageId(id, chatId),
    timestamp: Math.floor(now.epochMilliseconds / 1000),
    from: `${own}@c.us`,
    fromMe: true,
    source: 'api',
    to: chatId,
    body: text,
    hasMedia: false,
    media: null,
  };
}

const messageId = (id: string, chatId: string) => `true_${chatId}_${accountOf(id).toUpperCase()}`;

/** Events of the session, signed with HMAC-SHA512 over the body (waha.devlike.pro/docs/how-to/events). */
function report(message: ReportedMessage, { happening, accounts, now }: ReportContext): HttpRequest[] {
  const chatId = `${message.recipient.slice(1)}@c.us`;
  const eventId = `evt_${accountOf(randomUUID())}`;
  const event =
    happening.kind === 'reply'
      ? { event: 'message', payload: incoming(happening, { chatId, now }) }
      : { event: 'message.ack', payload: { ...acknowledged(message, chatId), ...acks[happening.kind] } };
  const body = JSON.stringify({
    id: eventId,
    timestamp: now.epochMilliseconds,
    session: wahaSession,
    me: { id: `${own}@c.us`, pushName: 'Cuebird sandbox' },
    ...event,
    engine: 'WEBJS',
    environment: { version: '2026.11.1', engine: 'WEBJS', tier: 'PLUS' },
  });
  const signature = createHmac('sha512', accounts.secretOf('waha hmac', message.workspaceId))
    .update(body)
    .digest('hex');
  const headers = [
    ['x-webhook-request-id', eventId],
    ['x-webhook-timestamp', String(now.epochMilliseconds)],
    ['x-webhook-hmac', signature],
    ['x-webhook-hmac-algorithm', 'sha512'],
  ].flat();
  return [jsonReport(message.callbackUrl, { body, headers })];
}

const acks = {
  sent: { ack: 1, ackName: 'SERVER' },
  delivered: { ack: 2, ackName: 'DEVICE' },
  failed: { ack: -1, ackName: 'ERROR' },
};

const acknowledged = ({ id }: ReportedMessage, chatId: string) => ({
  id: messageId(id, chatId),
  from: `${own}@c.us`,
  to: chatId,
  participant: null,
  fromMe: true,
});

function incoming(reply: { id: string; text: string }, { chatId, now }: { chatId: string; now: Temporal.Instant }) {
  return {
    id: `false_${chatId}_${accountOf(reply.id).toUpperCase()}`,
    timestamp: Math.floor(now.epochMilliseconds / 1000),
    from: chatId,
    fromMe: false,
    source: 'app',
    to: `${own}@c.us`,
    body: reply.text,
    hasMedia: false,
    media: null,
    ack: 2,
    ackName: 'DEVICE',
  };
}
