import type pg from 'pg';

/**
 * Names the addresses of the configuration to the database, which makes whoever has confirmed one an administrator: at once, or when it is
 * confirmed, by whatever path. Who is an administrator already stays one.
 * @param pool of the role cuebird_auth
 */
export async function listAdministrators(pool: Pick<pg.Pool, 'query'>, emails: readonly string[]): Promise<void> {
  await pool.query(
    `insert into app_settings (key, value) values ('admin_emails', $1)
     on conflict (key) do update set value = excluded.value, updated_at = now()`,
    [JSON.stringify(emails)],
  );
  // A trigger on this update makes them administrators.
  await pool.query(
    `update profiles set email_verified = true
      where email = any ($1::text[]) and email_verified and not is_system_admin and not is_demo and suspended_at is null`,
    [emails],
  );
}
