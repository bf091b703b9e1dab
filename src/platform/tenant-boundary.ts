import type { Pool } from 'pg';

/**
 * Throws when the login that serves requests could see across workspaces: through a role attribute, a membership,
 * ownership, a table without forced row-level security, or a right on a partition, which bypasses its parent's
 * policies.
 */
export async function assertTenantBoundary(app: Pick<Pool, 'query'>): Promise<void> {
  const { rows } = await app.query<{ problem: string }>(findings);
  if (rows.length === 0) return;
  // Shows the first few only: a superuser fails every check for every table.
  const shown = rows.slice(0, 5).map((row) => row.problem);
  const rest = rows.length > shown.length ? [`and ${rows.length - shown.length} more`] : [];
  throw new Error(`The database does not keep workspaces apart: ${[...shown, ...rest].join('; ')}`);
}

const findings = `
  select format('role %s is a superuser or bypasses row-level security', rolname) as problem
    from pg_roles
   where (rolsuper or rolbypassrls) and rolname = current_user
  union all
  select format('role %s may become %s, a superuser or one that bypasses row-level security', current_user, rolname)
    from pg_roles
   where (rolsuper or rolbypassrls) and rolname <> current_user and pg_has_role(current_user, oid, 'member')
  union all
  select format('role %s belongs to %s', current_user, rolname)
    from pg_roles
   where rolname in ('cuebird_engine', 'cuebird_auth') and pg_has_role(current_user, oid, 'member')
  union all
  select format('role %s owns table %s', current_user, c.relname)
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and pg_has_role(current_user, c.relowner, 'member')
  union all
  select format('table %s lacks forced row-level security', c.relname)
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity)
  union all
  select format('partition %s can be reached directly', c.relname)
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind = 'r'
     and (has_table_privilege(current_user, c.oid, 'select, insert, update, delete, truncate')
       or has_any_column_privilege(current_user, c.oid, 'select, insert, update'))`;
