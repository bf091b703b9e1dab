import { createHash } from 'node:crypto';
import type pg from 'pg';

/** Whose password a reset link sets; null for one that was used, has expired, or never was. */
export async function emailOfResetLink(
  pool: pg.Pool,
  { token, now }: { token: string; now: Temporal.Instant },
): Promise<string | null> {
  const { rows } = await pool.query<{ email: string }>(
    `select p.email from auth_verifications v join profiles p on p.id::text = v.value
      where v.identifier = $1 and v.expires_at > $2`,
    [identifierOf(token), now.toString()],
  );
  return rows[0]?.email ?? null;
}

/** As better-auth stores it: see `storeIdentifier` in auth.options.ts. */
const identifierOf = (token: string) => createHash('sha256').update(`reset-password:${token}`).digest('base64url');
