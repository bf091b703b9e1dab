import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

export async function isAdministrator(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_administrator: boolean }>`select is_administrator()`.execute(db);
  return rows[0]?.is_administrator === true;
}

type Window = { dayBegin: string; dayEnd: string; since: string };

type Figures = {
  users: number;
  workspaces: number;
  sent: number;
  failed: number;
  completed_jobs: number;
  failed_jobs: number;
  demos: number;
};

/** The figures of the whole installation, or of the workspaces that the caller administers. */
export async function readFigures(
  db: Db,
  { isAll, dayBegin, dayEnd, since }: Window & { isAll: boolean },
): Promise<Figures> {
  const of = isAll ? sql`installation_figures` : sql`own_figures`;
  const { rows } = await sql<Figures>`
    select * from ${of}(${dayBegin}::timestamptz, ${dayEnd}::timestamptz, ${since}::timestamptz)`.execute(db);
  const [figures] = rows;
  if (figures === undefined) throw new Error('the figures answered no row');
  return figures;
}
