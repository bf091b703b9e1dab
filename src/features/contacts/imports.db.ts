import { sql } from 'kysely';
import type { ImportCounts, UndoCounts } from '#contract/contact-imports.ts';
import type { Db } from '#platform/database.ts';

type Scope = { workspaceId: string };
type One = Scope & { id: string; now: string };

/** Records an import that begins, and deletes the records of the oldest ones. */
export async function insertImport(
  db: Db,
  {
    workspaceId,
    id,
    now,
    importedBy,
    fileName,
    country,
    lines,
    kept,
  }: One & {
    importedBy: string | null;
    fileName: string | null;
    country: string | null;
    lines: number;
    /** How many imports are kept. */
    kept: number;
  },
): Promise<void> {
  await sql`
    insert into contact_imports (id, workspace_id, imported_by, file_name, default_country, imported_at, lines, reported_at)
    values (${id}, ${workspaceId}, ${importedBy}, ${fileName}, ${country}, ${now}, ${lines}, ${now})`.execute(db);
  await sql`
    delete from contact_imports
     where workspace_id = ${workspaceId}
       and id <= (select id from contact_imports where workspace_id = ${workspaceId} order by id desc offset ${kept} limit 1)`.execute(
    db,
  );
}

export const reportProgress = (db: Db, { workspaceId, id, done, now }: One & { done: number }) =>
  sql`
    update contact_imports set lines_done = ${done}, reported_at = ${now}
     where workspace_id = ${workspaceId} and id = ${id} and status = 'running' and lines_done < ${done}`.execute(db);

export const completeImport = (db: Db, { workspaceId, id, now, counts }: One & { counts: ImportCounts }) =>
  sql`
    update contact_imports set status = 'completed', lines_done = lines, counts = ${JSON.stringify(counts)}, reported_at = ${now}
     where workspace_id = ${workspaceId} and id = ${id}`.execute(db);

export const failImport = (db: Db, { workspaceId, id, now }: One) =>
  sql`
    update contact_imports set status = 'failed', reported_at = ${now}
     where workspace_id = ${workspaceId} and id = ${id} and status = 'running'`.execute(db);

export const markUndone = (
  db: Db,
  { workspaceId, id, now, undoneBy, undo }: One & { undoneBy: string | null; undo: UndoCounts },
) =>
  sql`
    update contact_imports set undone_at = ${now}, undone_by = ${undoneBy}, undo = ${JSON.stringify(undo)}
     where workspace_id = ${workspaceId} and id = ${id}`.execute(db);

type ImportRow = {
  id: string;
  imported_by: string | null;
  file_name: string | null;
  default_country: string | null;
  imported_at: string;
  status: 'running' | 'completed' | 'failed';
  lines: number;
  lines_done: number;
  reported_at: string;
  counts: ImportCounts | null;
  undone_at: string | null;
  undone_by: string | null;
  undo: UndoCounts | null;
};

/** The latest imports, newest first. */
export async function findImports(db: Db, { workspaceId, limit }: Scope & { limit: number }): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    select i.id, coalesce(nullif(p.full_name, ''), p.email) as imported_by, i.file_name, i.default_country, i.imported_at, i.status, i.lines,
           i.lines_done, i.reported_at, i.counts, i.undone_at, coalesce(nullif(u.full_name, ''), u.email) as undone_by, i.undo
      from contact_imports i
      left join profiles p on p.id = i.imported_by
      left join profiles u on u.id = i.undone_by
     where i.workspace_id = ${workspaceId}
     order by i.id desc
     limit ${limit}`.execute(db);
  return rows;
}
