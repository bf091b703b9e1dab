import { z } from 'zod';
import { Id, InstantText, RequiredName } from '#contract/common.ts';
import { get, patch, post } from '#contract/route.ts';

/** People may leave an `optional` topic. A `required` one reaches everybody who is not on the suppression list for everything. */
export const topicKinds = ['optional', 'required'] as const;
export type TopicKind = (typeof topicKinds)[number];

/** Why a required topic cannot be left; its messages say so. */
export const topicReasons = ['contract', 'law', 'safety'] as const;
export type TopicReason = (typeof topicReasons)[number];

/** `unarchived`: those that can be chosen. `perWorkspace`: with the archived ones, which are never deleted. */
export const topicLimits = { name: 60, unarchived: 50, perWorkspace: 200 } as const;

export const Topic = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  kind: z.enum(topicKinds),
  /** Null for an optional topic. */
  why: z.enum(topicReasons).nullable(),
  /** Whether forms propose it for a new message; at most one of a workspace, which is optional. */
  is_default: z.boolean(),
  archived_at: InstantText.nullable(),
  /** How many reminders have it. */
  reminders: z.number().int(),
  /** How many addresses and numbers left this topic alone, over one channel each. */
  left: z.number().int(),
  created_at: InstantText,
  updated_at: InstantText,
});
export type Topic = z.output<typeof Topic>;

const name = RequiredName(topicLimits.name, { missing: 'Please provide a name for the topic' });
const why = z.enum(topicReasons);

export const TopicInput = z
  .strictObject({
    name,
    kind: z.enum(topicKinds).default('optional'),
    why: why.nullable().default(null),
    is_default: z.boolean().default(false),
  })
  .superRefine(({ kind, why: because, is_default: isDefault }, { addIssue }) => {
    if (kind === 'required' && because === null)
      addIssue({ code: 'custom', path: ['why'], message: 'Say why people cannot leave this topic' });
    if (kind === 'optional' && because !== null)
      addIssue({ code: 'custom', path: ['why'], message: 'Only a required topic has a reason' });
    if (kind === 'required' && isDefault)
      addIssue({ code: 'custom', path: ['is_default'], message: onlyOptionalDefault });
  });
export type TopicInput = z.output<typeof TopicInput>;

export const onlyOptionalDefault = 'Only an optional topic can be proposed: what nobody can leave is chosen on purpose';

export const TopicChanges = z
  .strictObject({
    name,
    kind: z.literal('optional', 'People could leave this topic, so it stays optional: create another one'),
    why,
    is_default: z.boolean(),
    /** An archived topic cannot be chosen any more; what has it goes on with it. */
    is_archived: z.boolean(),
  })
  .partial();
export type TopicChanges = z.output<typeof TopicChanges>;

export const topicRoutes = {
  listTopics: get('/api/topics', {
    access: 'member',
    summary: 'List the topics by name, archived ones last',
    answer: z.object({ data: z.array(Topic) }),
  }),
  // Only admins decide what people cannot leave.
  createTopic: post('/api/topics', {
    access: 'admin',
    summary: 'Add a topic: optional, or required with the reason why people cannot leave it',
    body: TopicInput,
    answer: Topic,
    status: 201,
  }),
  updateTopic: patch('/api/topics/:id', {
    access: 'admin',
    summary: 'Rename or archive a topic, or make a required one optional; never the other way',
    body: TopicChanges,
    answer: Topic,
  }),
};
