import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { z } from 'zod';
import {
  type PreviewBody,
  type TemplateChanges,
  type TemplateInput,
  templateLimits,
  templateRoutes,
} from '#contract/templates.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';

/** `search` in name and description; no `category` means all. */
export type TemplateFilters = { search?: string; category?: string };

type PageOf<Item> = { data: Item[]; next_cursor: string | null };

const rowsOf = <Item>({ pages }: InfiniteData<PageOf<Item>>): Item[] => pages.flatMap(({ data }) => data);
// An empty cursor is not sent: it asks for the first page.
const paging = { initialPageParam: '', getNextPageParam: ({ next_cursor }: PageOf<unknown>) => next_cursor };
const pageSize = 24;

/** The templates that match, the last changed first; `data` is one flat list of the pages loaded so far. */
export function useTemplates({ search, category }: TemplateFilters) {
  const workspaceId = useWorkspaceId();
  return useInfiniteQuery({
    ...paging,
    queryKey: [workspaceId, 'templates', 'list', { search, category }],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(templateRoutes.listTemplates, { query: { search, category, limit: pageSize, cursor }, signal }),
    select: rowsOf,
    placeholderData: keepPreviousData,
    meta: { watches: ['templates', 'template_categories'] },
  });
}

/** Asks for one template: where a link names it. */
export function useFetchTemplate() {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  return (id: string) =>
    queryClient.fetchQuery({
      queryKey: [workspaceId, 'templates', 'one', id],
      queryFn: ({ signal }) => call(templateRoutes.getTemplate, { params: { id }, signal }),
      staleTime: 0,
      retry: false,
    });
}

type TemplateBody = z.input<typeof TemplateInput>;
export type TemplateSave =
  | { kind: 'create'; body: TemplateBody }
  | { kind: 'update'; id: string; changes: z.input<typeof TemplateChanges> };

/** Creates or changes a template; done once the list shows it. */
export function useSaveTemplate() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (save: TemplateSave) =>
      save.kind === 'create'
        ? call(templateRoutes.createTemplate, { body: save.body })
        : call(templateRoutes.updateTemplate, { params: { id: save.id }, body: save.changes }),
    onSuccess: refresh,
  });
}

/** Copies within the workspace; done once the list shows it. */
export function useDuplicateTemplate() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(templateRoutes.duplicateTemplate, { params: { id } }),
    onSuccess: refresh,
  });
}

/** Deletes; done once the list shows it. */
export function useDeleteTemplate() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(templateRoutes.deleteTemplate, { params: { id } }),
    onSuccess: refresh,
  });
}

/** A text filled in as a message is filled in. */
export function usePreview(body: z.input<typeof PreviewBody>) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: [workspaceId, 'template-preview', body],
    queryFn: ({ signal }) => call(templateRoutes.previewTemplate, { body, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Where a template is shown as mail, for a sandboxed frame; null where the values are too long for an address. */
export function useTemplateHtmlUrl(id: string, values: Readonly<Record<string, string>>): string | null {
  const workspace = useWorkspaceId();
  const text = JSON.stringify(values);
  if (text.length > templateLimits.valuesInAddress) return null;
  return `/api/templates/${encodeURIComponent(id)}/html?${new URLSearchParams({ workspace, values: text })}`;
}

/** What a template said after each time it was written, newest first. */
export function useTemplateVersions(id: string) {
  const workspaceId = useWorkspaceId();
  return useInfiniteQuery({
    ...paging,
    queryKey: [workspaceId, 'templates', 'versions', id],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(templateRoutes.listTemplateVersions, { params: { id }, query: { cursor }, signal }),
    select: rowsOf,
    meta: { watches: ['templates'] },
  });
}

/** Takes an older version back; done once the list shows it. */
export function useRestoreVersion(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (version: number) => call(templateRoutes.restoreTemplateVersion, { params: { id, version } }),
    onSuccess: refresh,
  });
}

/** The reminders that were begun from a template. */
export function useTemplateUses(id: string) {
  const workspaceId = useWorkspaceId();
  return useInfiniteQuery({
    ...paging,
    queryKey: [workspaceId, 'templates', 'uses', id],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(templateRoutes.listTemplateUses, { params: { id }, query: { cursor }, signal }),
    select: rowsOf,
    meta: { watches: ['reminders', 'templates'] },
  });
}

/** The public templates of all workspaces that allow them. */
export function useGallery(search: string) {
  const workspaceId = useWorkspaceId();
  return useInfiniteQuery({
    ...paging,
    queryKey: [workspaceId, 'template-gallery', search],
    queryFn: ({ pageParam: cursor, signal }) =>
      call(templateRoutes.listGallery, { query: { search, limit: pageSize, cursor }, signal }),
    select: rowsOf,
    placeholderData: keepPreviousData,
  });
}

/** Copies a public template into the workspace; done once the list shows it. */
export function useCopyFromGallery() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(templateRoutes.copyFromGallery, { params: { id } }),
    onSuccess: refresh,
  });
}

/** Refetches the templates now, without waiting for the change stream. */
function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return () => refreshTemplates(queryClient, workspaceId);
}

export const refreshTemplates = (queryClient: QueryClient, workspaceId: string) =>
  queryClient.invalidateQueries({ queryKey: [workspaceId, 'templates'] });
