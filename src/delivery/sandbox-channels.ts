import type { SandboxProvider } from '#contract/inbox.ts';
import type { SandboxAddresses } from '#sandbox/addresses.ts';

/**
 * A channel for each provider that the sandbox emulates, configured for the workspace's accounts there. The first of a
 * type is the default of a workspace without a channel of its own.
 */
export function sandboxChannels(sandbox: SandboxAddresses, workspaceId: string): SandboxProvider[] {
  const accounts = sandbox.accountsFor(workspaceId);
  const { twilio, awsSns, messageBird, vonage, waha, whatsAppBusiness, slack } = accounts;
  const at = { base_url: accounts.baseUrl };
  const twilioKeys = { api_key: twilio.accountSid, api_secret: twilio.authToken };
  const messageBirdKeys = { api_key: messageBird.accessKey, signing_key: messageBird.signingKey };
  const channel = (type: SandboxProvider['channel'], configuration: { provider: string } & Record<string, string>) => {
    const { provider, ...rest } = configuration;
    return { channel: type, provider, configuration: rest };
  };
  return [
    channel('sms', { provider: 'twilio', ...at, ...twilioKeys, from_number: twilio.number }),
    channel('sms', {
      provider: 'aws_sns',
      ...at,
      api_key: awsSns.accessKeyId,
      api_secret: awsSns.secretAccessKey,
      from_number: awsSns.senderId,
      region: awsSns.region,
    }),
    channel('sms', { provider: 'messagebird', ...at, ...messageBirdKeys, from_number: messageBird.originator }),
    channel('sms', {
      provider: 'nexmo',
      ...at,
      api_key: vonage.apiKey,
      api_secret: vonage.apiSecret,
      from_number: vonage.sender,
      signature_secret: vonage.signatureSecret,
      signature_method: 'sha256',
    }),
    channel('whatsapp', {
      provider: 'waha',
      ...at,
      session_name: waha.session,
      api_key: waha.apiKey,
      hmac_key: waha.hmacKey,
    }),
    channel('whatsapp', { provider: 'twilio', ...at, ...twilioKeys, phone_number_id: twilio.whatsAppNumber }),
    channel('whatsapp', {
      provider: 'whatsapp_business',
      ...at,
      api_key: whatsAppBusiness.accessToken,
      phone_number_id: whatsAppBusiness.phoneNumberId,
      app_secret: whatsAppBusiness.appSecret,
    }),
    channel('whatsapp', { provider: 'messagebird', ...at, ...messageBirdKeys, phone_number_id: messageBird.channelId }),
    channel('slack', { provider: 'webhook', webhook_url: slack.webhookUrl }),
    channel('slack', { provider: 'bot', base_url: slack.apiUrl, bot_token: slack.botToken, channel: slack.channel }),
  ];
}
