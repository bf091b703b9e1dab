import { z } from 'zod';
import { CountryText } from '#contract/contacts.ts';
import { Empty, Id, InstantText, Page, PageQuery, RequiredText, Text, withVisibleAddress } from '#contract/common.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { del, get, patch, post } from '#contract/route.ts';

export const suppressionReasons = [
  'unsubscribed',
  'paused',
  'stopped',
  'bounced',
  'complained',
  'manual',
  'erased',
] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** What an entry covers: all messages, those of optional topics, or those of one topic. A required topic is covered by `everything` alone. */
export const coverages = ['everything', 'optional', 'topic'] as const;
export type Coverage = (typeof coverages)[number];

/** Channels with recipients of their own; Slack and push go to configured destinations. */
export const suppressibleChannels = ['email', 'sms', 'whatsapp', 'webhook'] as const;

export const Suppression = z.object({
  id: Id,
  workspace_id: Id,
  channel: z.enum(channelTypes),
  recipient: z.string(),
  reason: z.enum(suppressionReasons),
  covers: z.enum(coverages),
  /** The topic where `covers` is `topic`, else null. */
  topic_id: Id.nullable(),
  topic_name: z.string().nullable(),
  /** When a pause of the recipient ends; null for what does not end. */
  ends_at: InstantText.nullable(),
  /** The contact's name, where the workspace has a contact with this address or number. */
  contact_name: z.string().nullable(),
  created_by: Id.nullable(),
  /** The name of the member who added it; null where the recipient, a provider or a program did. */
  created_by_name: z.string().nullable(),
  created_at: InstantText,
});
export type Suppression = z.output<typeof Suppression>;

const oneTopic = {
  check: ({ covers, topic_id: topicId }: { covers: Coverage; topic_id?: string | undefined }) =>
    (covers === 'topic') === (topicId !== undefined),
  problem: { path: ['topic_id'], message: 'Name a topic where one topic is covered, and nowhere else' },
};

export const SuppressionInput = z
  .strictObject({
    channel: z.enum(suppressibleChannels),
    recipient: RequiredText(2_000, { missing: 'Enter an address or a number' })
      .transform((text) => text.trim())
      .superRefine(withVisibleAddress),
    default_country: CountryText.nullable().optional(),
    covers: z.enum(coverages).default('everything'),
    topic_id: Id.optional(),
  })
  .refine(oneTopic.check, oneTopic.problem);

/** An entry for everything gets narrower, never wider. */
export const SuppressionChanges = z
  .strictObject({ covers: z.enum(['optional', 'topic']), topic_id: Id.optional() })
  .refine(oneTopic.check, oneTopic.problem);

export const suppressionRoutes = {
  listSuppressions: get('/api/suppressions', {
    access: 'member',
    summary: 'List suppressed recipients, newest first',
    query: PageQuery.extend({
      channel: z.enum(channelTypes).optional(),
      reason: z.enum(suppressionReasons).optional(),
      covers: z.enum(coverages).optional(),
      topic_id: Id.optional(),
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
  updateSuppression: patch('/api/suppressions/:id', {
    access: 'admin',
    summary: 'Narrow an entry for everything, of somebody who unsubscribed or whom a member added',
    body: SuppressionChanges,
    answer: Suppression,
  }),
  // Only admins may remove entries: the recipient may have objected to messages.
  removeSuppression: del('/api/suppressions/:id', {
    access: 'admin',
    summary: 'Allow messages to a recipient again',
    answer: Empty,
  }),
};
