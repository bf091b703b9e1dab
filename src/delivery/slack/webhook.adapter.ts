import { z } from 'zod';
import { hopsHeader } from '#contract/hops.ts';
import type { Adapter } from '#delivery/adapter.ts';
import { type Answered, apiTimeoutMs, outcomeOfRequest, refusal, tooLong } from '#delivery/answer.ts';
import { HttpUrl } from '#delivery/provider.config.ts';
import { oneLine } from '#domain/one-line.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { AllowMentions, allowMentionsField, maxCharacters, slackText } from './slack.text.ts';

const Config = z.object({ webhook_url: HttpUrl, allow_mentions: AllowMentions });

/**
 * Posts to an incoming webhook (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks). It returns no
 * message id.
 */
export const adapter: Adapter<z.output<typeof Config>> = {
  type: 'slack',
  provider: 'webhook',
  title: 'Incoming webhook',
  rank: 1,
  shape: Config,
  // The URL is a secret: anyone who knows it can post.
  secretFields: ['webhook_url'],
  destinationFields: ['webhook_url'],
  fields: [
    {
      name: 'webhook_url',
      label: 'Webhook URL',
      kind: 'password',
      required: true,
      placeholder: 'https://hooks.slack.com/services/…',
    },
    allowMentionsField,
  ],
  destinationOf: (_, config) => URL.parse(config.webhook_url)?.origin ?? config.webhook_url,
  show: (envelope, { config }) => ({ kind: 'text', title: null, text: slackText(envelope, config) }),
  async send(envelope, { config, network }) {
    const text = slackText(envelope, config);
    const refusedText = tooLong(text, { max: maxCharacters, by: 'Slack' });
    if (refusedText !== null) return refusedText;
    const request: HttpRequest = {
      url: config.webhook_url,
      method: 'POST',
      headers: [
        'content-type',
        'application/json; charset=utf-8',
        'user-agent',
        'Cuebird',
        hopsHeader,
        String((envelope.hops ?? 0) + 1),
      ],
      body: JSON.stringify({ text }),
      timeoutMs: apiTimeoutMs,
    };
    const { delivery_id: receipt } = envelope;
    return outcomeOfRequest(request, { network, read: (answer) => outcomeOf(answer, { receipt, now: network.now() }) });
  },
};

function outcomeOf(answer: Answered, { receipt, now }: { receipt: string; now: Temporal.Instant }): Outcome {
  const words = oneLine(answer.body).slice(0, 200);
  if (answer.status < 300) return { outcome: 'accepted', receipt, answer: `HTTP ${answer.status}: ${words}` };
  const sentence = meanings[words];
  return refusal(answer, { reason: `Slack ${answer.status}: ${words}${sentence ? ` (${sentence})` : ''}`, now });
}

const meanings: Record<string, string> = {
  action_prohibited: 'an administrator of the workspace does not allow it',
  channel_is_archived: 'the channel is archived',
  channel_not_found: 'the channel does not exist',
  invalid_token: 'the webhook was revoked or its URL is wrong',
  no_active_hooks: 'the webhook is switched off',
  no_service: 'the webhook was removed or its URL is wrong',
  no_team: 'the workspace does not exist',
  posting_to_general_channel_denied: 'only administrators may post there',
  team_disabled: 'the workspace is switched off',
  user_not_found: 'the user does not exist',
};
