import { type Call, jsonAnswer } from '#sandbox/call.ts';
import { answered, type Emulator, type EmulatorContext, type Received } from '#sandbox/emulator.ts';
import { messageBirdConversations } from './messagebird-conversations.ts';
import { refusals } from './messagebird-refusals.ts';
import { messageBirdSms } from './messagebird-sms.ts';

/** MessageBird's SMS API and its Conversations API (developers.messagebird.com/api/sms-messaging, …/api/conversations). */
export const messageBird: Emulator = {
  provider: 'messagebird',
  owns: ({ path }) => path === '/messages' || path === '/balance' || path.startsWith('/v1/'),
  receive,
  throttled: () => refusals(429, [{ code: 24, description: 'Too many requests', parameter: null }]),
  unavailable: (status) => refusals(status, [{ code: 99, description: 'Internal error', parameter: null }]),
  report(message, of) {
    return message.channel === 'whatsapp'
      ? messageBirdConversations.report(message, of)
      : messageBirdSms.report(message, of);
  },
};

async function receive(call: Call, context: EmulatorContext): Promise<Received> {
  const [, key = ''] = /^AccessKey (\S+)$/.exec(call.headers.authorization ?? '') ?? [];
  const workspaceId = context.accounts.openToken('messagebird', key);
  if (workspaceId === null) {
    return answered(
      refusals(401, [{ code: 2, description: 'Request not allowed (incorrect access_key)', parameter: 'access_key' }]),
    );
  }
  // Programs use this to check their key.
  if (call.path === '/balance' && call.method === 'GET')
    return answered(jsonAnswer(200, { payment: 'prepaid', type: 'euros', amount: 103 }));
  return call.path === '/messages'
    ? messageBirdSms.check(call, workspaceId)
    : messageBirdConversations.check(call, { context, workspaceId });
}
