import type pg from 'pg';
import { instantOf } from '#domain/instants.ts';

/** When the session last proved who uses it: at its beginning, or later. */
export async function reauthenticatedAt(pool: pg.Pool, sessionId: string): Promise<Temporal.Instant | null> {
  const { rows } = await pool.query<{ at: Date }>(
    'select coalesce(confirmed_at, created_at) as at from auth_sessions where id = $1',
    [sessionId],
  );
  return rows[0] === undefined ? null : instantOf(rows[0].at);
}

export const markReauthenticated = (pool: pg.Pool, { sessionId, now }: { sessionId: string; now: Temporal.Instant }) =>
  pool.query('update auth_sessions set confirmed_at = $2 where id = $1', [sessionId, now.toString()]);

export const keepCode = (
  pool: pg.Pool,
  { sessionId, codeHash, expiresAt }: { sessionId: string; codeHash: string; expiresAt: Temporal.Instant },
) =>
  pool.query(
    `insert into auth_confirmation_codes (session_id, code_hash, expires_at) values ($1, $2, $3)
     on conflict (session_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
    [sessionId, codeHash, expiresAt.toString()],
  );

/** Uses the code up. Returns whether it was the session's: under one of these hashes, one for each encryption key. */
export async function consumeCode(
  pool: pg.Pool,
  { sessionId, codeHashes, now }: { sessionId: string; codeHashes: readonly string[]; now: Temporal.Instant },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    'delete from auth_confirmation_codes where session_id = $1 and code_hash = any ($2::text[]) and expires_at > $3',
    [sessionId, codeHashes, now.toString()],
  );
  return rowCount === 1;
}
