import { z } from 'zod';
import { Empty, Id, IdParams, InstantText, Page, PageQuery, Text } from '#contract/common.ts';
import { route } from '#contract/route.ts';
import { TimeZone } from '#contract/schedules.ts';

export const contactLimits = {
  name: 200,
  email: 320,
  phone: 40,
  variables: 50,
  value: 2_000,
  /** At once, by one request. */
  batch: 1_000,
  importRows: 10_000,
  importBytes: 2_000_000,
} as const;

/** What a message can name. */
export const variableForm = /^[A-Za-z_](?:[\w-]*\w)?$/;

const emailForm = /^[^\s@<>,;"]+@[^\s@<>,;"]+$/;

const Blankable = (maxLength: number) =>
  Text(maxLength)
    .transform((text) => (text.trim() === '' ? null : text.trim()))
    .nullable()
    .default(null);

export const ContactEmail = Blankable(contactLimits.email).refine(
  (text) => text === null || emailForm.test(text),
  'is not an e-mail address, such as anna@example.com',
);

/** Of two letters, such as DE: the country of numbers that are written without one. */
export const CountryText = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'must be a country code of two letters, such as DE');

const ContactVariables = z
  .record(
    Text(100).regex(variableForm, 'must begin with a letter and hold letters, digits, _ and - only'),
    Text(contactLimits.value),
  )
  .refine(
    (variables) => Object.keys(variables).length <= contactLimits.variables,
    `must be at most ${contactLimits.variables} values`,
  );

export const ContactInput = z
  .strictObject({
    name: Blankable(contactLimits.name),
    email: ContactEmail,
    /** With its country code, or of the country of `default_country`, or of that of the workspace's phone channel. */
    phone: Blankable(contactLimits.phone),
    timezone: TimeZone.nullable().default(null),
    /** The contact's own values for messages, by their names. */
    variables: ContactVariables.default({}),
    default_country: CountryText.nullable().optional(),
  })
  .refine(
    ({ name, email, phone }) => name !== null || email !== null || phone !== null,
    'Enter a name, an e-mail address or a phone number',
  );
export type ContactInput = z.output<typeof ContactInput>;

export const Contact = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  timezone: z.string().nullable(),
  variables: z.record(z.string(), z.string()),
  created_by: Id.nullable(),
  created_at: InstantText,
  updated_at: InstantText,
});
export type Contact = z.output<typeof Contact>;

/** What a column of the file is taken for. */
export const columnFields = [
  'name',
  'first_name',
  'last_name',
  'email',
  'phone',
  'timezone',
  'variable',
  'ignored',
] as const;
export const ImportColumn = z.object({
  header: z.string(),
  field: z.enum(columnFields),
  /** Under which name a column of the file's own becomes a value. */
  variable: z.string().nullable(),
});
export type ImportColumn = z.output<typeof ImportColumn>;

export const importResults = ['created', 'updated', 'unchanged', 'failed'] as const;

/** `line`: of the file, counted from 1; of a batch, its place. */
export const ImportRow = z.object({
  line: z.number().int(),
  result: z.enum(importResults),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** `column` as the file calls it, null where it is about the whole line. */
  problems: z.array(z.object({ column: z.string().nullable(), message: z.string() })),
});
export type ImportRow = z.output<typeof ImportRow>;

const Counts = z.object({
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  failed: z.number().int(),
});

export const ImportAnswer = z.object({
  delimiter: z.string(),
  columns: z.array(ImportColumn),
  counts: Counts,
  rows: z.array(ImportRow),
});
export type ImportAnswer = z.output<typeof ImportAnswer>;

export const contactRoutes = {
  listContacts: route({
    method: 'get',
    path: '/api/contacts',
    access: 'member',
    summary: 'The contacts of the workspace, by name',
    // The name of the last one is a part of the cursor.
    query: PageQuery.extend({ search: Text(200).optional(), cursor: z.string().max(1_500).optional() }),
    answer: Page(Contact),
  }),
  createContact: route({
    method: 'post',
    path: '/api/contacts',
    access: 'member',
    summary: 'Add a contact',
    body: ContactInput,
    answer: Contact,
    status: 201,
  }),
  updateContact: route({
    method: 'put',
    path: '/api/contacts/:id',
    access: 'member',
    summary: 'Replace what is known of a contact',
    params: IdParams,
    body: ContactInput,
    answer: Contact,
  }),
  deleteContact: route({
    method: 'delete',
    path: '/api/contacts/:id',
    access: 'member',
    summary: 'Delete a contact; reminders that name its address go on',
    params: IdParams,
    answer: Empty,
  }),
  deleteContacts: route({
    method: 'post',
    path: '/api/contacts/delete',
    access: 'member',
    summary: 'Delete several contacts; those that are gone already are passed over',
    body: z.strictObject({ ids: z.array(Id).min(1).max(contactLimits.batch) }),
    answer: z.object({ deleted: z.number().int() }),
  }),
  saveContacts: route({
    method: 'post',
    path: '/api/contacts/batch',
    access: 'member',
    summary: 'Add several contacts, or add to those with the same address or number',
    body: z.strictObject({ contacts: z.array(ContactInput).min(1).max(contactLimits.batch) }),
    answer: z.object({ counts: Counts, rows: z.array(ImportRow) }),
  }),
  importContacts: route({
    method: 'post',
    path: '/api/contacts/import',
    access: 'member',
    summary: 'Read contacts from CSV; a preview writes nothing, and lines with an error are left out',
    body: z.strictObject({
      csv: z
        .string()
        .refine(
          (text) => new TextEncoder().encode(text).length <= contactLimits.importBytes,
          'The file is larger than 2 MB',
        ),
      mode: z.enum(['preview', 'import']),
      default_country: CountryText.nullable().optional(),
    }),
    // In JSON every quote and line break takes two.
    maxBodyKiB: 5_120,
    answer: ImportAnswer,
  }),
  exportContacts: route({
    method: 'get',
    path: '/api/contacts/export',
    access: 'member',
    summary: 'Every contact as CSV, which the import reads again',
    query: z.strictObject({ workspace: Id.optional() }),
    answer: 'file',
  }),
};
