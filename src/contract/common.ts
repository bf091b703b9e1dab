import { z } from 'zod';
import { emailLimit } from '#contract/email-address.ts';
import { invisibleInAddress, invisibleInName, withoutInvisible } from '#contract/invisible.ts';

/** PostgreSQL text cannot contain NUL: refused here, before the database would with a worse message. */
const withoutNul = (value: string) => !value.includes('\u0000');
const nulMessage = 'must not contain the NUL character';

export const Text = (maxLength: number, tooLong = `must be at most ${maxLength} characters`) =>
  z.string().max(maxLength, tooLong).refine(withoutNul, nulMessage);

/** The error message for a missing value; a value of a wrong type keeps its own message. */
export const ifMissing = (text: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? text : undefined),
});

/** Text that contains more than white space. */
export const RequiredText = (
  maxLength: number,
  { missing, tooLong = `must be at most ${maxLength} characters` }: { missing: string; tooLong?: string },
) =>
  z
    .string(ifMissing(missing))
    .max(maxLength, tooLong)
    .refine(withoutNul, nulMessage)
    .refine((text) => text.trim() !== '', missing);

/** Refuses text in which `find` returns a problem. NUL and blank text have their own messages. */
const refusing = (find: (text: string) => string | null) => (text: string | null, ctx: z.RefinementCtx) => {
  const found = text === null || text.trim() === '' || !withoutNul(text) ? null : find(text);
  if (found !== null) ctx.addIssue({ code: 'custom', message: found });
};

/** A name is one line without invisible characters, so that different names also look different. */
export const withVisibleName = refusing(invisibleInName);

/** An address or a number without invisible characters. */
export const withVisibleAddress = refusing(invisibleInAddress);

/** An address that somebody signs in with, in lower case. */
export const EmailInput = z
  .string()
  .trim()
  .toLowerCase()
  .max(emailLimit)
  .superRefine(withVisibleAddress)
  .pipe(z.email('Enter an email address'));

/** A required name. */
export const RequiredName = (maxLength: number, texts: { missing: string; tooLong?: string }) =>
  RequiredText(maxLength, texts).superRefine(
    refusing((text) => (withoutInvisible(text).trim() === '' ? texts.missing : invisibleInName(text))),
  );

/** In lower case, as the database returns it. */
export const Id = z.uuid('must be a UUID').toLowerCase();

/** Removes repeated entries, for lists in which each counts once. */
export const withoutRepeats = <T>(items: T[]): T[] => [...new Set(items)];

/** An instant in API answers: ISO 8601 in UTC. */
export const InstantText = z.iso.datetime();

const hasStorableYear = (text: string) => {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9998;
};

/** An instant in requests: any offset is accepted and converted to UTC. */
export const InstantInput = z.iso
  .datetime({
    offset: true,
    error: 'must be a date and time with its offset, such as 2026-12-01T09:00:00Z',
    abort: true,
  })
  .refine(hasStorableYear, 'must be between the years 1 and 9998')
  .transform((text) => new Date(text).toISOString());

export const IdParams = z.object({ id: Id });

export const PageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(400).optional(),
});

/** `summary` omits the long fields of each row; without it, rows are complete. */
export const ListView = { view: z.enum(['summary'], 'must be summary, or left out').optional() };

/** One page of a list; `next_cursor` is null on the last page. A page ends early when its rows reach 2 MB. */
export const Page = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullable() });

export const Empty = z.object({});
