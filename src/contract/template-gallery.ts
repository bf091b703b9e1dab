import { z } from 'zod';
import { Id, Page, PageQuery, Text } from '#contract/common.ts';
import { get, post } from '#contract/route.ts';
import { Template, TemplateText } from '#contract/templates.ts';

/** A public template with the name of its workspace, and no other data of that workspace. */
export const GalleryTemplate = TemplateText.extend({ id: Id, workspace_name: z.string() });
export type GalleryTemplate = z.output<typeof GalleryTemplate>;

export const templateGalleryRoutes = {
  listGallery: get('/api/templates/gallery', {
    access: 'user',
    summary: 'List the public templates of all workspaces that allow them, by name',
    // The cursor contains the name of the last template.
    query: PageQuery.extend({ search: Text(200).optional(), cursor: z.string().max(1_500).optional() }),
    answer: Page(GalleryTemplate),
  }),
  copyFromGallery: post('/api/templates/gallery/:id/copy', {
    access: 'member',
    summary: 'Copy a public template into the workspace',
    answer: Template,
    status: 201,
  }),
};
