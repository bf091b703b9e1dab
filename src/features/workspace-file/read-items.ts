import { randomUUIDv7 } from 'node:crypto';
import { z } from 'zod';
import { Id } from '#contract/common.ts';
import type { FieldError } from '#contract/errors.ts';
import type { FileResult, FileSection } from '#contract/workspace-files.ts';
import { findReferred, type ReferredTable } from '#features/workspace-file/import.db.ts';
import type { TenantContext } from '#platform/context.ts';
import { fieldErrors } from '#platform/field-errors.ts';
import { mapInSlices, serveOthers } from '#platform/in-slices.ts';

/** An item of the file with the decision. `id` is that of the existing or future item, `row` is what will be inserted. */
export type Decided<Row> = {
  section: FileSection;
  at: number;
  name: string;
  result: FileResult;
  problems: FieldError[];
  ref: string | null;
  id: string | null;
  row: Row | null;
};

/** The decision about an item. */
export type Verdict<Row> = { existing: string } | { row: Row; notes?: FieldError[] } | { refused: FieldError[] };

/** Parses an item: its value, or why it cannot be used. Paths are relative to the item. */
export type Reader<Value> = (item: Record<string, unknown>) => { value: Value } | { refused: FieldError[] };

/** A reader that uses a zod shape. */
export const readBy =
  <Value>(shape: z.ZodType<Value>): Reader<Value> =>
  (item) => {
    const { data, error } = shape.safeParse(item);
    return error === undefined ? { value: data } : { refused: fieldErrors(error) };
  };

export type ReadItem<Value> = { at: number; ref: string; name: string; value: Value };

type Section<Value, Row> = {
  section: FileSection;
  /** The table that knows the references of imported items; null for a section without references. */
  table: ReferredTable | null;
  read: Reader<Value>;
  nameOf?: (item: Record<string, unknown>) => string;
  /** Decides about items that are valid and not known by their reference; returns one verdict for each, in order. */
  judge: (items: readonly ReadItem<Value>[]) => Promise<Verdict<Row>[]>;
};

type Parsed<Value> = ReadItem<Value> | { at: number; name: string; refused: FieldError[] };

const Item = z.record(z.string(), z.unknown());
const WithRef = z.looseObject({ ref: Id });

/** Reads a section of the file item by item, and decides about each. */
export async function decideSection<Value, Row extends object>(
  { db, workspaceId }: TenantContext,
  items: readonly unknown[],
  { section, table, read, nameOf = nameIn, judge }: Section<Value, Row>,
): Promise<Decided<Row & { id: string; ref: string }>[]> {
  const seen = new Map<string, number>();
  const parsed = await mapInSlices(
    items.map((item, at) => ({ item, at })),
    ({ item, at }): Parsed<Value> => {
      const { data, error } = table === null ? Item.safeParse(item) : WithRef.safeParse(item);
      if (error !== undefined) return { at, name: nameIn(item), refused: fieldErrors(error) };
      const { ref: given, ...fields } = data;
      const ref = table === null ? '' : String(given);
      const name = nameOf(fields);
      const first = seen.get(ref);
      if (table !== null && first !== undefined)
        return { at, name, refused: [{ path: 'ref', message: `is the reference of ${section}.${first} too` }] };
      seen.set(ref, at);
      const taken = read(table === null ? data : fields);
      return 'refused' in taken ? { at, name, refused: taken.refused } : { at, name, ref, value: taken.value };
    },
  );
  await serveOthers();
  const usable = parsed.flatMap((one) => ('refused' in one ? [] : [one]));
  const known =
    table === null
      ? new Map<string, string>()
      : await findReferred(db, { workspaceId, table, refs: usable.map(({ ref }) => ref) });
  await serveOthers();
  const unknown = usable.filter(({ ref }) => !known.has(ref));
  const judged = await judge(unknown);
  await serveOthers();
  const verdicts = new Map(judged.map((verdict, index) => [unknown[index]?.at ?? -1, verdict]));
  await serveOthers();
  // Sorted, so that lists that are ordered by id keep the order of the file.
  const ids = (await mapInSlices(unknown, () => randomUUIDv7())).toSorted();
  const idAt = new Map(unknown.map(({ at }, index) => [at, ids[index] ?? randomUUIDv7()]));
  return mapInSlices(parsed, (one): Decided<Row & { id: string; ref: string }> => {
    const { at, name } = one;
    const common = { section, at, name, problems: [], ref: null, id: null, row: null };
    if ('refused' in one) return { ...common, result: 'refused', problems: within(section, at, one.refused) };
    const { ref } = one;
    const there = known.get(ref);
    if (there !== undefined) return { ...common, ref, id: there, result: 'existing' };
    const verdict = verdicts.get(at);
    if (verdict === undefined) throw new Error('an item of the file has no verdict');
    if ('existing' in verdict) return { ...common, ref, id: verdict.existing, result: 'existing' };
    if ('refused' in verdict) return { ...common, result: 'refused', problems: within(section, at, verdict.refused) };
    const id = idAt.get(at) ?? randomUUIDv7();
    const problems = within(section, at, verdict.notes ?? []);
    return {
      ...common,
      ref,
      id,
      result: 'created',
      problems,
      row: { ...verdict.row, id, ref: table === null ? id : ref },
    };
  });
}

const within = (section: FileSection, at: number, problems: readonly FieldError[]): FieldError[] =>
  problems.map(({ path, message }) => ({ path: [section, at, path].filter((part) => part !== '').join('.'), message }));

const shownName = 100;

/** The name of an item, as people know it. */
function nameIn(item: unknown): string {
  const { data } = Item.safeParse(item);
  const name = [data?.['name'], data?.['email'], data?.['phone'], data?.['recipient']].find(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  return typeof name === 'string'
    ? Array.from(name.trim().slice(0, 2 * shownName))
        .slice(0, shownName)
        .join('')
    : '';
}
