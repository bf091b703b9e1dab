import { z } from 'zod';
import { Id, IdParams, InstantText, Page, PageQuery } from '#contract/common.ts';
import { get, post } from '#contract/route.ts';
import { Template, TemplateText } from '#contract/templates.ts';

export const TemplateVersion = TemplateText.extend({
  id: Id,
  version: z.number().int(),
  /** The older version that this version restored. */
  restored_from: z.number().int().nullable(),
  /** The author; null for a program or a deleted user. */
  created_by: z.object({ id: Id, full_name: z.string() }).nullable(),
  created_at: InstantText,
});
export type TemplateVersion = z.output<typeof TemplateVersion>;

const VersionParams = IdParams.extend({ version: z.coerce.number().int().min(1).max(2_000_000_000) });

export const templateVersionRoutes = {
  listTemplateVersions: get('/api/templates/:id/versions', {
    access: 'member',
    summary: 'List the versions of a template, newest first',
    query: PageQuery,
    answer: Page(TemplateVersion),
  }),
  restoreTemplateVersion: post('/api/templates/:id/versions/:version/restore', {
    access: 'member',
    summary: 'Restore a version of a template as a new version',
    params: VersionParams,
    answer: Template,
  }),
};
