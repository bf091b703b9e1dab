import type { InboxMessage, SandboxProvider } from '#contract/inbox.ts';
import { findMessage, findMessageToAnswer } from '#features/inbox/inbox.db.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound, Unprocessable } from '#platform/errors.ts';
import type { Sandbox } from '#platform/sandbox/sandbox.ts';

/** Answers a message as its recipient; the sandbox keeps the answer and brings it to Cuebird as the provider does. */
export async function replyToMessage(
  ctx: TenantContext,
  { id, text, sandbox }: { id: string; text: string; sandbox: Sandbox },
): Promise<InboxMessage> {
  const { workspaceId } = ctx;
  const message = await findMessageToAnswer(ctx.db, { workspaceId, id });
  if (message === undefined) throw new NotFound('message');
  const { provider, channel, reply_to: replyTo } = message;
  if (provider === null || replyTo !== null || (channel !== 'sms' && channel !== 'whatsapp'))
    throw new Unprocessable('Only messages by SMS and WhatsApp can be answered');
  const { body_raw: raw, callback_url: callbackUrl, body_text: said, ...rest } = message;
  const reply = await sandbox.reply({ ...rest, workspaceId, provider, raw, callbackUrl, text: said }, text);
  const kept = await findMessage(ctx.db, { workspaceId, id: reply.id });
  if (kept === undefined) throw new Error('An answer that was kept is not there');
  return kept;
}

/** The configuration of a channel for each provider that the sandbox plays, as the Channels screen asks for it. */
export function providersFor(sandbox: Sandbox, workspaceId: string): SandboxProvider[] {
  const { baseUrl, twilio, awsSns, messageBird, vonage, waha, whatsAppBusiness, slack } =
    sandbox.accountsFor(workspaceId);
  const at = { base_url: baseUrl };
  const twilioKeys = { api_key: twilio.accountSid, api_secret: twilio.authToken };
  return [
    { channel: 'sms', provider: 'twilio', configuration: { ...at, ...twilioKeys, from_number: twilio.number } },
    {
      channel: 'sms',
      provider: 'aws_sns',
      configuration: { ...at, api_key: awsSns.accessKeyId, api_secret: awsSns.secretAccessKey, region: awsSns.region },
    },
    {
      channel: 'sms',
      provider: 'messagebird',
      configuration: { ...at, api_key: messageBird.accessKey, from_number: messageBird.originator },
    },
    {
      channel: 'sms',
      provider: 'nexmo',
      configuration: { ...at, api_key: vonage.apiKey, api_secret: vonage.apiSecret, from_number: vonage.sender },
    },
    {
      channel: 'whatsapp',
      provider: 'waha',
      configuration: { ...at, session_name: waha.session, api_key: waha.apiKey },
    },
    {
      channel: 'whatsapp',
      provider: 'twilio',
      configuration: { ...at, ...twilioKeys, phone_number_id: twilio.whatsAppNumber },
    },
    {
      channel: 'whatsapp',
      provider: 'whatsapp_business',
      configuration: { ...at, api_key: whatsAppBusiness.accessToken, phone_number_id: whatsAppBusiness.phoneNumberId },
    },
    {
      channel: 'whatsapp',
      provider: 'messagebird',
      configuration: { ...at, api_key: messageBird.accessKey, phone_number_id: messageBird.channelId },
    },
    { channel: 'slack', provider: 'webhook', configuration: { webhook_url: slack.webhookUrl } },
    { channel: 'slack', provider: 'bot', configuration: { ...at, bot_token: slack.botToken, channel: slack.channel } },
  ];
}
