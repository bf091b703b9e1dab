import type { Client } from 'pg';
import { quoted } from '#commands/tables.ts';

/** Sets each sequence to the highest copied number, since COPY does not advance it. */
export async function fixSequences(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ table: string; column: string; sequence: string }>(
    `select t.relname as table, a.attname as column, s.oid::regclass::text as sequence
       from pg_class s
       join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.deptype in ('a', 'i') and d.refobjsubid > 0
       join pg_class t on t.oid = d.refobjid
       join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
      where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace`,
  );
  for (const { table, column, sequence } of rows) {
    await owner.query(
      `select setval($1, max(${quoted([column])})) from ${quoted([table])} having max(${quoted([column])}) is not null`,
      [sequence],
    );
  }
}
