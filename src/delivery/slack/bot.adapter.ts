import { z } from 'zod';
import type { Adapter } from '#delivery/adapter.ts';
import {
  type Answered,
  apiTimeoutMs,
  inWords,
  jsonIn,
  notUnderstood,
  outcomeOfRequest,
  refusal,
  refused,
  tooLong,
  verifyByRequest,
} from '#delivery/answer.ts';
import { BaseUrl, baseUrlField, incomplete, NeededKey, Optional } from '#delivery/provider.config.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { AllowMentions, allowMentionsField, maxCharacters, slackText } from './slack.text.ts';

const api = 'https://slack.com/api';

const Config = z.object({
  bot_token: NeededKey,
  channel: Optional,
  base_url: BaseUrl(api),
  allow_mentions: AllowMentions,
});
type Config = z.output<typeof Config>;

/**
 * Posts with a bot's chat.postMessage (docs.slack.dev/reference/methods/chat.postMessage). Slack answers refusals with
 * 200, too.
 */
export const adapter: Adapter<Config> = {
  type: 'slack',
  provider: 'bot',
  title: 'Bot token',
  rank: 2,
  shape: Config,
  secretFields: ['bot_token'],
  destinationFields: ['base_url'],
  fields: [
    {
      name: 'bot_token',
      label: 'Bot Token',
      kind: 'password',
      required: true,
      placeholder: 'xoxb-…',
      help: 'With the scope chat:write',
    },
    {
      name: 'channel',
      label: 'Channel',
      kind: 'text',
      required: false,
      placeholder: '#general',
      help: 'A name or an ID; invite the bot there',
    },
    allowMentionsField,
    baseUrlField(api),
  ],
  destinationOf: (_, config) => config.base_url,
  show: (envelope, { config }) => ({ kind: 'text', title: null, text: slackText(envelope, config) }),
  async send(envelope, { config, network }) {
    if (config.channel === undefined) return refused(`${incomplete}: name the Slack channel to post to`, 'no_channel');
    const text = slackText(envelope, config);
    const refusedText = tooLong(text, { max: maxCharacters, by: 'Slack' });
    if (refusedText !== null) return refusedText;
    const request = requestTo('chat.postMessage', config, {
      channel: config.channel,
      text,
      // Names in a value stay text: Slack links only what is in its own notation.
      parse: 'none',
      link_names: false,
    });
    return outcomeOfRequest(request, { network, read: (answer) => outcomeOf(answer, network.now()) });
  },
  verify: (config, network) =>
    verifyByRequest(requestTo('auth.test', config, {}), {
      network,
      read(answer) {
        const said = jsonIn(answer, Said);
        if (said?.ok !== true) return { success: false, message: reasonOf(answer) };
        return {
          success: true,
          message: `Connected to Slack as ${said.user ?? 'a bot'} in ${said.team ?? 'a workspace'}`,
        };
      },
    }),
};

const requestTo = (method: string, { base_url, bot_token }: Config, body: object): HttpRequest => ({
  url: `${base_url}/${method}`,
  method: 'POST',
  headers: [
    'authorization',
    `Bearer ${bot_token}`,
    'content-type',
    'application/json; charset=utf-8',
    'user-agent',
    'Cuebird',
  ],
  body: JSON.stringify(body),
  timeoutMs: apiTimeoutMs,
});

const Said = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  ts: z.string().optional(),
  channel: z.string().optional(),
  user: z.string().optional(),
  team: z.string().optional(),
});

function outcomeOf(answer: Answered, now: Temporal.Instant): Outcome {
  const said = jsonIn(answer, Said) ?? beginningOf(answer);
  if (said?.ok === true && said.ts !== undefined)
    return { outcome: 'accepted', receipt: said.ts, answer: `HTTP ${answer.status}: posted to ${said.channel ?? ''}` };
  if (answer.status >= 300 || said?.ok === false) {
    const isForNow = temporary.has(said?.error ?? '');
    return refusal(answer, { reason: reasonOf(answer), now, ...(said?.ok === false && { permanent: !isForNow }) });
  }
  return notUnderstood(answer);
}

/** Slack returns the message, so a long response is read only in part. */
function beginningOf({ body, isComplete }: Answered): z.output<typeof Said> | null {
  const [, channel, ts] = /^\{"ok":true,"channel":"(\w+)","ts":"([\d.]+)"/.exec(isComplete ? '' : body) ?? [];
  return ts === undefined ? null : { ok: true, channel, ts };
}

function reasonOf(answer: Answered): string {
  const error = jsonIn(answer, Said)?.error;
  if (error === undefined) return `Slack: ${inWords(answer)}`;
  const sentence = meanings[error];
  return `Slack: ${error}${sentence ? ` (${sentence})` : ''}`;
}

/** Errors that mean a fault of Slack's or too many requests. */
const temporary = new Set([
  'ratelimited',
  'rate_limited',
  'message_limit_exceeded',
  'internal_error',
  'fatal_error',
  'request_timeout',
  'service_unavailable',
]);

const meanings: Record<string, string> = {
  account_inactive: 'the token is of a deleted user or workspace',
  channel_not_found: 'there is no such channel, or the bot does not see it',
  invalid_auth: 'the token is not valid',
  is_archived: 'the channel is archived',
  missing_scope: 'the token lacks the scope chat:write',
  no_permission: 'the token may not do this',
  not_authed: 'no token was given',
  not_in_channel: 'invite the bot to the channel first',
  ratelimited: 'too many messages',
  restricted_action: 'the workspace does not allow it',
  token_expired: 'the token has expired',
  token_revoked: 'the token was revoked',
};
