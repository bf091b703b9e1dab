import { z } from 'zod';
import { Audience, Tag } from '#contract/audience.ts';
import { Empty, Id, InstantText, Page, RequiredName, RequiredText, Text } from '#contract/common.ts';
import { variableForm } from '#contract/contacts.ts';
import { del, get, post, put } from '#contract/route.ts';

export const groupLimits = {
  name: 100,
  conditions: 10,
  value: 200,
  perWorkspace: 100,
  containsPerWorkspace: 100,
} as const;

const Value = RequiredText(groupLimits.value, { missing: 'Enter a value' });
const Variable = Text(100).regex(variableForm, 'must be the name of a value');

/** The fields of a contact that rules ask for as for a value. */
export const ruledFields = ['language', 'timezone', 'preferred_channel'] as const;
export type RuledField = (typeof ruledFields)[number];

/** Values are compared without case, accents and blanks around them; the name of a value also without its underscores. */
export const GroupCondition = z.discriminatedUnion('test', [
  z.strictObject({ test: z.enum(['has_tag', 'lacks_tag']), tag: Tag }),
  /** `variable` is the name of a value, or one of `ruledFields`. `is_not` also matches contacts that do not have the value. */
  z.strictObject({ test: z.enum(['is', 'is_not', 'contains']), variable: Variable, value: Value }),
]);
export type GroupCondition = z.output<typeof GroupCondition>;

export const GroupRule = z.strictObject({
  match: z.enum(['all', 'any']),
  conditions: z
    .array(GroupCondition)
    .min(1, 'A group needs a condition')
    .max(groupLimits.conditions, `A group has at most ${groupLimits.conditions} conditions`),
});
export type GroupRule = z.output<typeof GroupRule>;

export const GroupInput = z.strictObject({
  name: RequiredName(groupLimits.name, { missing: 'Enter a name' }),
  rule: GroupRule,
});
export type GroupInput = z.output<typeof GroupInput>;

export const ContactGroup = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string(),
  rule: GroupRule,
  created_by: Id.nullable(),
  created_at: InstantText,
  updated_at: InstantText,
});
export type ContactGroup = z.output<typeof ContactGroup>;

export const contactGroupRoutes = {
  listContactGroups: get('/api/contact-groups', {
    access: 'member',
    summary: 'List the groups of contacts, by name',
    answer: Page(ContactGroup),
  }),
  countContactGroups: get('/api/contact-groups/counts', {
    access: 'member',
    summary: 'How many people each group has now, and how many reminders are sent to it',
    limit: { usage: 'counts' },
    isCostly: true,
    answer: z.object({
      data: z.array(z.object({ id: Id, people: z.number().int(), reminders: z.number().int() })),
    }),
  }),
  createContactGroup: post('/api/contact-groups', {
    access: 'member',
    summary: 'Add a group of contacts, by a rule over their tags and values',
    body: GroupInput,
    answer: ContactGroup,
    status: 201,
  }),
  updateContactGroup: put('/api/contact-groups/:id', {
    access: 'member',
    summary: 'Replace the name and the rule of a group; occurrences from now on follow it',
    body: GroupInput,
    answer: ContactGroup,
  }),
  deleteContactGroup: del('/api/contact-groups/:id', {
    access: 'member',
    summary: 'Delete a group; its contacts stay, and reminders that name it reach nobody through it',
    answer: Empty,
  }),
  listGroupUses: get('/api/contact-groups/:id/uses', {
    access: 'member',
    summary: 'The reminders that are sent to a group; the first 50, and how many there are',
    answer: z.object({ data: z.array(z.object({ id: Id, name: z.string() })), total: z.number().int() }),
  }),
  countPeople: post('/api/audience/count', {
    changesNothing: true,
    access: 'member',
    scope: ['read'],
    summary: 'How many people an audience has now, or a rule that is not saved yet',
    limit: { usage: 'counts' },
    isCostly: true,
    body: z
      .strictObject({ audience: Audience.optional(), rule: GroupRule.optional() })
      .refine(({ audience, rule }) => (audience === undefined) !== (rule === undefined), 'Give an audience or a rule'),
    /** `names` are those of the first three people. `contacts` are the contacts picked in the audience that still exist, with their names. */
    answer: z.object({
      people: z.number().int(),
      names: z.array(z.string()),
      contacts: z.array(z.object({ id: Id, name: z.string() })),
    }),
  }),
};
