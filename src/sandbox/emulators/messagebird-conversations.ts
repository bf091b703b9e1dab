import { z } from 'zod';
import type { MagicFate } from '#contract/simulated-failures.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { accountOf } from '#sandbox/accounts.ts';
import { type Call, jsonAnswer, jsonOf } from '#sandbox/call.ts';
import {
  answered,
  fateOf,
  type EmulatorContext,
  isE164,
  jsonReport,
  type Received,
  type ReportedMessage,
  type ReportContext,
} from '#sandbox/emulator.ts';
import { messageBirdSignature } from './messagebird-signature.ts';
import { refusals } from './messagebird-refusals.ts';

const Send = z.looseObject({
  to: z.union([z.string(), z.number()]).transform(String),
  type: z.literal('text'),
  content: z.looseObject({ text: z.string().min(1).max(4_096) }),
  from: z.string().optional(),
  channelId: z.string().optional(),
  reportUrl: z.url().optional(),
});

/** WhatsApp by the Conversations API: `POST /v1/send` and `POST /v1/conversations/start`. */
export const messageBirdConversations = { check, report };

function check(call: Call, { context, workspaceId }: { context: EmulatorContext; workspaceId: string }): Received {
  // Programs use this to check their key.
  if (call.path === '/v1/conversations' && call.method === 'GET')
    return answered(jsonAnswer(200, { offset: 0, limit: 1, count: 0, totalCount: 0, items: [] }));
  if (call.method !== 'POST') return refuse(405, 98, 'Method not allowed');
  const isStart = call.path === '/v1/conversations/start';
  if (!isStart && call.path !== '/v1/send') return refuse(404, 20, 'Not found');
  const given = jsonOf(call);
  if (given === undefined) return refuse(422, 21, 'JSON is not a valid format');
  const sent = Send.safeParse(given);
  if (!sent.success) return refuse(422, 21, `${sent.error.issues[0]?.path.join('.') ?? 'body'} is missing or invalid`);
  const { to, content, from, channelId, reportUrl } = sent.data;
  const channel = isStart ? channelId : from;
  if (channel === undefined) return refuse(422, 21, `${isStart ? 'channelId' : 'from'} is missing or invalid`);
  if (channel !== channelIdOf(context, workspaceId)) return refuse(404, 20, 'Channel not found');
  const recipient = `+${to.replace(/^\+/, '')}`;
  const fate = fateOf(recipient);
  if (!isE164(recipient) || (fate !== null && refused.has(fate))) return refuse(422, 21, 'to is missing or invalid');
  return {
    kind: 'taken',
    fate,
    message: {
      workspaceId,
      channel: 'whatsapp',
      sender: channel,
      recipient,
      subject: '',
      text: content.text,
      raw: call.body.toString(),
      segments: null,
      callbackUrl: reportUrl ?? null,
    },
    answer: (id) =>
      isStart
        ? jsonAnswer(201, conversation(id, { channel, now: call.now }))
        : jsonAnswer(202, { id: accountOf(id), status: 'accepted' }),
  };
}

const refused: ReadonlySet<MagicFate> = new Set(['invalid']);

const refuse = (status: number, code: number, description: string): Received =>
  answered(refusals(status, [{ code, description, parameter: null }]));

/** The WhatsApp channel that every account of the sandbox has. */
export function channelIdOf({ accounts }: Pick<EmulatorContext, 'accounts'>, workspaceId: string): string {
  const digits = accounts.secretOf('messagebird channel', workspaceId);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-');
}

function conversation(id: string, { channel, now }: { channel: string; now: Temporal.Instant }) {
  const [conversationId, at] = [accountOf(id), now.toString()];
  return {
    id: conversationId,
    contactId: conversationId,
    channels: [
      {
        id: channel,
        name: 'Cuebird sandbox',
        platformId: 'whatsapp',
        status: 'active',
        createdDatetime: at,
        updatedDatetime: at,
      },
    ],
    status: 'active',
    createdDatetime: at,
    updatedDatetime: at,
    lastReceivedDatetime: at,
    lastUsedChannelId: channel,
    messages: {
      totalCount: 1,
      href: `https://conversations.messagebird.com/v1/conversations/${conversationId}/messages`,
    },
  };
}

function report(message: ReportedMessage, { happening, accounts, now }: ReportContext): HttpRequest[] {
  const isReply = happening.kind === 'reply';
  const id = accountOf(isReply ? happening.id : message.id);
  const body = JSON.stringify({
    type: isReply ? 'message.created' : 'message.updated',
    contact: { id: accountOf(message.id), msisdn: Number(message.recipient.slice(1)) },
    conversation: { id: accountOf(message.id), status: 'active', lastUsedChannelId: message.sender },
    message: {
      id,
      conversationId: accountOf(message.id),
      channelId: message.sender,
      platform: 'whatsapp',
      to: isReply ? message.sender : message.recipient,
      from: isReply ? message.recipient : message.sender,
      direction: isReply ? 'received' : 'sent',
      type: 'text',
      content: { text: isReply ? happening.text : message.text },
      status: isReply ? 'received' : happening.kind,
      ...(happening.kind === 'failed' && { error: { code: 470, description: 'Message undeliverable' } }),
      createdDatetime: now.toString(),
      updatedDatetime: now.toString(),
    },
  });
  const key = accounts.secretOf('messagebird signing', message.workspaceId);
  const signature = messageBirdSignature({ url: message.callbackUrl, body, key, now });
  return [jsonReport(message.callbackUrl, { body, headers: ['messagebird-signature-jwt', signature] })];
}
