import { z } from 'zod';
import type { Adapter } from '#delivery/adapter.ts';
import { refused, tooLong } from '#delivery/answer.ts';
import { e164, notANumber } from '#delivery/phone.ts';
import { incomplete, Optional, OptionalKey, phoneProvider } from '#delivery/provider.config.ts';
import { parseTwilioCallback } from '#delivery/twilio/twilio.callback.ts';
import { loginOf, sendTwilioMessage, twilioApi, verifyTwilioAccount } from '#delivery/twilio/twilio.messages.ts';
import { smsFields } from './sms.fields.ts';

const Config = z.object({
  ...phoneProvider(twilioApi),
  api_secret: OptionalKey,
  from_number: Optional,
});

const maxCharacters = 1_600;

export const adapter: Adapter<z.output<typeof Config>> = {
  type: 'sms',
  provider: 'twilio',
  title: 'Twilio',
  rank: 1,
  shape: Config,
  secretFields: ['api_secret'],
  destinationFields: ['base_url'],
  fields: smsFields(twilioApi, {
    api_key: { placeholder: 'ACxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', help: 'The Account SID' },
    api_secret: { help: "The Auth Token; also verifies Twilio's reports" },
    from_number: { placeholder: '+1234567890', help: 'A number of yours, a sender name or a Messaging Service (MG…)' },
  }),
  destinationOf: (_, config) => config.base_url,
  async send(envelope, { config, network }) {
    const To = e164(envelope.recipient, config);
    if (To === null) return refused(notANumber(envelope.recipient), 'unfit_address');
    const from = config.from_number;
    if (from === undefined) return refused(`${incomplete}: Twilio needs a number to send from`, 'no_channel');
    const refusedText = tooLong(envelope.message, { max: maxCharacters, by: 'Twilio' });
    if (refusedText !== null) return refusedText;
    const sender = /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: e164(from) ?? from };
    return sendTwilioMessage({ To, ...sender, Body: envelope.message }, { envelope, config, network });
  },
  verify: verifyTwilioAccount,
  parseCallback: (callback, { config }) => parseTwilioCallback(callback, loginOf(config).token),
};
