import { z } from 'zod';
import { Tags } from '#contract/audience.ts';
import { Id, InstantInput, InstantText, RequiredText, Text, withoutRepeats } from '#contract/common.ts';
import { Blankable, ContactInput, contactLimits, CountryText, variableForm } from '#contract/contacts.ts';
import { consentLimits } from '#contract/consents.ts';
import { get, post } from '#contract/route.ts';
import { coverages } from '#contract/suppressions.ts';

/** The contact field that a column of the file is imported as. */
export const columnFields = [
  'name',
  'first_name',
  'last_name',
  'salutation',
  'email',
  'phone',
  'timezone',
  'language',
  'preferred_channel',
  'paused_until',
  'note',
  'tags',
  'consent_at',
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

/** What a member vouches for who imports consents; it stands with each of them. */
export const consentAttestation = 'I attest that these people agreed to this text, at the time given.';

/** What the people of the file agreed to, for those of whom it is known when: by a column `consent_at`, else at `given_at`. */
export const ImportConsent = z
  .strictObject({
    channels: z
      .array(z.enum(['sms', 'whatsapp', 'email']))
      .min(1, 'Choose a channel')
      .overwrite(withoutRepeats),
    /** Word for word. */
    text: RequiredText(consentLimits.text, { missing: 'Enter what they agreed to, word for word' }),
    covers: z.enum(coverages).default('everything'),
    topic_id: Id.optional(),
    /** When all of them agreed whose line does not say it. */
    given_at: InstantInput.optional(),
    /** Whether the caller vouches for it. */
    is_attested: z.literal(true, 'Attest that these people agreed'),
  })
  .refine(({ covers, topic_id: topicId }) => (covers === 'topic') === (topicId !== undefined), {
    path: ['topic_id'],
    message: 'Name a topic where one topic is covered, and nowhere else',
  });
export type ImportConsent = z.output<typeof ImportConsent>;

/** What a column is imported as, instead of what its header suggests. `variable` names the value; without it, its header does. */
export const ColumnChoice = z.strictObject({
  field: z.enum(columnFields),
  variable: Text(100)
    .regex(variableForm, 'must start with a letter and contain only letters, digits, _ and -')
    .nullable()
    .default(null),
});
export type ColumnChoice = z.output<typeof ColumnChoice>;

/** `joined`: the line is the same contact as an earlier one, and filled in what that one left blank. `failed`: it is left out. */
export const importResults = ['created', 'updated', 'unchanged', 'joined', 'failed'] as const;

/**
 * Why something of a line, or all of it, is left out. `other_person`: its address or number is that of an earlier line with another name;
 * `other_value`: the earlier line of the same person has another value, which stays; `withdrawn`: they have withdrawn a consent or are on the suppression
 * list, so that none is recorded; `no_consent_time`: it is not known when they agreed.
 */
export const importProblemCodes = [
  'no_address',
  'other_person',
  'other_value',
  'withdrawn',
  'no_consent_time',
  'unusable_value',
  'unusable_line',
] as const;

const ImportProblem = z.object({
  code: z.enum(importProblemCodes),
  /** The header of the file's column; null for the whole line. */
  column: z.string().nullable(),
  message: z.string(),
});
export type ImportProblem = z.output<typeof ImportProblem>;

/** What a line does that is not seen by its result. */
export const importNoteCodes = ['joined', 'renamed'] as const;
const ImportNote = z.object({ code: z.enum(importNoteCodes), message: z.string() });

/** `line` is the line of the file, counted from 1; in a batch, the position of the contact. */
export const ImportRow = z.object({
  line: z.number().int(),
  result: z.enum(importResults),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** The earlier line with the same address or number and another name: `join_lines` makes one contact of both. */
  shares_with: z.number().int().nullable(),
  /** What was left out of the line, or why it failed. */
  problems: z.array(ImportProblem),
  notes: z.array(ImportNote),
});
export type ImportRow = z.output<typeof ImportRow>;

const Counts = z.object({
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  joined: z.number().int(),
  failed: z.number().int(),
  /** How many lines did not fail, but had something left out. */
  incomplete: z.number().int(),
});
export type ImportCounts = z.output<typeof Counts>;

export const ImportAnswer = z.object({
  delimiter: z.string(),
  columns: z.array(ImportColumn),
  counts: Counts,
  /** How many consents it records, or would, and how many numbers and addresses are left out because they withdrew; null where none are imported. */
  consents: z.object({ recorded: z.number().int(), withdrawn: z.number().int() }).nullable(),
  rows: z.array(ImportRow),
  /** The lines with problems as CSV: with the columns of the file, the number of each line and its problems. Null when there are none. */
  problem_lines: z.string().nullable(),
  /** The id by which the import can be undone; null when nothing was written. */
  import_id: Id.nullable(),
});
export type ImportAnswer = z.output<typeof ImportAnswer>;

/** What undoing an import did. `kept`: contacts that were changed or deleted after it. */
const UndoCounts = z.object({ deleted: z.number().int(), restored: z.number().int(), kept: z.number().int() });
export type UndoCounts = z.output<typeof UndoCounts>;

/** What undoing an import would do, and what depends on the contacts that it would delete. */
const UndoPreview = z.object({
  ...UndoCounts.shape,
  /** Active reminders that are sent to some of them. */
  reminders: z.number().int(),
  /** How many of them have got messages, or are about to. */
  written_to: z.number().int(),
});
export type UndoPreview = z.output<typeof UndoPreview>;

export const importStatuses = ['running', 'completed', 'failed'] as const;

/** An import of a file. It writes all of its lines or, when it fails, none. */
export const ContactImport = z.object({
  id: Id,
  /** The name of who imported it; null for a program, and for a person whose account is deleted. */
  imported_by: z.string().nullable(),
  /** The name of the file; null for pasted text. */
  file_name: z.string().nullable(),
  imported_at: InstantText,
  status: z.enum(importStatuses),
  lines: z.number().int(),
  /** How many lines are read so far. */
  lines_done: z.number().int(),
  /** What it did; null until it is completed. */
  counts: Counts.nullable(),
  undone_at: InstantText.nullable(),
  undone_by: z.string().nullable(),
  undo: UndoCounts.nullable(),
  can_undo: z.boolean(),
});
export type ContactImport = z.output<typeof ContactImport>;

export const contactImportRoutes = {
  saveContacts: post('/api/contacts/batch', {
    access: 'member',
    summary: 'Add contacts, or update those with the same address or number',
    limit: { usage: 'batches' },
    body: z.strictObject({ contacts: z.array(ContactInput).min(1).max(contactLimits.batch) }),
    // Contacts of a batch have five fields each, and their own variables.
    maxBodyValues: 60_000,
    answer: z.object({ counts: Counts, rows: z.array(ImportRow) }),
  }),
  importContacts: post('/api/contacts/import', {
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
      /** One choice for each column of the file, in the order of the columns. */
      columns: z.array(ColumnChoice).max(contactLimits.importColumns).optional(),
      default_country: CountryText.nullable().optional(),
      file_name: Blankable(contactLimits.fileName).optional(),
      /** Tags that everybody in the file gets, beside those of their lines. */
      tags: Tags.optional(),
      consent: ImportConsent.optional(),
      /** Lines that are one contact with the line whose address or number they share, though their names differ. */
      join_lines: z.array(z.number().int().min(1)).max(contactLimits.importRows).optional(),
    }),
    // JSON writes quotes and line breaks with two characters, so the body is larger than the file.
    maxBodyKiB: 5_120,
    answer: ImportAnswer,
  }),
  undoImport: post('/api/contacts/import/:id/undo', {
    access: 'member',
    summary:
      'Undo an import within a day: contacts that it added are deleted, changed ones are as before; those changed since stay',
    answer: UndoCounts,
  }),
  previewUndo: get('/api/contacts/import/:id/undo', {
    access: 'member',
    isCostly: true,
    summary: 'What undoing an import would do, and what depends on the contacts that it would delete',
    answer: UndoPreview,
  }),
  listImports: get('/api/contacts/imports', {
    access: 'member',
    summary: 'The latest 20 imports of contacts, newest first, and the country that was chosen for the last one',
    answer: z.object({ data: z.array(ContactImport), default_country: z.string().nullable() }),
  }),
};
