import type { templateGalleryRoutes } from '#contract/template-gallery.ts';
import type { templatePreviewRoutes } from '#contract/template-previews.ts';
import type { templateVersionRoutes } from '#contract/template-versions.ts';
import type { templateRoutes } from '#contract/templates.ts';
import type { Renderer } from '#domain/rendering.ts';
import { templateValues } from '#domain/template-preview.ts';
import { mailHtml } from '#domain/message-format/plain-mail.ts';
import * as gallery from '#features/templates/gallery.service.ts';
import { previewAs } from '#features/templates/preview.service.ts';
import * as templates from '#features/templates/templates.service.ts';
import { listVersions, restoreVersion } from '#features/templates/versions.service.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';
import { untrustedHtml } from '#platform/untrusted-html.ts';

type Routes = typeof templateRoutes &
  typeof templateVersionRoutes &
  typeof templateGalleryRoutes &
  typeof templatePreviewRoutes;

export const templateHandlers = ({ renderer }: { renderer: Renderer }): HandlersOf<Routes> => ({
  listTemplates: ({ ctx, query }) => templates.listTemplates(ctx, query),
  createTemplate: ({ ctx, body }) => templates.createTemplate(ctx, body),
  previewTemplate: ({ ctx, body: { content, channel = content.type, variables, values } }) =>
    previewAs(ctx, { content, channel, values: templateValues(variables.variables, values), renderer }),
  listGallery: ({ ctx, query }) => gallery.listGallery(ctx, query),
  copyFromGallery: ({ ctx, params }) => gallery.copyFromGallery(ctx, params.id),
  getTemplate: ({ ctx, params }) => templates.getTemplate(ctx, params.id),
  updateTemplate: ({ ctx, params, body }) => templates.updateTemplate(ctx, { id: params.id, changes: body }),
  deleteTemplate: ({ ctx, params }) => templates.deleteTemplate(ctx, params.id),
  duplicateTemplate: ({ ctx, params }) => templates.duplicateTemplate(ctx, params.id),
  async getTemplateHtml({ ctx, params, query }) {
    const { content, variables } = await templates.getTemplate(ctx, params.id);
    const values = templateValues(variables.variables, query.values ?? {});
    const previewed = await previewAs(ctx, { content, channel: 'email', values, renderer });
    return new AfterCommit(async (again) => {
      const { html, body } = await previewed.finish(again);
      return untrustedHtml(html ?? mailHtml(body));
    });
  },
  listTemplateUses: ({ ctx, params, query }) => templates.listUses(ctx, { ...query, id: params.id }),
  listTemplateVersions: ({ ctx, params, query }) => listVersions(ctx, { ...query, id: params.id }),
  restoreTemplateVersion: ({ ctx, params }) => restoreVersion(ctx, params),
});
