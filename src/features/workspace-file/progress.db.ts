import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

type One = { workspaceId: string; id: string; now: string };

/** Begins an import, whose progress replaces that of the previous one. */
export const beginImport = (db: Db, { workspaceId, id, now, items }: One & { items: number }) =>
  sql`
    insert into workspace_imports (workspace_id, import_id, began_at, items, reported_at)
    values (${workspaceId}, ${id}, ${now}, ${items}, ${now})
        on conflict (workspace_id) do update
       set import_id = excluded.import_id, began_at = excluded.began_at, status = 'running', items = excluded.items, items_done = 0,
           reported_at = excluded.reported_at`.execute(db);

export const reportProgress = (db: Db, { workspaceId, id, now, done }: One & { done: number }) =>
  sql`
    update workspace_imports set items_done = least(items, ${done}), reported_at = ${now}
     where workspace_id = ${workspaceId} and import_id = ${id} and status = 'running' and items_done < ${done}`.execute(
    db,
  );

export const endImport = (db: Db, { workspaceId, id, now, status }: One & { status: 'completed' | 'failed' }) =>
  sql`
    update workspace_imports
       set status = ${status}, items_done = case when ${status} = 'completed' then items else items_done end, reported_at = ${now}
     where workspace_id = ${workspaceId} and import_id = ${id} and status = 'running'`.execute(db);

type ProgressRow = {
  began_at: string;
  status: 'running' | 'completed' | 'failed';
  items: number;
  items_done: number;
  reported_at: string;
};

export async function findImport(db: Db, { workspaceId }: { workspaceId: string }): Promise<ProgressRow | null> {
  const { rows } = await sql<ProgressRow>`
    select began_at, status, items, items_done, reported_at from workspace_imports where workspace_id = ${workspaceId}`.execute(
    db,
  );
  return rows[0] ?? null;
}
