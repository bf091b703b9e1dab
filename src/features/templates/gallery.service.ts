import { z } from 'zod';
import type { GalleryTemplate } from '#contract/template-gallery.ts';
import type { Template } from '#contract/templates.ts';
import { findPublicTemplate, findPublicTemplates } from '#features/templates/gallery.db.ts';
import { createTemplate } from '#features/templates/templates.service.ts';
import type { PersonContext, TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { NotFound } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';

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
  return { ...page, data: page.data.map(({ sort_key: _, ...template }): GalleryTemplate => template) };
}

/** The copy has no category, is not public and begins its own history. */
export async function copyFromGallery(ctx: TenantContext, id: string): Promise<Template> {
  const found = await findPublicTemplate(ctx.db, { id });
  if (found === undefined) throw new NotFound('public template');
  const { name, description, content, variables } = found;
  return createTemplate(ctx, { name, description, content, variables, category_id: null, is_public: false });
}
