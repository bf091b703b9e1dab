import { randomUUIDv7 } from 'node:crypto';
import { categoryLimits, type TemplateCategory, type TemplateCategoryInput } from '#contract/template-categories.ts';
import * as rows from '#features/template-categories/template-categories.db.ts';
import { announce } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import { Invalid, NotFound, Unprocessable } from '#platform/errors.ts';

export const listCategories = (ctx: TenantContext): Promise<TemplateCategory[]> => rows.findCategories(ctx.db, ctx);

export async function createCategory(ctx: TenantContext, input: TemplateCategoryInput): Promise<TemplateCategory> {
  const { workspaceId } = ctx;
  if ((await rows.countCategories(ctx.db, { workspaceId })) >= categoryLimits.perWorkspace)
    throw new Unprocessable(`A workspace can have ${categoryLimits.perWorkspace} categories at most`);
  const id = randomUUIDv7();
  await rows.insertCategory(ctx.db, {
    workspaceId,
    id,
    now: ctx.now.toString(),
    fields: { ...input, name: input.name.trim() },
  });
  await announce(ctx, ['template_categories']);
  return mustFind(ctx, id);
}

export async function updateCategory(
  ctx: TenantContext,
  { id, changes }: { id: string; changes: Partial<TemplateCategoryInput> },
): Promise<TemplateCategory> {
  const { workspaceId } = ctx;
  const fields = { ...changes, ...(changes.name !== undefined && { name: changes.name.trim() }) };
  const updated = await rows.updateCategory(ctx.db, { workspaceId, id, now: ctx.now.toString(), fields });
  if (updated.numUpdatedRows === 0n) throw new NotFound('category');
  // Templates are announced too: they are shown with the name and colour of their category.
  await announce(ctx, ['template_categories', 'templates']);
  return mustFind(ctx, id);
}

/** Deletes a category. Its templates stay, without one. */
export async function deleteCategory(ctx: TenantContext, id: string): Promise<void> {
  const deleted = await rows.deleteCategory(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (deleted.numDeletedRows === 0n) throw new NotFound('category');
  await announce(ctx, ['template_categories', 'templates']);
}

/** Refuses an id that is not a category of this workspace, and locks the category until the transaction ends. */
export async function assertCategory(ctx: TenantContext, id: string | null): Promise<void> {
  if (id === null || (await rows.lockCategory(ctx.db, { workspaceId: ctx.workspaceId, id }))) return;
  throw new Invalid([{ path: 'category_id', message: 'There is no such category in this workspace' }]);
}

async function mustFind(ctx: TenantContext, id: string): Promise<TemplateCategory> {
  const found = await rows.findCategory(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (found === undefined) throw new NotFound('category');
  return found;
}
