import { z } from 'zod';
import { magicSlackChannels } from '#contract/simulated-failures.ts';
import { accountOf, workspaceOf } from '#sandbox/accounts.ts';
import {
  type Answer,
  type Call,
  formOf,
  jsonAnswer,
  jsonOf,
  mediaTypeOf,
  parseJson,
  textAnswer,
} from '#sandbox/call.ts';
import { answered, type Emulator, type EmulatorContext, type Received } from '#sandbox/emulator.ts';

const tokenPrefix = 'xoxb-';

/** Slack's incoming webhooks and `chat.postMessage` (docs.slack.dev: incoming webhooks, chat.postMessage). */
export const slack: Emulator = {
  provider: 'slack',
  owns: ({ path }) => path.startsWith('/services/') || path === '/api/chat.postMessage' || path === '/api/auth.test',
  receive: async (call, context) =>
    call.path.startsWith('/services/') ? receiveHook(call, context) : receiveBot(call, context),
  throttled: () => jsonAnswer(429, { ok: false, error: 'ratelimited' }),
  unavailable: (status) => textAnswer(status, status === 500 ? 'rollup_error' : 'service_unavailable'),
};

export const webhookPathOf = ({ accounts }: Pick<EmulatorContext, 'accounts'>, workspaceId: string) =>
  `/services/T${accountOf(workspaceId).toUpperCase()}/B${accounts.digitsOf('slack hook', workspaceId, 10)}/${accounts.secretOf('slack', workspaceId)}`;

export const botTokenOf = ({ accounts }: Pick<EmulatorContext, 'accounts'>, workspaceId: string) =>
  `${tokenPrefix}${accounts.tokenOf('slack bot', workspaceId)}`;

const Block = z.looseObject({ type: z.string() });
const Post = z.looseObject({
  text: z.string().optional(),
  blocks: z.array(Block).max(50).optional(),
  attachments: z.array(z.looseObject({})).max(100).optional(),
  channel: z.string().optional(),
  username: z.string().optional(),
});
type Post = z.output<typeof Post>;

function receiveHook(call: Call, context: EmulatorContext): Received {
  const refuse = (status: number, words: string) => answered(textAnswer(status, words));
  const [, , team = '', hook = '', token = ''] = call.path.split('/');
  const workspaceId = team.startsWith('T') ? workspaceOf(team.slice(1)) : null;
  if (workspaceId === null) return refuse(404, 'no_team');
  if (hook !== `B${context.accounts.digitsOf('slack hook', workspaceId, 10)}`) return refuse(404, 'no_service');
  if (!context.accounts.isSecret('slack', workspaceId, token)) return refuse(403, 'invalid_token');
  if (call.method !== 'POST') return refuse(400, 'invalid_payload');
  const parsed = Post.safeParse(payloadOf(call));
  if (!parsed.success) return refuse(400, 'invalid_payload');
  const problem = problemOf(parsed.data);
  if (problem) return refuse(400, problem === 'msg_too_long' ? 'invalid_payload' : problem);
  return taken(call, { workspaceId, post: parsed.data, channel: '#general', answer: () => textAnswer(200, 'ok') });
}

/** The payload of a post: the JSON body, or JSON in the form field `payload`. */
function payloadOf(call: Call): unknown {
  const form = formOf(call);
  if (form !== null) return parseJson(form.get('payload') ?? '');
  return jsonOf(call);
}

function receiveBot(call: Call, context: EmulatorContext): Received {
  const refuse = (error: string, details: object = {}) => answered(jsonAnswer(200, { ok: false, error, ...details }));
  const [, bearer] = /^Bearer (\S+)$/i.exec(call.headers.authorization ?? '') ?? [];
  const form = formOf(call);
  const token = bearer ?? form?.get('token') ?? '';
  if (token === '') return refuse('not_authed');
  const workspaceId = token.startsWith(tokenPrefix)
    ? context.accounts.openToken('slack bot', token.slice(tokenPrefix.length))
    : null;
  if (workspaceId === null) return refuse('invalid_auth');
  const team = `T${accountOf(workspaceId).toUpperCase()}`;
  // Programs use this to check their token.
  if (call.path === '/api/auth.test')
    return answered(
      jsonAnswer(200, {
        ok: true,
        url: context.url,
        team: 'Cuebird sandbox',
        user: 'cuebird',
        team_id: team,
        user_id: 'U0CUEBIRD',
        bot_id: 'B0CUEBIRD',
      }),
    );
  if (call.method !== 'POST') return refuse('method_not_supported');
  if (form === null && mediaTypeOf(call.headers) !== 'application/json') return refuse('invalid_post_type');
  const given = form === null ? jsonOf(call) : fieldsOf(form);
  if (given === undefined) return refuse('invalid_json');
  const parsed = Post.safeParse(given);
  if (!parsed.success)
    return refuse(parsed.error.issues[0]?.path[0] === 'blocks' ? 'invalid_blocks' : 'invalid_arguments');
  const { channel } = parsed.data;
  if (!channel)
    return refuse('invalid_arguments', {
      response_metadata: { messages: ['[ERROR] missing required field: channel'] },
    });
  const problem =
    problemOf(parsed.data) ??
    magicSlackChannels.find(({ recipient }) => recipient === `#${channel.replace(/^#/, '')}`)?.error;
  if (problem) return refuse(problem);
  return taken(call, {
    workspaceId,
    post: parsed.data,
    channel,
    answer: (id) => posted(id, { call, channel, text: textOf(parsed.data) }),
  });
}

/** A form carries blocks as JSON. */
function fieldsOf(form: URLSearchParams): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.fromEntries(form);
  for (const name of ['blocks', 'attachments']) {
    const value = form.get(name);
    if (value !== null) fields[name] = parseJson(value);
  }
  return fields;
}

/** The first rule that a post breaks, as Slack's error code. */
function problemOf({ text = '', blocks = [], attachments = [] }: Post): string | null {
  if (text.trim() === '' && blocks.length === 0 && attachments.length === 0) return 'no_text';
  if (text.length > 40_000) return 'msg_too_long';
  return blocks.every(isBlock) ? null : 'invalid_blocks';
}

/** The limits of the blocks that hold text (docs.slack.dev/reference/block-kit/blocks). */
const blockTexts = [
  z.looseObject({
    type: z.literal('section'),
    text: z.looseObject({ type: z.enum(['mrkdwn', 'plain_text']), text: z.string().min(1).max(3_000) }).optional(),
  }),
  z.looseObject({
    type: z.literal('header'),
    text: z.looseObject({ type: z.literal('plain_text'), text: z.string().min(1).max(150) }),
  }),
  z.looseObject({
    type: z.enum(['context', 'divider', 'image', 'actions', 'rich_text', 'markdown', 'input', 'video', 'file']),
  }),
] as const;
const KnownBlock = z.union(blockTexts);
const isBlock = (block: z.output<typeof Block>) => KnownBlock.safeParse(block).success;

const TextBlock = z.looseObject({ text: z.looseObject({ text: z.string() }) });

/** The displayed text: that of the blocks, or the text itself. */
function textOf({ text = '', blocks = [] }: Post): string {
  const parts = blocks.flatMap((block) => {
    const found = TextBlock.safeParse(block);
    return found.success ? [found.data.text.text] : [];
  });
  return parts.length > 0 ? parts.join('\n\n') : text;
}

function taken(
  call: Call,
  of: { workspaceId: string; post: Post; channel: string; answer: (id: string) => Answer },
): Received {
  const { workspaceId, post, channel, answer } = of;
  const message = { workspaceId, channel: 'slack' as const, sender: post.username ?? 'Cuebird', recipient: channel };
  const texts = { subject: '', text: textOf(post), raw: call.body.toString() };
  return { kind: 'taken', fate: null, message: { ...message, ...texts, segments: null, callbackUrl: null }, answer };
}

function posted(id: string, { call, channel, text }: { call: Call; channel: string; text: string }): Answer {
  // The id of a message in its channel: ten digits, a dot, and six.
  const micros = Number.parseInt(accountOf(id).slice(-6), 16) % 1_000_000;
  const ts = `${Math.floor(call.now.epochMilliseconds / 1000)}.${String(micros).padStart(6, '0')}`;
  const channelId = /^[CGD][A-Z0-9]{8,}$/.test(channel) ? channel : 'C0CUEBIRD1';
  const message = { type: 'message', subtype: 'bot_message', text, ts, bot_id: 'B0CUEBIRD' };
  return jsonAnswer(200, { ok: true, channel: channelId, ts, message });
}
