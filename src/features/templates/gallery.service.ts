import { sql } from 'kysely';
import { z } from 'zod';
import type { GalleryTemplate } from '#contract/template-gallery.ts';
import type { Template } from '#contract/templates.ts';
import { createTemplate } from '#features/templates/templates.service.ts';
import type { PersonContext, TenantContext } from '#platform/context.ts';
import { decodeCursor, type Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { NotFound } from '#platform/errors.ts';
import { type Listed, pageOf, readPage } from '#platform/page.ts';
import { patternOf } from '#platform/pattern.ts';

const SortKey = z
  .string()
  .max(800)
  .refine((text) => !text.includes('\0'));

export async function listGallery(
  ctx: PersonContext,
  { search, cursor, limit }: { search?: string; cursor?: string; limit: number },
) {
  const found = await findPublicTemplates(ctx.db, { search, limit, after: decodeCursor(cursor, SortKey) });
  const page = pageOf(found, { at: (row) => row.sort_key });
  return {
    ...page,
    data: page.data.map(
      ({ sort_key: _, content, ...template }): GalleryTemplate => ({ ...template, content: withoutTopic(content) }),
    ),
  };
}

/** Copies a public template. The copy has no category, is not public, and begins its own history. */
export async function copyFromGallery(ctx: TenantContext, id: string): Promise<Template> {
  const found = await findPublicTemplate(ctx.db, { id });
  if (found === undefined) throw new NotFound('public template');
  const { name, description, content, variables } = found;
  return createTemplate(ctx, {
    name,
    description,
    content: withoutTopic(content),
    variables,
    category_id: null,
    is_public: false,
  });
}

/** A topic belongs to the workspace of the template. */
const withoutTopic = ({ topic_id: _, ...content }: GalleryTemplate['content']) => content;

type Row = GalleryTemplate & { sort_key: string };

/**
 * The public templates of all workspaces that allow them, by name; `search` in name and description. A database function reads
 * them: policies are joined by OR, so with a second policy on `templates` every query that forgets its workspace would find
 * other workspaces' rows.
 */
const findPublicTemplates = (
  db: Db,
  { search = '', after, limit }: { search?: string; after: Position | null; limit: number },
): Promise<Listed<Row>> => {
  const pattern = patternOf(search);
  const query = publicTemplates({ wanted: null, pattern, after, page: limit + 1 });
  return readPage(db, { query, limit, large: ['description', 'content', 'variables'] });
};

async function findPublicTemplate(db: Db, { id }: { id: string }): Promise<Row | undefined> {
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
