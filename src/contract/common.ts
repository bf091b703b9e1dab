import { z } from 'zod';

/** PostgreSQL's text cannot hold NUL, so it is refused by name instead of failing deep inside. */
const withoutNul = (value: string) => !value.includes('\u0000');
const nulMessage = 'must not contain the NUL character';

export const Text = (maxLength: number, tooLong = `must be at most ${maxLength} characters`) =>
  z.string().max(maxLength, tooLong).refine(withoutNul, nulMessage);

/** The sentence for a value that is not there at all; one of a wrong type is told apart. */
export const ifMissing = (text: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? text : undefined),
});

/** Text that must hold more than blanks. */
export const RequiredText = (
  maxLength: number,
  { missing, tooLong = `must be at most ${maxLength} characters` }: { missing: string; tooLong?: string },
) =>
  z
    .string(ifMissing(missing))
    .max(maxLength, tooLong)
    .refine(withoutNul, nulMessage)
    .refine((text) => text.trim() !== '', missing);

export const Id = z.uuid('must be a UUID');

/** An instant on the wire: ISO 8601 in UTC. */
export const InstantText = z.iso.datetime();

const hasStorableYear = (text: string) => {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9998;
};

/** An instant that a caller names, with any offset; it is understood as the same instant in UTC. */
export const InstantInput = z.iso
  .datetime({
    offset: true,
    error: 'must be a date and time with its offset, such as 2026-12-01T09:00:00Z',
    abort: true,
  })
  .refine(hasStorableYear, 'must lie between the years 1 and 9998')
  .transform((text) => new Date(text).toISOString());

export const IdParams = z.object({ id: Id });

export const PageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(400).optional(),
});

/** A list answers one page; `next_cursor` is null on the last. */
export const Page = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullable() });

export const Empty = z.object({});
