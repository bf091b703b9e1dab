import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

export async function isAdministrator(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_administrator: boolean }>`select is_administrator()`.execute(db);
  return rows[0]?.is_administrator === true;
}

type Window = { dayBegin: string; dayEnd: string };

type Figures = {
  users: number;
  workspaces: number;
  sent: number;
  failed: number;
  demos: number;
};

/** The figures of the whole installation, or of the workspaces that the caller administers. */
export async function readFigures(db: Db, { isAll, dayBegin, dayEnd }: Window & { isAll: boolean }): Promise<Figures> {
  const of = isAll ? sql`installation_figures` : sql`own_figures`;
  const { rows } = await sql<Figures>`
    select users, workspaces, sent, failed, demos from ${of}(${dayBegin}::timestamptz, ${dayEnd}::timestamptz, ${dayEnd}::timestamptz)`.execute(
    db,
  );
  const [figures] = rows;
  if (figures === undefined) throw new Error('the figures answered no row');
  return figures;
}

/** How many people the messages of the workspaces that the caller administers reached and missed, each once in a run. */
export async function countOwnPeople(db: Db): Promise<{ reached: number; missed: number }> {
  const { rows } = await sql<{ reached: number; missed: number }>`
    select coalesce(sum(p.reached), 0)::int as reached, coalesce(sum(p.missed), 0)::int as missed
      from own_administered() o
     cross join lateral (select set_config('app.workspace_id', o.id::text, true)::uuid as id offset 0) entered
     cross join lateral people_of_workspace(entered.id) p`.execute(db);
  await sql`select set_config('app.workspace_id', '', true)`.execute(db);
  return rows[0] ?? { reached: 0, missed: 0 };
}
