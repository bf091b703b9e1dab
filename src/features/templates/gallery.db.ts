import { sql } from 'kysely';
import type { GalleryTemplate } from '#contract/templates.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';

type Row = GalleryTemplate & { sort_key: string };

/** The public templates of all workspaces that allow them, by name; `search` in name and description. */
export const findPublicTemplates = (
  db: Db,
  { search = '', after, limit }: { search?: string; after: Position | null; limit: number },
): Promise<Row[]> => {
  // Matched as it is written: % and _ are letters like others here.
  const pattern = search.trim() === '' ? null : `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`;
  return ask(db, { wanted: null, pattern, after, page: limit + 1 });
};

export const findPublicTemplate = async (db: Db, { id }: { id: string }): Promise<Row | undefined> =>
  (await ask(db, { wanted: id, pattern: null, after: null, page: 1 }))[0];

async function ask(
  db: Db,
  asked: { wanted: string | null; pattern: string | null; after: Position | null; page: number },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select * from public_templates(${asked.wanted}::uuid, ${asked.pattern}::text, ${asked.after?.at ?? null}::text,
                                   ${asked.after?.id ?? null}::uuid, ${asked.page}::integer)`.execute(db);
  return rows;
}
