import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';

/**
 * Prepares the one-time link by which somebody signed in becomes the system administrator. Each call invalidates the link before, and only the
 * token's hash is stored.
 * @returns the token to print; null when there is an administrator
 */
export async function prepareAdminSetup(pool: pg.Pool): Promise<string | null> {
  const token = randomBytes(24).toString('base64url');
  const { rowCount } = await pool.query(
    `insert into app_settings (key, value)
     select 'admin_setup', jsonb_build_object('sha256', $1::text)
     where not exists (select from profiles where is_system_admin)
     on conflict (key) do update set value = excluded.value, updated_at = now()`,
    [sha256(token)],
  );
  return rowCount === 1 ? token : null;
}

/** Whether the token is that of the newest link, which nobody has used yet. */
export async function isAdminSetupUsable(pool: Pick<pg.Pool, 'query'>, token: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from app_settings
     where key = 'admin_setup' and value ->> 'sha256' = $1
       and not exists (select from profiles where is_system_admin)`,
    [sha256(token)],
  );
  return rowCount === 1;
}

/** Consumes the token and makes this person the administrator, in one statement: of concurrent calls one succeeds. */
export async function completeAdminSetup(
  pool: pg.Pool,
  { userId, token, now }: { userId: string; token: string; now: Temporal.Instant },
): Promise<'completed' | 'refused'> {
  const { rowCount } = await pool.query(
    `with used as (
       delete from app_settings
       where key = 'admin_setup' and value ->> 'sha256' = $2
         and exists (select from profiles where id = $1 and not is_demo)
         and not exists (select from profiles where is_system_admin)
       returning key
     ), administrator as (
       update profiles set is_system_admin = true, updated_at = $3
       where id = $1 and exists (select from used)
       returning id
     )
     insert into audit_log (workspace_id, actor_id, action, target, created_at)
     select null, id, 'admin.setup_completed', id::text, $3 from administrator`,
    [userId, sha256(token), now.toString()],
  );
  return rowCount === 1 ? 'completed' : 'refused';
}

const sha256 = (token: string) => createHash('sha256').update(token).digest('hex');
