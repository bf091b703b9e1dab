import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { HttpRequest } from '#platform/outbound/http.ts';
import { accountOf } from '#sandbox/accounts.ts';
import { parseJson } from '#sandbox/call.ts';
import { type EmulatorContext, jsonReport, type ReportedMessage, type ReportContext } from '#sandbox/emulator.ts';

/** The sender's number as reports show it. */
export const shownNumber = '+15550001234';

export const phoneNumberIdOf = ({ accounts }: Pick<EmulatorContext, 'accounts'>, workspaceId: string) =>
  accounts.digitsOf('meta phone number', workspaceId, 15);

/** The value that the sender asks to have returned in each report. */
const Sent = z.object({ biz_opaque_callback_data: z.string().max(512).optional() });

export const wamidOf = (id: string) => `wamid.${Buffer.from(accountOf(id)).toString('base64')}`;

/** The `messages` webhook, signed with the app's secret (developers.facebook.com/docs/graph-api/webhooks, "Validating Payloads"). */
export function report(message: ReportedMessage, { happening, accounts, now }: ReportContext): HttpRequest[] {
  const timestamp = String(Math.floor(now.epochMilliseconds / 1000));
  const contact = message.recipient.slice(1);
  const given = Sent.safeParse(parseJson(message.raw ?? '')).data?.biz_opaque_callback_data;
  const reported =
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
        changes: [{ value: { messaging_product: 'whatsapp', metadata, ...reported }, field: 'messages' }],
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
