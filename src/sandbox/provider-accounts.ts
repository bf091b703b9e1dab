import { accountOf } from './accounts.ts';
import type { EmulatorContext } from './emulator.ts';
import { accessKeyIdOf } from './emulators/aws-sns.ts';
import { channelIdOf } from './emulators/messagebird-conversations.ts';
import { botTokenOf, webhookPathOf } from './emulators/slack.ts';
import { twilioNumbers } from './emulators/twilio.ts';
import { wahaSession } from './emulators/waha.ts';
import { phoneNumberIdOf } from './emulators/whatsapp-business-reports.ts';
import { accessTokenOf } from './emulators/whatsapp-business.ts';

/** A workspace's accounts at each provider of the sandbox. All but Slack use `baseUrl`. */
export type ProviderAccounts = ReturnType<typeof providerAccountsOf>;

export function providerAccountsOf(context: Pick<EmulatorContext, 'accounts' | 'url'>, workspaceId: string) {
  const { accounts, url } = context;
  const account = accountOf(workspaceId);
  return {
    baseUrl: url,
    twilio: {
      accountSid: `AC${account}`,
      authToken: accounts.secretOf('twilio', workspaceId),
      number: twilioNumbers.sms,
      whatsAppNumber: twilioNumbers.whatsapp,
    },
    awsSns: {
      accessKeyId: accessKeyIdOf(account),
      secretAccessKey: accounts.secretOf('aws', workspaceId, 40),
      senderId: 'Cuebird',
      region: 'us-east-1',
    },
    messageBird: {
      accessKey: accounts.tokenOf('messagebird', workspaceId),
      signingKey: accounts.secretOf('messagebird signing', workspaceId),
      originator: 'Cuebird',
      channelId: channelIdOf(context, workspaceId),
    },
    vonage: {
      apiKey: account,
      apiSecret: accounts.secretOf('nexmo', workspaceId, 16),
      signatureSecret: accounts.secretOf('nexmo signature', workspaceId),
      sender: 'Cuebird',
    },
    waha: {
      session: wahaSession,
      apiKey: accounts.tokenOf('waha', workspaceId),
      hmacKey: accounts.secretOf('waha hmac', workspaceId),
    },
    whatsAppBusiness: {
      accessToken: accessTokenOf(context, workspaceId),
      phoneNumberId: phoneNumberIdOf(context, workspaceId),
      appSecret: accounts.secretOf('meta app', workspaceId),
    },
    slack: {
      webhookUrl: `${url}${webhookPathOf(context, workspaceId)}`,
      apiUrl: `${url}/api`,
      botToken: botTokenOf(context, workspaceId),
      channel: '#general',
    },
  };
}
