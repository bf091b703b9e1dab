import type pg from 'pg';

/** How many sessions are listed, more than a person has browsers. */
const most = 200;

type Row = {
  id: string;
  user_agent: string | null;
  ip_address: string | null;
  created_at: Date;
  updated_at: Date;
};

/** The sessions of a person that have not ended, last used first; none that waits for the second factor. */
export async function listSessions(
  pool: pg.Pool,
  { userId, now }: { userId: string; now: Temporal.Instant },
): Promise<Row[]> {
  const { rows } = await pool.query<Row>(
    `select id, user_agent, ip_address, created_at, updated_at from auth_sessions
      where user_id = $1 and expires_at > $2
        and (second_factor_at is not null or not (select two_factor_enabled from profiles where id = $1))
      order by updated_at desc, id limit $3`,
    [userId, now.toString(), most],
  );
  return rows;
}

/** Ends one session of a person, or all but one. Returns how many ended. */
export async function endSessions(
  pool: pg.Pool,
  { userId, ...which }: { userId: string } & ({ id: string } | { exceptOf: string }),
): Promise<number> {
  if ('id' in which) {
    const ended = await pool.query('delete from auth_sessions where user_id = $1 and id = $2', [userId, which.id]);
    return ended.rowCount ?? 0;
  }
  const ended = await pool.query('delete from auth_sessions where user_id = $1 and id <> $2', [userId, which.exceptOf]);
  // Also ends push where the session has expired long ago.
  await pool.query('select end_push_without_session($1)', [userId]);
  return ended.rowCount ?? 0;
}
