import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import { type TemplateCategoryInput, templateCategoryRoutes } from '#contract/template-categories.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { keyOf, useKey } from '#web/api/query-key.ts';

/** All categories of the workspace, by name. */
export const useCategories = () =>
  useQuery({
    queryKey: useKey('template-categories'),
    queryFn: async ({ signal }) => (await call(templateCategoryRoutes.listTemplateCategories, { signal })).data,
    meta: { watches: ['template_categories', 'templates'] },
  });

export type CategoryBody = z.input<typeof TemplateCategoryInput>;
export type CategorySave = { kind: 'create'; body: CategoryBody } | { kind: 'update'; id: string; body: CategoryBody };

/** Also refetches templates, which show their category's name and colour. */
function useCategoryChange<Answer, Input>(send: (input: Input) => Promise<Answer>) {
  const workspaceId = useWorkspaceId();
  return useChange([keyOf(workspaceId, 'template-categories'), keyOf(workspaceId, 'templates')], send);
}

/** Creates or updates a category; resolves after the lists are refetched. */
export const useSaveCategory = () =>
  useCategoryChange((save: CategorySave) =>
    save.kind === 'create'
      ? call(templateCategoryRoutes.createTemplateCategory, { body: save.body })
      : call(templateCategoryRoutes.updateTemplateCategory, { params: { id: save.id }, body: save.body }),
  );

/** Deletes a category; resolves after the lists are refetched. */
export const useDeleteCategory = () =>
  useCategoryChange((id: string) => call(templateCategoryRoutes.deleteTemplateCategory, { params: { id } }));
