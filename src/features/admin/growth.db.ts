import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

/** People and workspaces that were new on each day (UTC); days without any are left out. For administrators only. */
export async function newOnDays(
  db: Db,
  { from, to }: { from: string; to: string },
): Promise<{ day: string; users: number; workspaces: number }[]> {
  const { rows } = await sql<{ day: string; users: number; workspaces: number }>`
    select day::text as day, people as users, workspaces from installation_growth(${from}::date, ${to}::date)`.execute(
    db,
  );
  return rows;
}
