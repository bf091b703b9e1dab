import { z } from 'zod';
import {
  Empty,
  Id,
  InstantText,
  ListView,
  Page,
  PageQuery,
  RequiredName,
  RequiredText,
  Text,
} from '#contract/common.ts';
import { variableForm } from '#contract/contacts.ts';
import { MessageFormat } from '#contract/message-format.ts';
import { reminderStatuses } from '#contract/reminders.ts';
import { del, get, patch, post } from '#contract/route.ts';
import { CategoryColor } from '#contract/template-categories.ts';

export const templateTypes = ['email', 'sms', 'push', 'webhook'] as const;

export const variableTypes = ['text', 'number', 'date', 'email'] as const;

export const templateLimits = {
  name: 100,
  description: 500,
  subject: 998,
  body: 100_000,
  variables: 100,
  variableName: 100,
  variableDescription: 500,
  value: 2_000,
  /** The number of versions that are kept; older ones are deleted. */
  versions: 50,
  /** The most characters that the values may have as JSON in a URL. */
  valuesInAddress: 4_000,
} as const;

const ContentFields = z.strictObject({
  subject: Text(templateLimits.subject),
  body: Text(templateLimits.body),
  type: z.enum(templateTypes),
  /** How the text is read; `plain` by default. */
  format: MessageFormat.optional(),
  /** The topic that it proposes to messages. */
  topic_id: Id.optional(),
});
export const TemplateContent = z.strictObject({
  subject: ContentFields.shape.subject.default(''),
  body: ContentFields.shape.body.default(''),
  type: ContentFields.shape.type.default('email'),
  format: ContentFields.shape.format,
  topic_id: ContentFields.shape.topic_id,
});
export type TemplateContent = z.output<typeof TemplateContent>;

// Liquid reads these words as literals.
const reserved: readonly string[] = ['true', 'false', 'nil', 'null', 'empty', 'blank'];

export const duplicateVariable = 'A variable with this name already exists';

export const VariableName = RequiredText(templateLimits.variableName, { missing: 'Please provide a variable name' })
  .transform((name) => name.trim())
  .refine(
    (name) => variableForm.test(name),
    'must begin with a letter and hold letters, digits, _ and - only, such as due_date',
  )
  .refine((name) => !reserved.includes(name), 'is a word of the template language: choose another name');

export const TemplateVariable = z.strictObject({
  name: VariableName,
  type: z.enum(variableTypes).default('text'),
  description: Text(templateLimits.variableDescription).default(''),
  /** A variable that is not required may be blank in a message. */
  required: z.boolean().default(true),
  /** Used when no value is given; empty when there is no default. */
  defaultValue: Text(templateLimits.value).default(''),
});
export type TemplateVariable = z.output<typeof TemplateVariable>;

export const TemplateVariables = z.strictObject({
  variables: z
    .array(TemplateVariable)
    .max(templateLimits.variables)
    .superRefine((variables, { addIssue }) => {
      for (const [at, { name }] of variables.entries())
        if (variables.findIndex((other) => other.name === name) < at)
          addIssue({ code: 'custom', path: [at, 'name'], message: duplicateVariable });
    })
    .default([]),
});
export type TemplateVariables = z.output<typeof TemplateVariables>;

const TemplateFields = z.strictObject({
  name: RequiredName(templateLimits.name, { missing: 'Please provide a template name' }),
  description: Text(templateLimits.description),
  category_id: Id.nullable(),
  is_public: z.boolean(),
  content: TemplateContent,
  variables: TemplateVariables,
});
export const TemplateInput = TemplateFields.extend({
  description: TemplateFields.shape.description.default(''),
  category_id: TemplateFields.shape.category_id.default(null),
  is_public: TemplateFields.shape.is_public.default(false),
  variables: TemplateVariables.default({ variables: [] }),
});
export type TemplateInput = z.output<typeof TemplateInput>;
/** A `topic_id` of null removes it. */
export const TemplateChanges = TemplateFields.extend({
  content: ContentFields.extend({ topic_id: Id.nullable() }).partial(),
}).partial();
export type TemplateChanges = z.output<typeof TemplateChanges>;

/** The fields of a template in answers; they were validated when it was written. */
export const TemplateText = z.object({
  name: z.string(),
  description: z.string(),
  content: z.object({
    subject: z.string(),
    body: z.string(),
    type: z.enum(templateTypes),
    format: MessageFormat.optional(),
    topic_id: Id.optional(),
  }),
  variables: z.object({
    variables: z.array(
      z.object({
        name: z.string(),
        type: z.enum(variableTypes),
        description: z.string(),
        required: z.boolean(),
        defaultValue: z.string(),
      }),
    ),
  }),
});

export const Template = TemplateText.extend({
  id: Id,
  workspace_id: Id,
  category_id: Id.nullable(),
  category: z.object({ name: z.string(), color: CategoryColor }).nullable(),
  is_public: z.boolean(),
  /** Reminders created from it, and messages that the API sent with it. */
  usage_count: z.number().int(),
  /** The number of its newest version. */
  version: z.number().int(),
  created_by: Id.nullable(),
  created_at: InstantText,
  updated_at: InstantText,
});
export type Template = z.output<typeof Template>;

/** A template as lists show it: without its body, and with the number of its variables. */
export const TemplateSummary = Template.omit({ variables: true }).extend({
  content: TemplateText.shape.content.omit({ body: true }),
  variable_count: z.number().int(),
});
export type TemplateSummary = z.output<typeof TemplateSummary>;

export const templateRoutes = {
  listTemplates: get('/api/templates', {
    access: 'member',
    summary: 'List templates, the last changed first',
    query: PageQuery.extend({ search: Text(200).optional(), category: Id.optional(), ...ListView }),
    answer: Page(z.union([Template, TemplateSummary])),
  }),
  createTemplate: post('/api/templates', {
    access: 'member',
    summary: 'Create a template',
    body: TemplateInput,
    answer: Template,
    status: 201,
  }),
  getTemplate: get('/api/templates/:id', {
    access: 'member',
    summary: 'Get a template',
    answer: Template,
  }),
  updateTemplate: patch('/api/templates/:id', {
    access: 'member',
    summary: 'Change a template; the previous text stays among its versions',
    // Fields without defaults: an update keeps what it leaves out.
    body: TemplateChanges,
    answer: Template,
  }),
  deleteTemplate: del('/api/templates/:id', {
    access: 'member',
    summary: 'Delete a template with its versions; reminders created from it stay',
    answer: Empty,
  }),
  duplicateTemplate: post('/api/templates/:id/duplicate', {
    access: 'member',
    summary: "Copy a template under its name with ' (Copy)'",
    answer: Template,
    status: 201,
  }),
  listTemplateUses: get('/api/templates/:id/uses', {
    access: 'member',
    summary: 'List the reminders created from a template, newest first',
    query: PageQuery,
    answer: Page(
      z.object({
        id: Id,
        name: z.string(),
        status: z.enum(reminderStatuses),
        is_done: z.boolean(),
        created_at: InstantText,
      }),
    ),
  }),
};
