import type { templateRoutes } from '#contract/templates.ts';
import { previewTemplate, templateValues } from '#domain/template-preview.ts';
import { asHtml } from '#delivery/email/mail.ts';
import * as gallery from '#features/templates/gallery.service.ts';
import * as templates from '#features/templates/templates.service.ts';
import { listVersions, restoreVersion } from '#features/templates/versions.service.ts';
import type { HandlersOf } from '#platform/handler.ts';
import { strangersHtml } from '#platform/strangers-html.ts';

export const templateHandlers: HandlersOf<typeof templateRoutes> = {
  listTemplates: ({ ctx, query }) => templates.listTemplates(ctx, query),
  createTemplate: ({ ctx, body }) => templates.createTemplate(ctx, body),
  previewTemplate: ({ body: { content, variables, values } }) =>
    previewTemplate(content, templateValues(variables.variables, values)),
  listGallery: ({ ctx, query }) => gallery.listGallery(ctx, query),
  copyFromGallery: ({ ctx, params }) => gallery.copyFromGallery(ctx, params.id),
  getTemplate: ({ ctx, params }) => templates.getTemplate(ctx, params.id),
  updateTemplate: ({ ctx, params, body }) => templates.updateTemplate(ctx, { id: params.id, changes: body }),
  deleteTemplate: async ({ ctx, params }) => {
    await templates.deleteTemplate(ctx, params.id);
    return {};
  },
  duplicateTemplate: ({ ctx, params }) => templates.duplicateTemplate(ctx, params.id),
  async getTemplateHtml({ ctx, params, query }) {
    const { content, variables } = await templates.getTemplate(ctx, params.id);
    return strangersHtml(
      asHtml(previewTemplate(content, templateValues(variables.variables, query.values ?? {})).body),
    );
  },
  listTemplateUses: ({ ctx, params, query }) => templates.listUses(ctx, { ...query, id: params.id }),
  listTemplateVersions: ({ ctx, params, query }) => listVersions(ctx, { ...query, id: params.id }),
  restoreTemplateVersion: ({ ctx, params }) => restoreVersion(ctx, params),
};
