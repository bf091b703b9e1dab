import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { type TemplateCategoryInput, templateCategoryRoutes } from '#contract/template-categories.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { refreshTemplates } from '#web/api/templates.ts';

/** All categories of the workspace, by name. */
export function useCategories() {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'template-categories'],
    queryFn: async ({ signal }) => (await call(templateCategoryRoutes.listTemplateCategories, { signal })).data,
    meta: { watches: ['template_categories', 'templates'] },
  });
}

export type CategoryBody = z.input<typeof TemplateCategoryInput>;
export type CategorySave = { kind: 'create'; body: CategoryBody } | { kind: 'update'; id: string; body: CategoryBody };

/** Creates or changes a category; done once the lists show it. */
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

/** Deletes; done once the lists show it. */
export function useDeleteCategory() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(templateCategoryRoutes.deleteTemplateCategory, { params: { id } }),
    onSuccess: refresh,
  });
}

/** Templates are shown with the name and colour of their category. */
function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: [workspaceId, 'template-categories'] }),
      refreshTemplates(queryClient, workspaceId),
    ]);
  };
}
