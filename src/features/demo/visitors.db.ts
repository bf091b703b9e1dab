import type { Pool } from 'pg';

/**
 * An account without a password, for one browser. False where so many visitors are there already.
 * @param auth of the role cuebird_auth
 */
export async function insertVisitor(
  auth: Pool,
  { id, fullName, until, most }: { id: string; fullName: string; until: Temporal.Instant; most: number },
): Promise<boolean> {
  const { rowCount } = await auth.query(
    `insert into profiles (id, email, email_verified, full_name, is_demo, demo_until)
     select $1::uuid, 'visitor-' || $1::text || '@cuebird.example', true, $2, true, $3
      where (select count(*) from profiles where demo_until > now()) < $4`,
    [id, fullName, until.toString(), most],
  );
  return rowCount === 1;
}

export const deleteVisitor = (auth: Pool, id: string) =>
  auth.query('delete from profiles where id = $1 and demo_until is not null', [id]);
