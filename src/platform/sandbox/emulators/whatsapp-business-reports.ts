import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { accountOf } from '#platform/sandbox/accounts.ts';
import { parseJson } from '#platform/sandbox/call.ts';
import { type House, jsonReport, type ReportedMessage, type Told } from '#platform/sandbox/emulator.ts';

/** The number that people see as the sender. */
export const shownNumber = '+15550001234';

export const phoneNumberIdOf = ({ accounts }: Pick<House, 'accounts'>, workspaceId: string) =>
  accounts.digitsOf('meta phone number', workspaceId, 15);

/** What the sender wanted back with each status. */
const Sent = z.object({ biz_opaque_callback_data: z.string().max(512).optional() });

export const wamidOf = (id: string) => `wamid.${Buffer.from(accountOf(id)).toString('base64')}`;

/** The `messages` webhook, signed with the app's secret (developers.facebook.com/docs/graph-api/webhooks, "Validating Payloads"). */
export function report(message: ReportedMessage, { happening, accounts, now }: Told): HttpRequest[] {
  const timestamp = String(Math.floor(now.epochMilliseconds / 1000));
  const contact = message.recipient.slice(1);
  const given = Sent.safeParse(parseJson(message.raw ?? '')).data?.biz_opaque_callback_data;
  const told =
    happening.kind === 'reply'
      ? {
          contacts: [{ profile: { name: contact }, wa_id: contact }],
          messages: [
            { from: contact, id: wamidOf(happening.id), timestamp, text: { body: happening.text }, type: 'text' },
          ],
        }
      : {
          statuses: [
            {
              id: wamidOf(message.id),
              status: happening.kind,
              timestamp,
              recipient_id: contact,
              ...(given !== undefined && { biz_opaque_callback_data: given }),
              ...(happening.kind === 'failed' && { errors: [undeliverable] }),
            },
          ],
        };
  const metadata = {
    display_phone_number: shownNumber.slice(1),
    phone_number_id: phoneNumberIdOf({ accounts }, message.workspaceId),
  };
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: accounts.digitsOf('meta account', message.workspaceId, 15),
        changes: [{ value: { messaging_product: 'whatsapp', metadata, ...told }, field: 'messages' }],
      },
    ],
  });
  const signature = createHmac('sha256', accounts.secretOf('meta app', message.workspaceId)).update(body).digest('hex');
  return [jsonReport(message.callbackUrl, { body, headers: ['x-hub-signature-256', `sha256=${signature}`] })];
}

const undeliverable = {
  code: 131026,
  title: 'Message undeliverable',
  message: 'Message undeliverable',
  error_data: { details: 'Message Undeliverable.' },
};
