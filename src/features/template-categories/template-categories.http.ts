import type { templateCategoryRoutes } from '#contract/template-categories.ts';
import * as categories from '#features/template-categories/template-categories.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const templateCategoryHandlers: HandlersOf<typeof templateCategoryRoutes> = {
  listTemplateCategories: async ({ ctx }) => ({ data: await categories.listCategories(ctx), next_cursor: null }),
  createTemplateCategory: ({ ctx, body }) => categories.createCategory(ctx, body),
  updateTemplateCategory: ({ ctx, params, body }) => categories.updateCategory(ctx, { id: params.id, changes: body }),
  deleteTemplateCategory: ({ ctx, params }) => categories.deleteCategory(ctx, params.id),
};
