import { z } from 'zod';
import { Invalid } from '#platform/errors.ts';

/** Where the next page of a list begins: after the row with this id, which `at` orders, an instant if nothing else was told. */
export type Position = { at: string; id: string };

/** An instant in a cursor: as long and as far as the database can read it, for a cursor may have been written by anybody. */
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

/** Cuts a list that was read one row longer than asked, and names where the rest begins. */
export function pageOf<Row extends { id: string }>(
  rows: readonly Row[],
  { limit, at }: { limit: number; at: (row: Row) => string },
) {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return {
    data,
    next_cursor: rows.length > limit && last !== undefined ? encodeCursor({ at: at(last), id: last.id }) : null,
  };
}
