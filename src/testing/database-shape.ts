import type { Client } from 'pg';

/**
 * Removes every row, and the ledger partitions that tests add most often.
 * @returns the remaining shape, for comparison with the template's
 */
export async function emptyDatabase(client: Client): Promise<string> {
  // Triggers and foreign keys are disabled meanwhile.
  await client.query(`set session_replication_role = replica; set client_min_messages = error`);
  await client.query(DROP_ADDED_MONTHS);
  const { rows } = await client.query<{ name: string }>(FILLED_TABLES);
  const names = rows.map(({ name }) => name);
  if (names.length > 0) {
    await client.query(names.map((name) => `delete from ${name}`).join(';'));
    // Truncates the files, so that rows are stored in the order in which the next test inserts them.
    await client.query(`vacuum (index_cleanup on, skip_database_stats) ${names.join(', ')}`);
  }
  return readShape(client);
}

/** Changes with everything except rows of the product's tables: columns, rights, policies, functions, settings, statistics. */
export async function readShape(client: Client): Promise<string> {
  const { rows } = await client.query<{ shape: string }>(SHAPE);
  const [row] = rows;
  if (row === undefined) throw new Error('An aggregate gives one row.');
  return row.shape;
}

// A relation that was copied from the template has a lower oid than the database.
const DROP_ADDED_MONTHS = `
  do $$
  declare
    added regclass;
  begin
    for added in
      select c.oid from pg_class c, pg_database d
       where d.datname = current_database() and c.oid > d.oid and c.relkind = 'r' and c.relispartition
    loop
      execute format('drop table %s', added);
    end loop;
  end
  $$`;

// Asks the file and not `pg_relation_size`, which opens each table, and in a new session takes three times as long.
const FILLED_TABLES = `
  select oid::regclass::text as name from pg_class
   where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'
     and (pg_stat_file(pg_relation_filepath(oid))).size > 0`;

// Excludes what a vacuum changes, and the xmin of rows that a second migration rewrites unchanged. Where rows are many, their sums: a changed one has a higher xmin.
const SHAPE = `
  select concat_ws(' ', count(*), sum(hashtextextended(line, 0))) as shape from (
    select concat_ws(' ', 'relation', oid, relname, relkind, relowner, relacl, relpersistence, relreplident, relnatts, relchecks,
                     relrowsecurity, relforcerowsecurity, relispartition, reloptions, relpartbound)
      from pg_class where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', 'column', count(*), sum(attrelid::bigint * attnum), sum(xmin::text::bigint))
      from pg_attribute where attrelid >= 16384
    union all select concat_ws(' ', 'default', count(*), sum(oid::bigint), sum(xmin::text::bigint)) from pg_attrdef
    union all select concat_ws(' ', 'constraint', count(*), sum(oid::bigint), sum(xmin::text::bigint)) from pg_constraint where oid >= 16384
    union all select concat_ws(' ', 'index', count(*), sum(indexrelid::bigint), sum(xmin::text::bigint)) from pg_index where indexrelid >= 16384
    union all select concat_ws(' ', 'policy', oid, xmin) from pg_policy
    union all select concat_ws(' ', 'trigger', count(*), sum(oid::bigint), sum(xmin::text::bigint)) from pg_trigger
    union all select concat_ws(' ', 'function', count(*), sum(oid::bigint), sum(xmin::text::bigint)) from pg_proc where oid >= 16384
    union all select concat_ws(' ', 'type', count(*), sum(oid::bigint), sum(xmin::text::bigint)) from pg_type where oid >= 16384
    union all select concat_ws(' ', 'schema', nspname, nspacl) from pg_namespace where nspname not like 'pg_%'
    union all select concat_ws(' ', 'extension', extname) from pg_extension
    union all select concat_ws(' ', 'default rights', oid, xmin) from pg_default_acl
    union all select concat_ws(' ', 'statistics', starelid, staattnum) from pg_statistic where starelid >= 16384
    union all select concat_ws(' ', 'setting', setrole, setconfig)
      from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase where d.datname = current_database()
    union all select concat_ws(' ', 'migration', name, hash) from schema_migrations
  ) as lines (line)`;
