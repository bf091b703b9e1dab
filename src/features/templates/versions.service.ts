import type { Template } from '#contract/templates.ts';
import type { TemplateVersion } from '#contract/template-versions.ts';
import { getTemplate, updateTemplate } from '#features/templates/templates.service.ts';
import * as rows from '#features/templates/versions.db.ts';
import type { TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { NotFound } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';

export async function listVersions(
  ctx: TenantContext,
  { id, ...query }: { id: string; cursor?: string; limit: number },
) {
  await getTemplate(ctx, id);
  const found = await rows.findVersions(ctx.db, {
    workspaceId: ctx.workspaceId,
    templateId: id,
    after: decodeCursor(query.cursor),
    limit: query.limit,
  });
  const page = pageOf(found, { at: (row) => row.created_at });
  return { ...page, data: page.data.map(onTheWire) };
}

/** Restores the content of an older version; category and visibility stay unchanged. */
export async function restoreVersion(
  ctx: TenantContext,
  { id, version }: { id: string; version: number },
): Promise<Template> {
  const { workspaceId } = ctx;
  const found = await rows.findVersion(ctx.db, { workspaceId, templateId: id, version });
  if (found === undefined) throw new NotFound('version of this template');
  const { name, description, variables } = found;
  // Versions from before formats existed are plain text.
  const content = {
    ...found.content,
    format: found.content.format ?? 'plain',
    topic_id: found.content.topic_id ?? null,
  };
  return updateTemplate(ctx, { id, changes: { name, description, content, variables }, restoredFrom: version });
}

const onTheWire = ({ writer_id: id, writer_name: name, ...row }: rows.VersionRow): TemplateVersion => ({
  ...row,
  created_by: id === null ? null : { id, full_name: name ?? '' },
});
