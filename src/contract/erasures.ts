import { z } from 'zod';
import { Id, InstantText, Page, PageQuery, RequiredText, withVisibleAddress } from '#contract/common.ts';
import { CountryText } from '#contract/contacts.ts';
import { get, post } from '#contract/route.ts';

/** What members write themselves, and may name a person in. */
export const namingTexts = ['reminder', 'template', 'group'] as const;
export type NamingText = (typeof namingTexts)[number];

/** `addresses`: of one person. `unfinished`: erasures of a workspace at a time. */
export const erasureLimits = { addresses: 10, askedHow: 200, unfinished: 20 } as const;

/** An erasure of what a workspace keeps about a person. It names nobody. */
export const Erasure = z.object({
  id: Id,
  /** How the person asked for it. */
  asked_how: z.string(),
  /** The name of the member who began it; null once their account is deleted. */
  asked_by_name: z.string().nullable(),
  asked_at: InstantText,
  /** When everything was erased except for what was being sent at that moment; null before. */
  first_pass_at: InstantText.nullable(),
  /** When that was erased as well; null while it goes on. */
  done_at: InstantText.nullable(),
  /** How many rows were deleted or emptied, by table. */
  counts: z.record(z.string(), z.number().int()),
  /**
   * Reminders, templates and groups whose own text named the person when the erasure began, as far as they are not deleted: the first 50. Only who writes
   * them can mend that.
   */
  named_in: z.array(z.object({ kind: z.enum(namingTexts), id: Id, name: z.string() })),
  /** How many more there were. */
  named_more: z.number().int(),
  /** Until when the audit log names the person where it did before: its entries cannot be changed. */
  in_audit_log_until: InstantText,
});
export type Erasure = z.output<typeof Erasure>;

const Person = z.strictObject({
  addresses: z
    .array(
      RequiredText(2_000, { missing: 'Enter an address or a number' })
        .transform((text) => text.trim())
        .superRefine(withVisibleAddress),
    )
    .min(1, 'Name at least one address or number')
    .max(erasureLimits.addresses),
  /** For numbers without a country code. */
  default_country: CountryText.nullable().optional(),
});

export const ErasureInput = Person.extend({
  asked_how: RequiredText(erasureLimits.askedHow, { missing: 'Say how the person asked for it' }),
});
export type ErasureInput = z.output<typeof ErasureInput>;

/** `tables`: rows by table. `is_complete`: false where there is more of a table than 5,000 rows or 4 MB, of which the newest are not
 * preferred, or where the workspace has more than 20,000 events, acts or waiting jobs, of which the newest are searched. */
export const PersonalData = z.object({
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  is_complete: z.boolean(),
});
export type PersonalData = z.output<typeof PersonalData>;

export const erasureRoutes = {
  listErasures: get('/api/erasures', {
    access: 'admin',
    callers: 'people',
    summary: 'List the erasures of what was kept about people, newest first',
    query: PageQuery,
    answer: Page(Erasure),
  }),
  erasePerson: post('/api/erasures', {
    access: 'admin',
    callers: 'people',
    needsReauthentication: true,
    summary: 'Erase what is kept about a person, by their addresses and numbers; cannot be undone',
    body: ErasureInput,
    answer: Erasure,
    status: 201,
  }),
  // A POST, so that no address stands in a log of URLs.
  exportPerson: post('/api/erasures/export', {
    access: 'admin',
    callers: 'people',
    isCostly: true,
    summary: 'What is kept about a person, by their addresses and numbers, as JSON',
    body: Person,
    answer: PersonalData,
    status: 200,
  }),
};
