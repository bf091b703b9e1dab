import { z } from 'zod';
import { audienceLimits, Tag, Tags } from '#contract/audience.ts';
import {
  Empty,
  Id,
  IdParams,
  InstantText,
  Page,
  PageQuery,
  Text,
  withVisibleAddress,
  withVisibleName,
} from '#contract/common.ts';
import { emailLimit, parseEmail } from '#contract/email-address.ts';
import { route } from '#contract/route.ts';
import { TimeZone } from '#contract/schedules.ts';
import { sameNames } from '#contract/variable-name.ts';

export const contactLimits = {
  name: 200,
  email: emailLimit,
  phone: 40,
  variables: 50,
  value: 2_000,
  /** Contacts in one batch request. */
  batch: 1_000,
  /** Contacts that one change may select. */
  selection: 10_000,
  listedTags: 500,
  importRows: 10_000,
  /** Lines of an imported file, including blank ones. */
  importLines: 50_000,
  importColumns: 200,
  /** Characters of a column name. */
  columnName: 100,
  importBytes: 2_000_000,
  fileName: 255,
} as const;

/** The form of a variable name in messages. */
export const variableForm = /^[A-Za-z_](?:[\w-]*\w)?$/;

const Blankable = (maxLength: number) =>
  Text(maxLength)
    .transform((text) => (text.trim() === '' ? null : text.trim()))
    .nullable()
    .default(null);

export const ContactName = Blankable(contactLimits.name).superRefine(withVisibleName);

export const ContactEmail = Blankable(contactLimits.email)
  .refine((text) => text === null || parseEmail(text) !== null, 'is not an e-mail address, such as anna@example.com')
  .superRefine(withVisibleAddress);

/** A two-letter country code, such as DE, for numbers that are written without a country code. */
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
  )
  .superRefine((variables, { addIssue }) => {
    const same = sameNames(Object.keys(variables));
    if (same !== null) addIssue({ code: 'custom', path: [same[1]], message: `is the same variable as ${same[0]}` });
  });

export const ContactInput = z
  .strictObject({
    name: ContactName,
    email: ContactEmail,
    /** A number without a country code belongs to `default_country`, or else to the country of the workspace's phone channel. */
    phone: Blankable(contactLimits.phone).superRefine(withVisibleAddress),
    timezone: TimeZone.nullable().default(null),
    /** The contact's own values for message variables, by name. */
    variables: ContactVariables.default({}),
    /** Left out, a contact that is there already keeps its tags. */
    tags: Tags.optional(),
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
  tags: z.array(z.string()),
  created_by: Id.nullable(),
  created_at: InstantText,
  updated_at: InstantText,
});
export type Contact = z.output<typeof Contact>;

/** The contact field that a column of the file is imported as. */
export const columnFields = [
  'name',
  'first_name',
  'last_name',
  'email',
  'phone',
  'timezone',
  'tags',
  'variable',
  'ignored',
] as const;
export const ImportColumn = z.object({
  header: z.string(),
  field: z.enum(columnFields),
  /** The variable name for a custom column. */
  variable: z.string().nullable(),
  /** The column's first three different values, shortened. */
  samples: z.array(z.string()),
});
export type ImportColumn = z.output<typeof ImportColumn>;

/** What a column is to become, in place of what is guessed. `variable` is the name of a value; by default the one that its header gives. */
export const ColumnChoice = z.strictObject({
  field: z.enum(columnFields),
  variable: Text(100)
    .regex(variableForm, 'must start with a letter and contain only letters, digits, _ and -')
    .nullable()
    .default(null),
});
export type ColumnChoice = z.output<typeof ColumnChoice>;

/** `joined`: the line is the same contact as an earlier one, and what that left blank was taken from it. */
export const importResults = ['created', 'updated', 'unchanged', 'joined', 'failed'] as const;

/** `line` is the line of the file, counted from 1; in a batch, the position of the contact. */
export const ImportRow = z.object({
  line: z.number().int(),
  result: z.enum(importResults),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** What was left out of the line, or why all of it was. `column` is the header of the file's column; null for the whole line. */
  problems: z.array(z.object({ column: z.string().nullable(), message: z.string() })),
});
export type ImportRow = z.output<typeof ImportRow>;

const Counts = z.object({
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  joined: z.number().int(),
  failed: z.number().int(),
  /** Of the lines that did not fail, those of which something was left out. */
  incomplete: z.number().int(),
});
export type ImportCounts = z.output<typeof Counts>;

export const ImportAnswer = z.object({
  delimiter: z.string(),
  columns: z.array(ImportColumn),
  counts: Counts,
  rows: z.array(ImportRow),
  /** Names the import, so that it can be undone; null when nothing was written. */
  import_id: Id.nullable(),
});
export type ImportAnswer = z.output<typeof ImportAnswer>;

/** What undoing an import did. `kept`: contacts that were changed or deleted after it. */
const UndoCounts = z.object({ deleted: z.number().int(), restored: z.number().int(), kept: z.number().int() });
export type UndoCounts = z.output<typeof UndoCounts>;

export const importStatuses = ['running', 'completed', 'failed'] as const;

/** An import of a file. It writes all of its lines or, when it fails, none. */
export const ContactImport = z.object({
  id: Id,
  /** The name of the person; null for a program, and for somebody who is gone. */
  imported_by: z.string().nullable(),
  /** Null for pasted text. */
  file_name: z.string().nullable(),
  imported_at: InstantText,
  status: z.enum(importStatuses),
  lines: z.number().int(),
  /** How far it is. */
  lines_done: z.number().int(),
  /** Null until it is completed. */
  counts: Counts.nullable(),
  undone_at: InstantText.nullable(),
  undone_by: z.string().nullable(),
  undo: UndoCounts.nullable(),
  can_undo: z.boolean(),
});
export type ContactImport = z.output<typeof ContactImport>;

/** What narrows the list of contacts. */
const filters = { search: Text(200).optional(), tag: Tag.optional(), group: Id.optional() };

const selection = {
  ids: z.array(Id).min(1).max(contactLimits.batch).optional(),
  matching: z.strictObject(filters).optional(),
  /** How many match. When it is another number by now, nothing is changed, and the answer is 409. */
  expected: z.number().int().min(0).max(contactLimits.selection).optional(),
};
const isEither = ({ ids, matching }: { ids?: unknown; matching?: unknown }) =>
  (ids === undefined) !== (matching === undefined);
const eitherMissing = 'Give ids or what they match';

/** Contacts by their ids, or all that match the filters. */
export const ContactSelection = z.strictObject(selection).refine(isEither, eitherMissing);
export type ContactSelection = z.output<typeof ContactSelection>;

export const contactRoutes = {
  listContacts: route({
    method: 'get',
    path: '/api/contacts',
    access: 'member',
    summary: 'List contacts, by name',
    // The cursor contains the name of the last contact.
    query: PageQuery.extend({ ...filters, cursor: z.string().max(1_500).optional() }),
    answer: Page(Contact),
  }),
  countContacts: route({
    method: 'get',
    path: '/api/contacts/count',
    access: 'member',
    summary: 'How many contacts there are, or match the filters',
    query: z.strictObject(filters),
    answer: z.object({ contacts: z.number().int() }),
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
    summary: 'Replace a contact',
    params: IdParams,
    body: ContactInput,
    answer: Contact,
  }),
  listContactVariables: route({
    method: 'get',
    path: '/api/contacts/variables',
    access: 'member',
    summary: "The names of the contacts' own values, the first 200",
    answer: z.object({ data: z.array(z.string()) }),
  }),
  deleteContact: route({
    method: 'delete',
    path: '/api/contacts/:id',
    access: 'member',
    summary: 'Delete a contact; reminders that name its address stay',
    params: IdParams,
    answer: Empty,
  }),
  deleteContacts: route({
    method: 'post',
    path: '/api/contacts/delete',
    access: 'member',
    summary: `Delete contacts by their ids, or all that match, at most ${contactLimits.selection} at a time; those that are gone already are ignored`,
    isCostly: true,
    body: z
      .strictObject(selection)
      .refine(isEither, eitherMissing)
      // The same request, sent again after an import, would delete contacts that nobody saw.
      .refine(({ matching, expected }) => matching === undefined || expected !== undefined, {
        path: ['expected'],
        error: 'Give the number of contacts that match',
      }),
    answer: z.object({ deleted: z.number().int() }),
  }),
  listContactTags: route({
    method: 'get',
    path: '/api/contact-tags',
    access: 'member',
    summary: `The tags of the workspace's contacts with their number, by name; the first ${contactLimits.listedTags}`,
    answer: z.object({ data: z.array(z.object({ tag: z.string(), contacts: z.number().int() })) }),
  }),
  tagContacts: route({
    method: 'post',
    path: '/api/contact-tags',
    access: 'member',
    summary: `Add tags to contacts and remove others, of at most ${contactLimits.selection} contacts at a time`,
    isCostly: true,
    body: z
      .strictObject({
        contacts: ContactSelection,
        add: z.array(Tag).max(audienceLimits.tagsOfContact).default([]),
        remove: z.array(Tag).max(audienceLimits.tagsOfContact).default([]),
      })
      .refine(({ add, remove }) => add.length + remove.length > 0, { path: ['add'], error: 'Enter a tag' }),
    /** `ids` are the changed contacts. Those that are `full` would have too many tags, and keep what they had. */
    answer: z.object({ changed: z.number().int(), full: z.number().int(), ids: z.array(Id) }),
  }),
  saveContacts: route({
    method: 'post',
    path: '/api/contacts/batch',
    access: 'member',
    summary: 'Add contacts, or update those with the same address or number',
    limit: { usage: 'batches' },
    body: z.strictObject({ contacts: z.array(ContactInput).min(1).max(contactLimits.batch) }),
    // Each contact has five fields and its own variables.
    maxBodyValues: 60_000,
    answer: z.object({ counts: Counts, rows: z.array(ImportRow) }),
  }),
  importContacts: route({
    method: 'post',
    path: '/api/contacts/import',
    access: 'member',
    summary: 'Import contacts from CSV; a preview writes nothing, and lines with an error are left out',
    limit: { usage: 'imports' },
    body: z.strictObject({
      csv: z
        .string()
        .refine(
          (text) => new TextEncoder().encode(text).length <= contactLimits.importBytes,
          'The file is larger than 2 MB',
        ),
      mode: z.enum(['preview', 'import']),
      /** One for each column of the file, in their order. */
      columns: z.array(ColumnChoice).max(contactLimits.importColumns).optional(),
      default_country: CountryText.nullable().optional(),
      file_name: Blankable(contactLimits.fileName).optional(),
    }),
    // JSON escapes each quote and line break with a second character.
    maxBodyKiB: 5_120,
    answer: ImportAnswer,
  }),
  undoImport: route({
    method: 'post',
    path: '/api/contacts/import/:id/undo',
    access: 'member',
    summary:
      'Undo an import within a day: contacts that it added are deleted, changed ones are as before; those changed since stay',
    params: IdParams,
    answer: UndoCounts,
  }),
  listImports: route({
    method: 'get',
    path: '/api/contacts/imports',
    access: 'member',
    summary: 'The latest 20 imports of contacts, newest first, and the country that was chosen for the last one',
    answer: z.object({ data: z.array(ContactImport), default_country: z.string().nullable() }),
  }),
  exportContacts: route({
    method: 'get',
    path: '/api/contacts/export',
    access: 'member',
    summary: 'Export all contacts as CSV, in the format of the import',
    query: z.strictObject({ workspace: Id.optional() }),
    answer: 'file',
  }),
};
