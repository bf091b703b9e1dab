import { z } from 'zod';
import { audienceLimits, Tag, Tags } from '#contract/audience.ts';
import {
  Empty,
  Id,
  InstantText,
  Page,
  PageQuery,
  Text,
  withVisibleAddress,
  withVisibleName,
} from '#contract/common.ts';
import { contactSorts } from '#contract/contact-sorts.ts';
import { emailLimit, parseEmail } from '#contract/email-address.ts';
import { LanguageText } from '#contract/languages.ts';
import { PauseDay } from '#contract/pause-day.ts';
import { del, get, post, put } from '#contract/route.ts';
import { TimeZone } from '#contract/schedules.ts';
import { sameNames } from '#contract/variable-name.ts';

export const contactLimits = {
  name: 200,
  /** Of a first or a last name: both fit into a name. */
  partOfName: 99,
  salutation: 50,
  note: 2_000,
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
  /** Characters of a cell. */
  importCell: 100_000,
  fileName: 255,
} as const;

/** The channels that reach a person at an address of their own. */
export const preferableChannels = ['email', 'sms', 'whatsapp'] as const;
export type PreferableChannel = (typeof preferableChannels)[number];

/** The form of a variable name in messages. */
export const variableForm = /^[A-Za-z_](?:[\w-]*\w)?$/;

/** Text that is null where it is blank. */
export const Blankable = (maxLength: number) =>
  Text(maxLength)
    .transform((text) => (text.trim() === '' ? null : text.trim()))
    .nullable()
    .default(null);

export const ContactName = Blankable(contactLimits.name).superRefine(withVisibleName);

const PartOfName = Blankable(contactLimits.partOfName).superRefine(withVisibleName);

export const ContactEmail = Blankable(contactLimits.email)
  .refine((text) => text === null || parseEmail(text) !== null, 'is not an email address, such as anna@example.com')
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
    /** The whole name. Without one, it is the first and last name. */
    name: ContactName,
    first_name: PartOfName,
    last_name: PartOfName,
    /** How the person is addressed, such as Ms or Frau Dr. */
    salutation: Blankable(contactLimits.salutation).superRefine(withVisibleName),
    /** As a tag of BCP 47, such as de or pt-BR. */
    language: LanguageText,
    /** Tried first where a reminder tries its channels in order and this is one of them. */
    preferred_channel: z.enum(preferableChannels).nullable().default(null),
    /** When left out, an existing contact keeps its pause: see PUT /api/contacts/{id}/pause. */
    paused_until: PauseDay.nullable().optional(),
    /** For the team: no message has it. */
    note: Blankable(contactLimits.note),
    email: ContactEmail,
    /** A number without a country code belongs to `default_country`, or else to the country of the workspace's phone channel. */
    phone: Blankable(contactLimits.phone).superRefine(withVisibleAddress),
    timezone: TimeZone.nullable().default(null),
    /** The contact's own values for message variables, by name. */
    variables: ContactVariables.default({}),
    /** When left out, an existing contact keeps its tags. */
    tags: Tags.optional(),
    default_country: CountryText.nullable().optional(),
  })
  .refine(
    ({ name, first_name: first, last_name: last, email, phone }) =>
      [name, first, last, email, phone].some((text) => text !== null),
    'Enter a name, an email address or a phone number',
  );
export type ContactInput = z.output<typeof ContactInput>;

/** What people and programs write of a contact. */
export type ContactField = Exclude<keyof ContactInput, 'default_country'>;

export const Contact = z.object({
  id: Id,
  workspace_id: Id,
  name: z.string().nullable(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  salutation: z.string().nullable(),
  language: z.string().nullable(),
  preferred_channel: z.enum(preferableChannels).nullable(),
  /** The first day with reminders again, where they are or were paused for the contact. */
  paused_until: z.iso.date().nullable(),
  note: z.string().nullable(),
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

/** The filters of a list of contacts. `search` is looked for in name, address and number, without regard to case and accents. */
const ContactFilter = z.strictObject({ search: Text(200).optional(), tag: Tag.optional(), group: Id.optional() });
export type ContactFilter = z.output<typeof ContactFilter>;

const selection = {
  ids: z.array(Id).min(1).max(contactLimits.batch).optional(),
  matching: ContactFilter.optional(),
  /** How many contacts the caller expects to match. If the number differs by now, nothing is changed and the answer is 409. */
  expected: z.number().int().min(0).max(contactLimits.selection).optional(),
};
const isEither = ({ ids, matching }: { ids?: unknown; matching?: unknown }) =>
  (ids === undefined) !== (matching === undefined);
const eitherMissing = 'Give ids or what they match';

/** Contacts by their ids, or all that match the filters. */
export const ContactSelection = z.strictObject(selection).refine(isEither, eitherMissing);
export type ContactSelection = z.output<typeof ContactSelection>;

export const contactRoutes = {
  listContacts: get('/api/contacts', {
    access: 'member',
    summary: 'List contacts, by name unless another order is asked for',
    query: PageQuery.extend({
      ...ContactFilter.shape,
      sort: z.enum(contactSorts).default('name').meta({
        description:
          'The order; `-` reverses it. People without a last name or a language come last in both directions, by name. `language` sorts by the tag, `created` by when they were added',
      }),
      // It contains name and last name of the page's last contact.
      cursor: z.string().max(3_000).optional(),
    }),
    answer: Page(Contact),
  }),
  countContacts: get('/api/contacts/count', {
    access: 'member',
    summary: 'How many contacts there are, or match the filters',
    query: ContactFilter,
    answer: z.object({ contacts: z.number().int() }),
  }),
  createContact: post('/api/contacts', {
    access: 'member',
    summary: 'Add a contact',
    body: ContactInput,
    answer: Contact,
    status: 201,
  }),
  updateContact: put('/api/contacts/:id', {
    access: 'member',
    summary:
      'Replace a contact: a field that is left out becomes empty, except tags and a pause, which stay. POST /api/contacts/batch keeps what is left out',
    body: ContactInput,
    answer: Contact,
  }),
  listContactVariables: get('/api/contacts/variables', {
    access: 'member',
    summary: "The names of the contacts' own values, the first 200",
    answer: z.object({ data: z.array(z.string()) }),
  }),
  deleteContact: del('/api/contacts/:id', {
    access: 'member',
    summary: 'Delete a contact; reminders that name its address stay',
    answer: Empty,
  }),
  deleteContacts: post('/api/contacts/delete', {
    access: 'member',
    summary: `Delete contacts by their ids, or all that match, at most ${contactLimits.selection} at a time; those that are gone already are ignored`,
    isCostly: true,
    body: z
      .strictObject(selection)
      .refine(isEither, eitherMissing)
      // Without `expected`, a request that is repeated after an import would delete contacts that nobody saw.
      .refine(({ matching, expected }) => matching === undefined || expected !== undefined, {
        path: ['expected'],
        error: 'Give the number of contacts that match',
      }),
    answer: z.object({ deleted: z.number().int() }),
  }),
  listContactTags: get('/api/contact-tags', {
    access: 'member',
    summary: `The tags of the workspace's contacts with their number, by name; the first ${contactLimits.listedTags}`,
    answer: z.object({ data: z.array(z.object({ tag: z.string(), contacts: z.number().int() })) }),
  }),
  tagContacts: post('/api/contact-tags', {
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
    /** `ids` are the contacts that were changed. `full` counts those left unchanged because they would have too many tags. */
    answer: z.object({ changed: z.number().int(), full: z.number().int(), ids: z.array(Id) }),
  }),
  exportContacts: get('/api/contacts/export', {
    access: 'member',
    summary: 'Export all contacts as CSV, in the format of the import',
    query: z.strictObject({ workspace: Id.optional() }),
    answer: 'file',
  }),
};
