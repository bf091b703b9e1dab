import { z } from 'zod';
import { CountryText } from '#contract/contacts.ts';
import { Empty, Id, IdParams, InstantText, Page, PageQuery, RequiredText, Text } from '#contract/common.ts';
import { channelTypes } from '#contract/reminders.ts';
import { route } from '#contract/route.ts';

export const suppressionReasons = ['unsubscribed', 'stopped', 'bounced', 'complained', 'manual'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** On which channels a person can be named: Slack and push go to whom they are configured for. */
export const suppressibleChannels = ['email', 'sms', 'whatsapp', 'webhook'] as const;

export const Suppression = z.object({
  id: Id,
  workspace_id: Id,
  channel: z.enum(channelTypes),
  recipient: z.string(),
  reason: z.enum(suppressionReasons),
  /** Who that is, where the workspace has a contact with this address or number. */
  contact_name: z.string().nullable(),
  created_by: Id.nullable(),
  /** The name of the member who added it; null where the recipient, a provider or a program did. */
  created_by_name: z.string().nullable(),
  created_at: InstantText,
});
export type Suppression = z.output<typeof Suppression>;

export const SuppressionInput = z.strictObject({
  channel: z.enum(suppressibleChannels),
  recipient: RequiredText(2_000, { missing: 'Enter an address or a number' }),
  default_country: CountryText.nullable().optional(),
});

export const suppressionRoutes = {
  listSuppressions: route({
    method: 'get',
    path: '/api/suppressions',
    access: 'member',
    summary: 'Who is not written to, the newest first',
    query: PageQuery.extend({
      channel: z.enum(channelTypes).optional(),
      reason: z.enum(suppressionReasons).optional(),
      search: Text(200).optional(),
    }),
    answer: Page(Suppression),
  }),
  // Any member: somebody who says on the phone that they want no more mail must not have to wait for an admin.
  addSuppression: route({
    method: 'post',
    path: '/api/suppressions',
    access: 'member',
    summary: 'Write to somebody no more; a number is meant in every spelling that it was written to',
    body: SuppressionInput,
    answer: Suppression,
    status: 201,
  }),
  // Admins alone: it writes again to somebody who may have forbidden it.
  removeSuppression: route({
    method: 'delete',
    path: '/api/suppressions/:id',
    access: 'admin',
    summary: 'Allow messages to somebody again; of a number, in all its spellings',
    params: IdParams,
    answer: Empty,
  }),
};
