import type pg from 'pg';
import { instantOf } from '#domain/instants.ts';

const lockMinutes = 15;
const mostFailures = 10;

/**
 * Counts a try before its code is compared, so that concurrent ones cannot exceed the limit: the tenth locks the codes for 15
 * minutes, unless it is right.
 * @returns the encrypted secret; null where there is none, or while the codes are locked
 */
export async function countTry(
  pool: pg.Pool,
  { userId, now }: { userId: string; now: Temporal.Instant },
): Promise<string | null> {
  const { rows } = await pool.query<{ secret: string }>(
    `update auth_two_factors
        set failed_verification_count = case when locked_until is null then failed_verification_count + 1 else 1 end,
            locked_until = case when locked_until is null and failed_verification_count + 1 >= $3
                                then $2::timestamptz + make_interval(mins => $4) end
      where user_id = $1 and (locked_until is null or locked_until <= $2)
      returning secret`,
    [userId, now.toString(), mostFailures, lockMinutes],
  );
  return rows[0]?.secret ?? null;
}

/** Until when the person's codes are refused; null where they are not. */
export async function lockOf(pool: pg.Pool, userId: string): Promise<Temporal.Instant | null> {
  const { rows } = await pool.query<{ locked_until: Date | null }>(
    'select locked_until from auth_two_factors where user_id = $1',
    [userId],
  );
  const until = rows[0]?.locked_until ?? null;
  return until === null ? null : instantOf(until);
}

/** Uses up the code of this step and earlier ones, and resets the failures. Returns whether it was still valid. */
export async function useStep(pool: pg.Pool, { userId, step }: { userId: string; step: number }): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update auth_two_factors set last_step = $2, failed_verification_count = 0, locked_until = null
      where user_id = $1 and (last_step is null or last_step < $2)`,
    [userId, step],
  );
  return rowCount === 1;
}

export type SecondFactor = { isOn: boolean; backupCodes: string };

/** A second factor that is on, or being set up, with its encrypted recovery codes. */
export async function secondFactorOf(pool: pg.Pool, userId: string): Promise<SecondFactor | null> {
  const { rows } = await pool.query<SecondFactor>(
    `select p.two_factor_enabled as "isOn", t.backup_codes as "backupCodes"
       from auth_two_factors t join profiles p on p.id = t.user_id where t.user_id = $1`,
    [userId],
  );
  return rows[0] ?? null;
}

/** Replaces the recovery codes, unless they have changed since they were read. */
export async function replaceBackupCodes(
  pool: pg.Pool,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update auth_two_factors set backup_codes = $3 where user_id = $1 and backup_codes = $2',
    [userId, from, to],
  );
  return rowCount === 1;
}

/** A session that passes its second factor gets another token: whoever has the one from before the code is not let in by it. */
type Passing = { tokenHash: string; newTokenHash: string; now: Temporal.Instant };

/**
 * Turns it on in the session of this token, which has just passed it. A trigger ends the person's others.
 * @returns false where the session has ended
 */
export async function enableTwoFactor(pool: pg.Pool, { tokenHash, newTokenHash, now }: Passing): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with passed as (
       update auth_sessions set second_factor_at = $2, reauthenticated_at = $2, token = $3 where token = $1 returning user_id
     ), app as (
       update auth_two_factors set verified = true where user_id in (select user_id from passed)
     )
     update profiles set two_factor_enabled = true where id in (select user_id from passed)`,
    [tokenHash, now.toString(), newTokenHash],
  );
  return rowCount === 1;
}

/** Turns it off. Returns whether it was on. A trigger deletes the secret and the codes. */
export async function disableTwoFactor(pool: pg.Pool, userId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update profiles set two_factor_enabled = false where id = $1 and two_factor_enabled',
    [userId],
  );
  return rowCount === 1;
}

/** Marks the session as having passed its second factor. Returns false where it has ended, or another request passed it. */
export async function markPassed(pool: pg.Pool, { tokenHash, newTokenHash, now }: Passing): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update auth_sessions set second_factor_at = $2, reauthenticated_at = $2, token = $3 where token = $1',
    [tokenHash, now.toString(), newTokenHash],
  );
  return rowCount === 1;
}
