import { z } from 'zod';
import { Invalid } from '#platform/errors.ts';

/** Where the next page of a list begins: after the row with this id. `at` is the value that orders the list, usually an instant. */
export type Position = { at: string; id: string };

/** An instant in a cursor, within the database's range: a cursor is untrusted input. */
export const CursorInstant = z.iso
  .datetime()
  .max(27)
  .refine((text) => !text.startsWith('0000'));

export const encodeCursor = ({ at, id }: Position) => Buffer.from(JSON.stringify([at, id])).toString('base64url');

/** @param Key what orders the list */
export function decodeCursor(cursor: string | undefined, Key: z.ZodType<string> = CursorInstant): Position | null {
  if (cursor === undefined) return null;
  try {
    const [at, id] = z.tuple([Key, z.uuid()]).parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return { at, id };
  } catch {
    throw new Invalid([{ path: 'cursor', message: 'is not a cursor of this list' }]);
  }
}
