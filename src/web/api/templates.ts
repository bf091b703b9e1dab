import { templateGalleryRoutes } from '#contract/template-gallery.ts';
import { templateVersionRoutes } from '#contract/template-versions.ts';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
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
import { useWorkspaceChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { keyOf, useKey } from '#web/api/query-key.ts';

/** A template of a list: its text is fetched where it is needed. */
export type NamedTemplate = Pick<TemplateSummary, 'id' | 'name'>;

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
export const useTemplates = ({ search, category }: TemplateFilters) =>
  usePagedList({
    queryKey: useKey('templates', 'list', { search, category }),
    read: ({ cursor, signal }) =>
      call(listSummaries, { query: { search, category, limit: pageSize, cursor, view: 'summary' }, signal }),
    watches: ['templates', 'template_categories'],
    keepsRows: true,
  });

/** The matching templates with their texts, for the template picker. */
export const useTemplateTexts = ({ search, category }: TemplateFilters) =>
  usePagedList({
    queryKey: useKey('templates', 'texts', { search, category }),
    read: ({ cursor, signal }) => call(listTexts, { query: { search, category, limit: pageSize, cursor }, signal }),
    watches: ['templates', 'template_categories'],
    keepsRows: true,
  });

/** One template, never from the cache: a form must not edit an old copy. */
export const useTemplate = (id: string) =>
  useQuery({
    queryKey: useKey('templates', 'whole', id),
    queryFn: ({ signal }) => call(templateRoutes.getTemplate, { params: { id }, signal }),
    gcTime: 0,
    staleTime: 0,
    meta: { watches: ['templates'] },
  });

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
export const useSaveTemplate = () =>
  useWorkspaceChange('templates', (save: TemplateSave) =>
    save.kind === 'create'
      ? call(templateRoutes.createTemplate, { body: save.body })
      : call(templateRoutes.updateTemplate, { params: { id: save.id }, body: save.changes }),
  );

/** Copies a template within the workspace; resolves after the list is refetched. */
export const useDuplicateTemplate = () =>
  useWorkspaceChange('templates', (id: string) => call(templateRoutes.duplicateTemplate, { params: { id } }));

/** Deletes a template; resolves after the list is refetched. */
export const useDeleteTemplate = () =>
  useWorkspaceChange('templates', (id: string) => call(templateRoutes.deleteTemplate, { params: { id } }));

/** A text rendered by the renderer of real messages. */
export const usePreview = (body: z.input<typeof PreviewBody>) =>
  useQuery({
    queryKey: useKey('preview', 'one', body),
    queryFn: ({ signal }) => call(templatePreviewRoutes.previewTemplate, { body, signal }),
    placeholderData: keepPreviousData,
  });

/** The versions of a template, newest first. */
export const useTemplateVersions = (id: string) =>
  usePagedList({
    queryKey: useKey('templates', 'versions', id),
    read: ({ cursor, signal }) =>
      call(templateVersionRoutes.listTemplateVersions, { params: { id }, query: { cursor }, signal }),
    watches: ['templates'],
  });

/** Restores an older version; resolves after the list is refetched. */
export const useRestoreVersion = (id: string) =>
  useWorkspaceChange('templates', (version: number) =>
    call(templateVersionRoutes.restoreTemplateVersion, { params: { id, version } }),
  );

/** The reminders that were created from a template. */
export const useTemplateUses = (id: string) =>
  usePagedList({
    queryKey: useKey('templates', 'uses', id),
    read: ({ cursor, signal }) => call(templateRoutes.listTemplateUses, { params: { id }, query: { cursor }, signal }),
    watches: ['reminders', 'templates'],
  });

/** The public templates of all workspaces that allow them. */
export const useGallery = (search: string) =>
  usePagedList({
    queryKey: useKey('gallery', 'list', { search }),
    read: ({ cursor, signal }) =>
      call(templateGalleryRoutes.listGallery, { query: { search, limit: pageSize, cursor }, signal }),
    keepsRows: true,
  });

/** Copies a public template into the workspace; resolves after the list is refetched. */
export const useCopyFromGallery = () =>
  useWorkspaceChange('templates', (id: string) => call(templateGalleryRoutes.copyFromGallery, { params: { id } }));
