import { z } from 'zod';
import { CountryText } from '#contract/contacts.ts';
import { Empty, Id, InstantText, Page, PageQuery, RequiredText, Text, withVisibleAddress } from '#contract/common.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { del, get, post } from '#contract/route.ts';

export const suppressionReasons = ['unsubscribed', 'stopped', 'bounced', 'complained', 'manual'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** Channels with recipients of their own; Slack and push go to configured destinations. */
export const suppressibleChannels = ['email', 'sms', 'whatsapp', 'webhook'] as const;

export const Suppression = z.object({
  id: Id,
  workspace_id: Id,
  channel: z.enum(channelTypes),
  recipient: z.string(),
  reason: z.enum(suppressionReasons),
  /** The contact's name, where the workspace has a contact with this address or number. */
  contact_name: z.string().nullable(),
  created_by: Id.nullable(),
  /** The name of the member who added it; null where the recipient, a provider or a program did. */
  created_by_name: z.string().nullable(),
  created_at: InstantText,
});
export type Suppression = z.output<typeof Suppression>;

export const SuppressionInput = z.strictObject({
  channel: z.enum(suppressibleChannels),
  recipient: RequiredText(2_000, { missing: 'Enter an address or a number' })
    .transform((text) => text.trim())
    .superRefine(withVisibleAddress),
  default_country: CountryText.nullable().optional(),
});

export const suppressionRoutes = {
  listSuppressions: get('/api/suppressions', {
    access: 'member',
    summary: 'List suppressed recipients, newest first',
    query: PageQuery.extend({
      channel: z.enum(channelTypes).optional(),
      reason: z.enum(suppressionReasons).optional(),
      search: Text(200).optional(),
    }),
    answer: Page(Suppression),
  }),
  // Members may add entries: an opt-out by phone must not wait for an admin.
  addSuppression: post('/api/suppressions', {
    access: 'member',
    summary: 'Suppress a recipient; a number counts however it is spelled',
    body: SuppressionInput,
    answer: Suppression,
    status: 201,
  }),
  // Only admins may remove entries: the recipient may have objected to messages.
  removeSuppression: del('/api/suppressions/:id', {
    access: 'admin',
    summary: 'Allow messages to a recipient again',
    answer: Empty,
  }),
};
