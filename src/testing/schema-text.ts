import type { Client } from 'pg';

/** Everything that the schema consists of, a line each: two databases with the same lines behave alike. */
export async function schemaText(owner: Client): Promise<string[]> {
  const { rows } = await owner.query<{ line: string }>(catalog);
  return rows.map(({ line }) => line);
}

const here = "'public'::regnamespace";
const sorted = (acl: string) => `(select string_agg(a::text, ' ' order by a::text) from unnest(${acl}) a)`;

const catalog = `
  select concat_ws(' | ', 'column', c.relname, row_number() over (partition by c.oid order by a.attnum), a.attname,
                   format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage, a.attgenerated, a.attstattarget, pg_get_expr(d.adbin, d.adrelid),
                   ${sorted('a.attacl')}, col_description(c.oid, a.attnum)) as line
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where c.relnamespace = ${here} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  union all
  select concat_ws(' | ', 'table', c.relname, c.relkind, c.reloptions, c.relrowsecurity, c.relforcerowsecurity, ${sorted('c.relacl')},
                   pg_get_expr(c.relpartbound, c.oid), obj_description(c.oid, 'pg_class'))
    from pg_class c where c.relnamespace = ${here} and c.relkind in ('r', 'p')
  union all
  select concat_ws(' | ', 'view', c.relname, c.reloptions, ${sorted('c.relacl')}, pg_get_viewdef(c.oid), obj_description(c.oid, 'pg_class'))
    from pg_class c where c.relnamespace = ${here} and c.relkind = 'v'
  union all
  select concat_ws(' | ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
    from pg_constraint where connamespace = ${here}
  union all
  select concat_ws(' | ', 'index', pg_get_indexdef(oid)) from pg_class where relnamespace = ${here} and relkind in ('i', 'I')
  union all
  select concat_ws(' | ', 'trigger', pg_get_triggerdef(t.oid), t.tgenabled) from pg_trigger t where not t.tgisinternal
  union all
  select concat_ws(' | ', 'function', pg_get_functiondef(p.oid), ${sorted('p.proacl')}) from pg_proc p where p.pronamespace = ${here}
  union all
  select concat_ws(' | ', 'policy', polrelid::regclass, polname, polcmd, polpermissive,
                   array(select r::regrole::text from unnest(polroles) r order by 1), pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
    from pg_policy
  order by 1`;
