import { z } from 'zod';

/** PostgreSQL's text cannot hold NUL, so it is refused by name instead of failing deep inside. */
const withoutNul = (value: string) => !value.includes('\u0000');
const nulMessage = 'must not contain the NUL character';

export const Text = (maxLength: number, tooLong = `must be at most ${maxLength} characters`) =>
  z.string().max(maxLength, tooLong).refine(withoutNul, nulMessage);

/** Text that must hold more than blanks. */
export const RequiredText = (maxLength: number, texts: { missing: string; tooLong?: string }) =>
  Text(maxLength, texts.tooLong).refine((text) => text.trim() !== '', texts.missing);

export const Id = z.uuid('must be a UUID');

/** An instant on the wire: ISO 8601 in UTC. */
export const InstantText = z.iso.datetime();

export const IdParams = z.object({ id: Id });

export const PageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(400).optional(),
});

/** A list answers one page; `next_cursor` is null on the last. */
export const Page = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullable() });

export const Empty = z.object({});
