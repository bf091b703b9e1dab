import type pg from 'pg';
import { instantOf } from '#domain/instants.ts';
import { isDuplicate } from '#platform/is-duplicate.ts';

export type EmailChange = { email: string; expiresAt: Temporal.Instant };

/** The address that waits to be confirmed; null when there is none. */
export async function findEmailChange(
  pool: pg.Pool,
  { userId, now }: { userId: string; now: Temporal.Instant },
): Promise<EmailChange | null> {
  const { rows } = await pool.query<{ email: string; expires_at: Date }>(
    'select email, expires_at from auth_email_changes where user_id = $1 and expires_at > $2',
    [userId, now.toString()],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return { email: row.email, expiresAt: instantOf(row.expires_at) };
}

/** Stores a change in place of an earlier one, and deletes what has expired. */
export async function storeEmailChange(
  pool: pg.Pool,
  change: { userId: string; email: string; tokenHash: string; expiresAt: Temporal.Instant; now: Temporal.Instant },
): Promise<void> {
  const { userId, email, tokenHash, expiresAt, now } = change;
  await pool.query('delete from auth_email_changes where expires_at < $1 and user_id <> $2', [now.toString(), userId]);
  await pool.query(
    `insert into auth_email_changes (user_id, email, token_hash, expires_at) values ($1, $2, $3, $4)
     on conflict (user_id) do update set email = $2, token_hash = $3, expires_at = $4`,
    [userId, email, tokenHash, expiresAt.toString()],
  );
}

export const deleteEmailChange = (pool: pg.Pool, userId: string) =>
  pool.query('delete from auth_email_changes where user_id = $1', [userId]);

/**
 * Uses the token up and sets the address, in one statement; links that were mailed to the old address no longer work.
 * @returns the old and the new address; 'refused' for a token that is not this person's, or too old
 */
export async function applyEmailChange(
  pool: pg.Pool,
  { userId, tokenHash, now }: { userId: string; tokenHash: string; now: Temporal.Instant },
): Promise<{ before: string; email: string } | 'refused' | 'taken'> {
  try {
    const { rows } = await pool.query<{ before: string; email: string }>(
      `with change as (
         delete from auth_email_changes where user_id = $1 and token_hash = $2 and expires_at > $3
         returning email
       ), person as (
         select id, email as before from profiles where id = $1 and not is_demo for update
       ), links as (
         delete from auth_verifications where value = $1::text and exists (select from change)
       )
       update profiles p set email = change.email, email_verified = true, updated_at = $3
         from change, person
        where p.id = person.id
       returning person.before, p.email`,
      [userId, tokenHash, now.toString()],
    );
    return rows[0] ?? 'refused';
  } catch (error) {
    if (isDuplicate(error)) return 'taken';
    throw error;
  }
}

export async function isTaken(pool: pg.Pool, email: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from profiles where email = $1', [email]);
  return rowCount !== 0;
}
