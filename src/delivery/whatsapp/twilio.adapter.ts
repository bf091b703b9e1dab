import { z } from 'zod';
import type { Adapter } from '#delivery/adapter.ts';
import { refused, tooLong } from '#delivery/answer.ts';
import { e164, notANumber } from '#delivery/phone.ts';
import { incomplete, Optional, OptionalKey, phoneProvider } from '#delivery/provider.config.ts';
import { parseTwilioCallback } from '#delivery/twilio/twilio.callback.ts';
import { loginOf, sendTwilioMessage, twilioApi, verifyTwilioAccount } from '#delivery/twilio/twilio.messages.ts';
import { whatsAppFields } from './whatsapp.fields.ts';

const Config = z.object({
  ...phoneProvider(twilioApi),
  api_secret: OptionalKey,
  phone_number_id: Optional,
  content_sid: z
    .union([
      z.literal(''),
      z
        .string()
        .trim()
        .regex(/^HX[0-9a-fA-F]{32}$/, 'must be a Content SID (HX…)'),
    ])
    .optional(),
});

const maxCharacters = 1_600;

/** WhatsApp through Twilio's Messages resource: the same as SMS, with addresses that begin with `whatsapp:`. */
export const adapter: Adapter<z.output<typeof Config>> = {
  type: 'whatsapp',
  provider: 'twilio',
  title: 'Twilio WhatsApp',
  rank: 2,
  shape: Config,
  // The key may contain the token, too.
  secretFields: ['api_key', 'api_secret'],
  destinationFields: ['base_url'],
  fields: whatsAppFields(
    twilioApi,
    {
      api_key: {
        placeholder: 'ACxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
        help: 'The Account SID, or Account SID:Auth Token',
      },
      phone_number_id: { placeholder: '+14155238886', help: 'The WhatsApp sender' },
    },
    [
      {
        name: 'api_secret',
        label: 'API Secret',
        kind: 'password',
        required: false,
        help: "The Auth Token, unless the key contains it; also verifies Twilio's reports",
      },
      {
        name: 'content_sid',
        label: 'Content SID',
        kind: 'text',
        required: false,
        placeholder: 'HXxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
        help: 'An approved template whose variable 1 is the message: WhatsApp takes nothing else unless the recipient wrote within 24 hours',
      },
    ],
  ),
  destinationOf: (_, config) => config.base_url,
  async send(envelope, { config, network }) {
    const to = e164(envelope.recipient, config);
    if (to === null) return refused(notANumber(envelope.recipient), 'unfit_address');
    const from = config.phone_number_id?.replace(/^whatsapp:/, '');
    if (from === undefined)
      return refused(`${incomplete}: Twilio needs a WhatsApp sender (Phone Number ID)`, 'no_channel');
    const refusedText = tooLong(envelope.message, { max: maxCharacters, by: 'Twilio' });
    if (refusedText !== null) return refusedText;
    const content = config.content_sid
      ? { ContentSid: config.content_sid, ContentVariables: JSON.stringify({ 1: envelope.message }) }
      : { Body: envelope.message };
    const message = { To: `whatsapp:${to}`, From: `whatsapp:${e164(from) ?? from}`, ...content };
    return sendTwilioMessage(message, { envelope, config, network });
  },
  verify: verifyTwilioAccount,
  parseCallback: (callback, { config }) => parseTwilioCallback(callback, loginOf(config).token),
};
