import { templateGalleryRoutes } from '#contract/template-gallery.ts';
import { templateVersionRoutes } from '#contract/template-versions.ts';
import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { Page } from '#contract/common.ts';
import { type PreviewBody, templatePreviewRoutes } from '#contract/template-previews.ts';
import {
  Template,
  type TemplateChanges,
  type TemplateInput,
  TemplateSummary,
  templateRoutes,
} from '#contract/templates.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { keyOf } from '#web/api/query-key.ts';

/** `search` matches name and description; no `category` means all. */
export type TemplateFilters = { search?: string; category?: string };

const pageSize = 24;

/** The text and the variables are loaded with the template when its dialog opens. */
const listSummaries = { ...templateRoutes.listTemplates, answer: Page(TemplateSummary) };
const listTexts = { ...templateRoutes.listTemplates, answer: Page(Template) };

/**
 * The matching templates without their texts, most recently changed first; `data` is one flat list of the pages loaded
 * so far.
 */
export function useTemplates({ search, category }: TemplateFilters) {
  const workspaceId = useWorkspaceId();
  return usePagedList({
    queryKey: keyOf(workspaceId, 'templates', 'list', { search, category }),
    read: ({ cursor, signal }) =>
      call(listSummaries, { query: { search, category, limit: pageSize, cursor, view: 'summary' }, signal }),
    watches: ['templates', 'template_categories'],
    keepsRows: true,
  });
}

/** The matching templates with their texts, for the template picker. */
export function useTemplateTexts({ search, category }: TemplateFilters) {
  const workspaceId = useWorkspaceId();
  return usePagedList({
    queryKey: keyOf(workspaceId, 'templates', 'texts', { search, category }),
    read: ({ cursor, signal }) => call(listTexts, { query: { search, category, limit: pageSize, cursor }, signal }),
    watches: ['templates', 'template_categories'],
    keepsRows: true,
  });
}

/** One template, never from the cache: a form must not edit an old copy. */
export function useTemplate(id: string) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: keyOf(workspaceId, 'templates', 'whole', id),
    queryFn: ({ signal }) => call(templateRoutes.getTemplate, { params: { id }, signal }),
    gcTime: 0,
    staleTime: 0,
    meta: { watches: ['templates'] },
  });
}

/** Fetches the template that a link names. */
export function useFetchTemplate() {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  return (id: string) =>
    queryClient.fetchQuery({
      queryKey: keyOf(workspaceId, 'templates', 'one', id),
      queryFn: ({ signal }) => call(templateRoutes.getTemplate, { params: { id }, signal }),
      staleTime: 0,
      retry: false,
    });
}

type TemplateBody = z.input<typeof TemplateInput>;
export type TemplateSave =
  | { kind: 'create'; body: TemplateBody }
  | { kind: 'update'; id: string; changes: z.input<typeof TemplateChanges> };

/** Creates or updates a template; resolves after the list is refetched. */
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

/** Copies a template within the workspace; resolves after the list is refetched. */
export function useDuplicateTemplate() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(templateRoutes.duplicateTemplate, { params: { id } }),
    onSuccess: refresh,
  });
}

/** Deletes a template; resolves after the list is refetched. */
export function useDeleteTemplate() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(templateRoutes.deleteTemplate, { params: { id } }),
    onSuccess: refresh,
  });
}

/** A text rendered by the renderer of real messages. */
export function usePreview(body: z.input<typeof PreviewBody>) {
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: keyOf(workspaceId, 'preview', 'one', body),
    queryFn: ({ signal }) => call(templatePreviewRoutes.previewTemplate, { body, signal }),
    placeholderData: keepPreviousData,
  });
}

/** The versions of a template, newest first. */
export function useTemplateVersions(id: string) {
  const workspaceId = useWorkspaceId();
  return usePagedList({
    queryKey: keyOf(workspaceId, 'templates', 'versions', id),
    read: ({ cursor, signal }) =>
      call(templateVersionRoutes.listTemplateVersions, { params: { id }, query: { cursor }, signal }),
    watches: ['templates'],
  });
}

/** Restores an older version; resolves after the list is refetched. */
export function useRestoreVersion(id: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (version: number) => call(templateVersionRoutes.restoreTemplateVersion, { params: { id, version } }),
    onSuccess: refresh,
  });
}

/** The reminders that were created from a template. */
export function useTemplateUses(id: string) {
  const workspaceId = useWorkspaceId();
  return usePagedList({
    queryKey: keyOf(workspaceId, 'templates', 'uses', id),
    read: ({ cursor, signal }) => call(templateRoutes.listTemplateUses, { params: { id }, query: { cursor }, signal }),
    watches: ['reminders', 'templates'],
  });
}

/** The public templates of all workspaces that allow them. */
export function useGallery(search: string) {
  const workspaceId = useWorkspaceId();
  return usePagedList({
    queryKey: keyOf(workspaceId, 'gallery', 'list', { search }),
    read: ({ cursor, signal }) =>
      call(templateGalleryRoutes.listGallery, { query: { search, limit: pageSize, cursor }, signal }),
    keepsRows: true,
  });
}

/** Copies a public template into the workspace; resolves after the list is refetched. */
export function useCopyFromGallery() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(templateGalleryRoutes.copyFromGallery, { params: { id } }),
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
  queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'templates') });
