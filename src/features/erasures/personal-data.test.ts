import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Client } from 'pg';
import { namingColumns, personalData } from '#features/erasures/personal-data.ts';
import { createTestDatabase } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let owner: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = await connectOwner(database.url);
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

it('every column that can hold a text about a person is erased, or is named with the reason why it stays', async () => {
  const { rows } = await owner.query<{ table: string; column: string }>(`
    select c.relname as "table", a.attname as "column"
      from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
       and format_type(a.atttypid, a.atttypmod) ~ 'text|json|bytea|character'
     order by 1, a.attnum`);
  const says = ({ table, column }: (typeof rows)[number]) => {
    const of = personalData[table];
    return of?.isDeleted === true || column in (of?.set ?? {}) || column in (of?.kept ?? {});
  };
  expect(rows.filter((row) => !says(row)).map(({ table, column }) => `${table}.${column}`)).toEqual([]);
  const named = Object.entries(personalData).flatMap(([table, { set, kept }]) =>
    Object.keys({ ...set, ...kept }).map((column) => `${table}.${column}`),
  );
  const all = new Set(rows.map(({ table, column }) => `${table}.${column}`));
  expect(named.filter((column) => !all.has(column))).toEqual([]);
});

it('the owner may change the rows of every table that is erased, read those that are searched alone, and no others', async () => {
  const { rows } = await owner.query<{ table: string; verb: string }>(
    "select tablename as table, cmd as verb from pg_policies where schemaname = 'public' and policyname = 'owner_erases_person'",
  );
  const erased = Object.entries(personalData).flatMap(([table, { isDeleted, set }]) =>
    isDeleted === true || set !== undefined ? [table] : [],
  );
  const searched = Object.values(namingColumns).flatMap(({ table }) => (erased.includes(table) ? [] : [table]));
  const sorted = (some: readonly string[]) => some.toSorted();
  expect(sorted(rows.map(({ table, verb }) => `${table} ${verb}`))).toEqual(
    sorted([...erased.map((table) => `${table} ALL`), ...searched.map((table) => `${table} SELECT`)]),
  );
});
