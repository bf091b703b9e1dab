import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type TemplateCategoryInput, templateCategoryRoutes } from '#contract/template-categories.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { refreshTemplates } from '#web/api/templates.ts';
import { keyOf } from '#web/api/query-key.ts';

/** All categories of the workspace, by name. */
export function useCategories() {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: keyOf(workspaceId, 'template-categories'),
    queryFn: async ({ signal }) => (await call(templateCategoryRoutes.listTemplateCategories, { signal })).data,
    meta: { watches: ['template_categories', 'templates'] },
  });
}

export type CategoryBody = z.input<typeof TemplateCategoryInput>;
export type CategorySave = { kind: 'create'; body: CategoryBody } | { kind: 'update'; id: string; body: CategoryBody };

/** Creates or updates a category; resolves after the lists are refetched. */
export function useSaveCategory() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (save: CategorySave) =>
      save.kind === 'create'
        ? call(templateCategoryRoutes.createTemplateCategory, { body: save.body })
        : call(templateCategoryRoutes.updateTemplateCategory, { params: { id: save.id }, body: save.body }),
    onSuccess: refresh,
  });
}

/** Deletes a category; resolves after the lists are refetched. */
export function useDeleteCategory() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(templateCategoryRoutes.deleteTemplateCategory, { params: { id } }),
    onSuccess: refresh,
  });
}

/** Refetches templates too: they show their category's name and colour. */
function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'template-categories') }),
      refreshTemplates(queryClient, workspaceId),
    ]);
  };
}
