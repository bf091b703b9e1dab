import type { Client } from 'pg';
import { readRan } from '#platform/migrate.ts';

export type Table = { name: string; columns: string[]; is_forced: boolean };

/**
 * Every table of Cuebird, each after those that it references; a partitioned table counts as one. The table of
 * migrations is left out.
 */
export async function tablesOf(owner: Client): Promise<Table[]> {
  const { rows } = await owner.query<Table & { points_to: string[] }>(`
    select c.relname as name, c.relforcerowsecurity as is_forced,
           array(select a.attname::text from pg_attribute a
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                  order by a.attnum) as columns,
           array(select distinct t.relname::text from pg_constraint k join pg_class t on t.oid = k.confrelid
                  where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid and not t.relispartition) as points_to
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> 'schema_migrations'
     order by c.relname`);
  const ordered: Table[] = [];
  let waiting = rows;
  while (waiting.length > 0) {
    const placed = new Set(ordered.map((table) => table.name));
    const ready = waiting.filter((table) => table.points_to.every((name) => placed.has(name)));
    if (ready.length === 0)
      throw new Error(`Tables point at each other: ${waiting.map((table) => table.name).join(', ')}`);
    ordered.push(...ready.map(({ points_to: _, ...table }) => table));
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return ordered;
}

/** The migrations that have run, oldest first; null where Cuebird has never been installed. */
export async function migrationsIn(owner: Client): Promise<{ name: string; hash: string }[] | null> {
  const { rows } = await owner.query<{ is_there: boolean }>(
    "select to_regclass('public.schema_migrations') is not null as is_there",
  );
  if (rows[0]?.is_there !== true) return null;
  return readRan(owner);
}

export const quoted = (names: readonly string[]) => names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');
