import { sql } from 'kysely';
import type { GalleryTemplate } from '#contract/template-gallery.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { type Listed, readPage } from '#platform/page.ts';
import { patternOf } from '#platform/pattern.ts';

type Row = GalleryTemplate & { sort_key: string };

/**
 * The public templates of all workspaces that allow them, by name; `search` in name and description. A database function reads
 * them: policies are joined by OR, so with a second policy on `templates` every query that forgets its workspace would find
 * other workspaces' rows.
 */
export const findPublicTemplates = (
  db: Db,
  { search = '', after, limit }: { search?: string; after: Position | null; limit: number },
): Promise<Listed<Row>> => {
  const pattern = patternOf(search);
  const query = publicTemplates({ wanted: null, pattern, after, page: limit + 1 });
  return readPage(db, { query, limit, large: ['description', 'content', 'variables'] });
};

export async function findPublicTemplate(db: Db, { id }: { id: string }): Promise<Row | undefined> {
  const { rows } = await publicTemplates({ wanted: id, pattern: null, after: null, page: 1 }).execute(db);
  return rows[0];
}

const publicTemplates = (asked: {
  wanted: string | null;
  pattern: string | null;
  after: Position | null;
  page: number;
}) =>
  sql<Row>`(
    select * from public_templates(${asked.wanted}::uuid, ${asked.pattern}::text, ${asked.after?.at ?? null}::text,
                                   ${asked.after?.id ?? null}::uuid, ${asked.page}::integer))`;
