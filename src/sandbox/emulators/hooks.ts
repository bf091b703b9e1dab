import { z } from 'zod';
import { type Answer, type Call, jsonAnswer, parseJson } from '#sandbox/call.ts';
import { answered, type Emulator, type EmulatorContext, type Received } from '#sandbox/emulator.ts';
import { storable } from '#sandbox/intake.ts';

const path = /^\/hooks\/([^/]+)\/([^/]+)(\/.*)?$/;

/**
 * Accepts every request to `/hooks/<workspace>/<token>`, whatever its method; below `/status/<code>` it answers with
 * that status.
 */
export const hooks: Emulator = {
  provider: null,
  owns: (call) => path.test(call.path),
  receive: async (call, context) => receive(call, context),
  throttled: () => jsonAnswer(429, { error: 'Too many requests' }),
  unavailable: (status) => jsonAnswer(status, { error: 'The call could not be stored' }),
};

export const hookPathOf = ({ accounts }: Pick<EmulatorContext, 'accounts'>, workspaceId: string) =>
  `/hooks/${workspaceId}/${accounts.secretOf('hook', workspaceId)}`;

function receive(call: Call, { accounts }: EmulatorContext): Received {
  const [, workspaceId = '', token = '', rest = ''] = path.exec(call.path) ?? [];
  if (!accounts.isSecret('hook', workspaceId, token)) return answered(unknownAddress);
  const [, code] = /^\/status\/([45]\d\d)$/.exec(rest) ?? [];
  if (code !== undefined) return answered(refusal(Number(code)));
  const text = call.body.toString();
  const about = aboutOf(call, text);
  return {
    kind: 'taken',
    fate: null,
    message: {
      workspaceId,
      channel: 'webhook',
      sender: call.headers['user-agent'] ?? '',
      recipient: about.recipient ?? call.path,
      subject: about.subject || `${call.method} ${rest.slice(1)}`.trim(),
      text: call.method === 'GET' && call.size === 0 ? decodedQuery(call.query) : text,
      raw: null,
      segments: null,
      callbackUrl: null,
    },
    answer: () => jsonAnswer(200, { received: true }),
  };
}

export const unknownAddress = jsonAnswer(404, { error: 'No workspace of this sandbox has this address' });

function refusal(status: number): Answer {
  return jsonAnswer(status, { error: `HTTP ${status}, as asked for` }, status === 429 ? { 'retry-after': '5' } : {});
}

const ReminderDue = z.object({ data: z.object({ subject: z.string(), recipient: z.string() }) });

/** Recipient and subject of a request with Cuebird's own kind of body or query. */
function aboutOf({ query }: Call, text: string): { subject?: string | null; recipient?: string | null } {
  if (!text.startsWith('{')) return { subject: query.get('subject'), recipient: query.get('recipient') };
  const due = ReminderDue.safeParse(parseJson(text));
  return due.success ? due.data.data : {};
}

const decodedQuery = (query: URLSearchParams) =>
  [...query].map(([name, value]) => `${name}: ${storable(value)}`).join('\n');
