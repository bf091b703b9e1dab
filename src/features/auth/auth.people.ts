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

/** The id of the session's person; null where the session has ended. */
export async function userOf(pool: pg.Pool, tokenHash: string): Promise<string | null> {
  const { rows } = await pool.query<{ user_id: string }>('select user_id from auth_sessions where token = $1', [
    tokenHash,
  ]);
  return rows[0]?.user_id ?? null;
}

/** How a person signs in, and their sessions, without secrets. Instants are Dates. */
export type SignIns = {
  sign_in_methods: { provider: string; created_at: Date }[];
  sessions: { ip_address: string | null; user_agent: string | null; created_at: Date; expires_at: Date }[];
};

/** The newest 200 of each kind. */
export async function signInsOf(pool: pg.Pool, userId: string): Promise<SignIns> {
  const { rows: methods } = await pool.query<SignIns['sign_in_methods'][number]>(
    `select provider_id as provider, created_at from auth_accounts where user_id = $1 order by created_at desc limit 200`,
    [userId],
  );
  const { rows: sessions } = await pool.query<SignIns['sessions'][number]>(
    `select ip_address, user_agent, created_at, expires_at from auth_sessions where user_id = $1
      order by created_at desc limit 200`,
    [userId],
  );
  return { sign_in_methods: methods, sessions };
}

export const removeSession = (pool: pg.Pool, tokenHash: string) =>
  pool.query('delete from auth_sessions where token = $1', [tokenHash]);

export async function hasSession(
  pool: pg.Pool,
  { tokenHash, now }: { tokenHash: string; now: Temporal.Instant },
): Promise<boolean> {
  const { rowCount } = await pool.query('select from auth_sessions where token = $1 and expires_at > $2', [
    tokenHash,
    now.toString(),
  ]);
  return rowCount !== 0;
}

/** Whether this is the account of a demo. */
export async function isDemo(pool: pg.Pool, userId: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from profiles where id = $1 and is_demo', [userId]);
  return rowCount !== 0;
}

/** Whoever followed a mailed link owns the mailbox, so the address is verified. */
export const verifyEmail = (pool: pg.Pool, userId: string) =>
  pool.query('update profiles set email_verified = true where id = $1', [userId]);
