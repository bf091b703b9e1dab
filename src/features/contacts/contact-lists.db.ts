import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import type { ContactSort } from '#contract/contact-sorts.ts';
import type { Contact, ContactFilter } from '#contract/contacts.ts';
import { emailKey } from '#contract/email-address.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { contactColumns, exportedColumns } from '#platform/exported-columns.ts';
import { type Listed, readPage } from '#platform/page.ts';

type Scope = { workspaceId: string };
type ListFilter = Scope & ContactFilter & { sort: ContactSort; after: Position | null; limit: number };

/** What is read of a contact. */
export const columnsOfContact = [
  'id',
  'workspace_id',
  ...exportedColumns(contactColumns),
  'created_by',
  'created_at',
  'updated_at',
] as const;

/** A contact with the value that orders the list, for the cursor after it. */
export type ListedContact = Contact & { at: string };

/** A page of contacts; each order uses its own index. */
export async function findContacts(db: Db, filter: ListFilter): Promise<Listed<ListedContact>> {
  const { sort, after } = filter;
  const matching = await matches(db, filter);
  const order = { matching, isDown: sort.startsWith('-') };
  switch (sort) {
    case 'name':
    case '-name':
      return readInOrder(db, {
        ...filter,
        ...order,
        keys: [sql`sort_key`],
        at: sql<string>`sort_key`,
        values: after && [after.at],
      });
    case 'created':
    case '-created':
      // Ids rise as contacts are added.
      return readInOrder(db, { ...filter, ...order, keys: [], at: sql<string>`''`, values: after && [] });
    case 'last_name':
    case '-last_name':
      return findByField(db, { ...filter, ...order, field: sql`last_name_key` });
    case 'language':
    case '-language':
      return findByField(db, { ...filter, ...order, field: sql`language` });
    default:
      return sort satisfies never;
  }
}

type Order = { matching: RawBuilder<SqlBool>; isDown: boolean };

/** The field and the name of the last row of a page; the field is null behind all that have one. */
const Pair = z.tuple([z.string().nullable(), z.string()]);

const pairIn = (text: string): unknown => JSON.parse(text);

/** A `Pair` as JSON, as a cursor has it. */
export const FieldPosition = z
  .string()
  .max(2_000)
  .refine((text) => !text.includes(String.raw`\u0000`) && Pair.safeParse(pairIn(text)).success);

/** Sorted by a field that may be missing, and by name where it is the same. In both directions, those without it come last, by name. */
async function findByField(
  db: Db,
  { field, matching, after, ...filter }: ListFilter & Order & { field: RawBuilder<unknown> },
): Promise<Listed<ListedContact>> {
  const at = sql<string>`json_build_array(${field}, sort_key)::text`;
  const [reached, name] = after === null ? [] : Pair.parse(pairIn(after.at));
  const isBehind = reached === null;
  const having = isBehind
    ? { rows: [], isMore: false }
    : await readInOrder(db, {
        ...filter,
        after,
        matching: sql`${matching} and ${field} is not null`,
        keys: [field, sql`sort_key`],
        at,
        values: after && [reached, name],
      });
  if (having.isMore) return having;
  const without = await readInOrder(db, {
    ...filter,
    matching: sql`${matching} and ${field} is null`,
    isDown: false,
    // By the field too, which all lack: the planner would read by name, for those without it among all others.
    keys: [field, sql`sort_key`],
    at,
    ...(isBehind ? { after, values: [name] } : { after: null, values: null }),
    limit: filter.limit - having.rows.length,
    before: having.rows,
  });
  return { rows: [...having.rows, ...without.rows], isMore: without.isMore };
}

type Keys = {
  /** What orders the list, before the id. */
  keys: readonly RawBuilder<unknown>[];
  /** The values of the last of them in the row before the page. */
  values: readonly unknown[] | null;
  at: RawBuilder<string>;
  before?: readonly unknown[];
};

function readInOrder(
  db: Db,
  { workspaceId, matching, isDown, keys, at, after, values, limit, before }: ListFilter & Order & Keys,
): Promise<Listed<ListedContact>> {
  const direction = isDown ? 'desc' : 'asc';
  let query = db
    .selectFrom('contacts')
    .where('workspace_id', '=', workspaceId)
    .where(matching)
    .select([...columnsOfContact, at.as('at')])
    .limit(limit + 1);
  for (const key of [...keys, sql`id`]) query = query.orderBy(key, direction);
  if (after !== null && values !== null) {
    const [row, last] = [
      [...keys.slice(-values.length), sql`id`],
      [...values, sql`${after.id}::uuid`].map((value) => sql`${value}`),
    ];
    query = query.where(sql<boolean>`(${sql.join(row)}) ${sql.raw(isDown ? '<' : '>')} (${sql.join(last)})`);
  }
  return readPage(db, { query, limit, large: ['name', 'email', 'note', 'variables', 'tags'], before });
}

/** The condition that a contact of the workspace matches the filter. */
export async function matches(
  db: Db,
  { workspaceId, search = '', tag, group }: Scope & ContactFilter,
): Promise<RawBuilder<SqlBool>> {
  const conditions: RawBuilder<SqlBool>[] = [sql`true`];
  const text = search.trim();
  if (text !== '') conditions.push(await hasText(db, { workspaceId, text }));
  if (tag !== undefined) conditions.push(await hasTag(db, { workspaceId, tag }));
  if (group !== undefined)
    conditions.push(sql`id in (
      select m.id from contact_groups g cross join lateral contacts_of_rule(g.workspace_id, g.rule, null, null) as m
       where g.workspace_id = ${workspaceId} and g.id = ${group})`);
  return sql`(${sql.join(conditions, sql` and `)})`;
}

/** Up to so many contacts an index finds. Of more than these, the first are soon met in the order of the list. */
const few = 1_000;

export const isAmong = (ids: readonly string[]) => sql<SqlBool>`id = any (${ids}::uuid[])`;

async function hasText(db: Db, { workspaceId, text }: Scope & { text: string }): Promise<RawBuilder<SqlBool>> {
  const number = text.replaceAll(/[\s().\-/]/g, '').replace(/^(\+|00|0)/, '');
  const digits = /^\d{3,}$/.test(number) ? number : null;
  // A literal search: % and _ are ordinary characters here. An address is found in any spelling.
  const contains = sql<SqlBool>`(strpos(search_text, folded(${text})) > 0 or email_key = ${emailKey(text)}
    or ${digits}::text is not null and strpos(phone, ${digits}) > 0)`;
  // No index finds one or two letters: the contacts are read as they lie in the table, not in the order of their names.
  const { rows } = await sql<{ ids: string[] }>`
    select case when char_length(folded(${text})) >= 3
                then array(select id from contacts_with_text(folded(${text}), ${digits}, ${emailKey(text)}, ${few + 1}))
                else array(select id from contacts where workspace_id = ${workspaceId} and ${contains} limit ${few + 1}) end as ids`.execute(
    db,
  );
  const ids = rows[0]?.ids ?? [];
  return ids.length <= few ? isAmong(ids) : contains;
}

async function hasTag(db: Db, { workspaceId, tag }: Scope & { tag: string }): Promise<RawBuilder<SqlBool>> {
  const { rows } = await sql<{ id: string }>`
    select id from audience_of(${workspaceId}, false, '{}', array[${tag}], '{}', null, ${few + 1}::int)`.execute(db);
  return rows.length <= few ? isAmong(rows.map(({ id }) => id)) : sql`array[match_key(${tag})] <@ tag_keys`;
}

/** How many contacts match; with `most`, counting stops one above it. */
export async function countMatching(
  db: Db,
  { most, ...filter }: Scope & ContactFilter & { most?: number },
): Promise<number> {
  const limit = most === undefined ? null : most + 1;
  if (filter.tag !== undefined && filter.group === undefined && (filter.search ?? '').trim() === '') {
    const { rows } = await sql<{ count: number }>`
      select least(tagged_contacts(${filter.workspaceId}, ${filter.tag}), ${limit}::int) as count`.execute(db);
    return rows[0]?.count ?? 0;
  }
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from (select from contacts where workspace_id = ${filter.workspaceId} and ${await matches(db, filter)} limit ${limit}::int) found`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
