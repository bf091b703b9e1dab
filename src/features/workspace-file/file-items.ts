import { z } from 'zod';
import { Audience } from '#contract/audience.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { configurableTypes } from '#contract/channels.ts';
import { Id, InstantInput, RequiredName, RequiredText, Text } from '#contract/common.ts';
import { coverages, suppressibleChannels, type SuppressionReason, suppressionReasons } from '#contract/suppressions.ts';
import { TemplateCategoryInput } from '#contract/template-categories.ts';
import { topicKinds, topicLimits, topicReasons } from '#contract/topics.ts';
import { TemplateContent, TemplateInput, templateLimits, TemplateVariables } from '#contract/templates.ts';

// The shapes of items in a file, where they differ from those of requests.

export const ChannelItem = z.strictObject({ type: z.enum(configurableTypes), name: Text(100) });
export type ChannelItem = z.output<typeof ChannelItem>;

export const CategoryItem = TemplateCategoryInput;

const VersionItem = z.strictObject({
  version: z.number().int().min(1).max(2_000_000_000),
  name: Text(templateLimits.name),
  description: Text(templateLimits.description),
  content: TemplateContent,
  variables: TemplateVariables,
  restored_from: z.number().int().min(1).max(2_000_000_000).nullable().default(null),
  created_at: InstantInput,
});
export type VersionItem = z.output<typeof VersionItem>;

export const TemplateItem = TemplateInput.omit({ category_id: true, is_public: true }).extend({
  category: Id.nullable().default(null),
  versions: z
    .array(VersionItem)
    .max(templateLimits.versions)
    .refine(
      (versions) => new Set(versions.map(({ version }) => version)).size === versions.length,
      'has a number twice',
    )
    .default([]),
});
export type TemplateItem = z.output<typeof TemplateItem>;

export const TopicItem = z
  .strictObject({
    name: RequiredName(topicLimits.name, { missing: 'is required' }),
    kind: z.enum(topicKinds),
    why: z.enum(topicReasons).nullable().default(null),
    archived_at: InstantInput.nullable().default(null),
  })
  .refine(({ kind, why }) => (kind === 'required') === (why !== null), {
    path: ['why'],
    message: 'is given for a required topic, and for no other',
  });
export type TopicItem = z.output<typeof TopicItem>;

/** `covers` is left out in files from before there were topics. */
export const SuppressionItem = z
  .strictObject({
    channel: z.enum(suppressibleChannels),
    recipient: RequiredText(2_000, { missing: 'is required' }),
    // The list of another workspace has no address of whoever was erased there.
    reason: z.enum(suppressionReasons).exclude(['erased']),
    covers: z.enum(coverages).default('everything'),
    /** The reference of the topic where `covers` is `topic`. */
    topic: Id.nullable().default(null),
    /** When a pause of the recipient ends. */
    ends_at: InstantInput.nullable().default(null),
    created_at: InstantInput,
  })
  .refine(({ covers, topic }) => (covers === 'topic') === (topic !== null), {
    path: ['topic'],
    message: 'is given where one topic is covered, and nowhere else',
  })
  .refine(({ covers, reason }) => covers === 'everything' || canCoverLess(reason), {
    path: ['covers'],
    message: 'must be everything for this reason',
  })
  .refine(({ covers, reason }) => reason !== 'paused' || covers === 'optional', {
    path: ['covers'],
    message: 'must be optional for a pause',
  })
  .refine(({ reason, ends_at: endsAt }) => (reason === 'paused') === (endsAt !== null), {
    path: ['ends_at'],
    message: 'is given for a pause, and nowhere else',
  });
const canCoverLess = (reason: SuppressionReason) =>
  reason === 'unsubscribed' || reason === 'paused' || reason === 'manual';
export type SuppressionItem = z.output<typeof SuppressionItem>;

/** The parts of a reminder in a file that a request does not have, or has in another form. */
export const ReminderLinks = z.looseObject({
  hook: z.strictObject({ is_signed: z.boolean() }).nullable().default(null),
  metadata: z.looseObject({
    template_id: Id.optional(),
    audience: Audience.optional(),
    /** The name of the pinned channel of each type. */
    pinned_channels: z.partialRecord(z.enum(channelTypes), Text(100)).optional(),
  }),
});
export type ReminderLinks = z.output<typeof ReminderLinks>;
