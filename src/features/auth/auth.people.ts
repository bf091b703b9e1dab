import type pg from 'pg';
import { Conflict } from '#platform/errors.ts';

export type NewPerson = { email: string; fullName: string; password: string; isDemo: boolean };

/** Creates a person with a password, in one statement. Throws Conflict when the address is taken. */
export async function insertPerson(
  pool: pg.Pool,
  { email, fullName, password, isDemo, hash }: NewPerson & { hash: (password: string) => Promise<string> },
): Promise<{ id: string }> {
  const { rows } = await pool.query<{ id: string }>(
    `with person as (
       insert into profiles (email, email_verified, full_name, is_demo)
       values (lower($1), true, $2, $3)
       on conflict (email) do nothing
       returning id
     )
     insert into auth_accounts (user_id, provider_id, account_id, password)
     select id, 'credential', id::text, $4 from person
     returning user_id as id`,
    [email.trim(), fullName.trim(), isDemo, await hash(password)],
  );
  const [person] = rows;
  if (person === undefined) throw new Conflict('An account with this email already exists');
  return person;
}

/** The current password hash of the account; null without one. */
export async function passwordOf(pool: pg.Pool, email: string): Promise<string | null> {
  const { rows } = await pool.query<{ password: string | null }>(
    `select a.password from profiles p join auth_accounts a on a.user_id = p.id and a.provider_id = 'credential'
      where p.email = lower($1)`,
    [email],
  );
  return rows[0]?.password ?? null;
}

/** Whose session it is; null where it has ended. */
export async function userOf(pool: pg.Pool, tokenHash: string): Promise<string | null> {
  const { rows } = await pool.query<{ user_id: string }>('select user_id from auth_sessions where token = $1', [
    tokenHash,
  ]);
  return rows[0]?.user_id ?? null;
}

export const removeSession = (pool: pg.Pool, tokenHash: string) =>
  pool.query('delete from auth_sessions where token = $1', [tokenHash]);
