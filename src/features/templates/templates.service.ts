import { randomUUIDv7 } from 'node:crypto';
import {
  type Template,
  type TemplateChanges,
  type TemplateInput,
  templateLimits,
  type TemplateSummary,
} from '#contract/templates.ts';
import { assertCategory } from '#features/template-categories/template-categories.service.ts';
import * as rows from '#features/templates/templates.db.ts';
import { assertTopic } from '#features/topics/topics.service.ts';
import { insertVersion, type Written } from '#features/templates/versions.db.ts';
import { recordAct } from '#platform/audit.ts';
import { announce } from '#platform/changes.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { Invalid, NotFound } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';

export async function listTemplates(
  ctx: TenantContext,
  { view, ...query }: { search?: string; category?: string; cursor?: string; limit: number; view?: 'summary' },
): Promise<{ data: (Template | TemplateSummary)[]; next_cursor: string | null }> {
  const filter = { ...query, workspaceId: ctx.workspaceId, after: decodeCursor(query.cursor) };
  const at = (row: { updated_at: string }) => row.updated_at;
  if (view === 'summary') {
    const page = pageOf(await rows.findTemplateSummaries(ctx.db, filter), { at });
    return { ...page, data: page.data.map(withCategory) };
  }
  const page = pageOf(await rows.findTemplates(ctx.db, filter), { at });
  return { ...page, data: page.data.map(withCategory) };
}

export async function getTemplate(ctx: TenantContext, id: string): Promise<Template> {
  const row = await rows.findTemplate(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (row === undefined) throw new NotFound('template');
  return onTheWire(row);
}

export async function createTemplate(ctx: TenantContext, written: TemplateInput): Promise<Template> {
  const { workspaceId } = ctx;
  const input = { ...written, name: written.name.trim() };
  await assertCategory(ctx, input.category_id);
  await assertTopic(ctx, { topicId: input.content.topic_id });
  const id = randomUUIDv7();
  const made = { workspaceId, createdBy: personOf(ctx.actor), now: ctx.now.toString() };
  await rows.insertTemplate(ctx.db, { ...made, id, input });
  await insertVersion(ctx.db, { ...made, templateId: id, version: 1, restoredFrom: null, written: input });
  if (input.is_public) await recordPublishing(ctx, { id, name: input.name, isPublic: true });
  await announce(ctx, ['templates']);
  return getTemplate(ctx, id);
}

/** @param restoredFrom the version that the changes come from; null for an edit */
export async function updateTemplate(
  ctx: TenantContext,
  { id, changes, restoredFrom = null }: { id: string; changes: TemplateChanges; restoredFrom?: number | null },
): Promise<Template> {
  const { workspaceId } = ctx;
  const row = await rows.lockTemplate(ctx.db, { workspaceId, id });
  if (row === undefined) throw new NotFound('template');
  const before = onTheWire(row);
  const { topic_id: topicId = null, ...content } = { ...before.content, ...changes.content };
  const input: TemplateInput = {
    name: (changes.name ?? before.name).trim(),
    description: changes.description ?? before.description,
    category_id: changes.category_id === undefined ? before.category_id : changes.category_id,
    is_public: changes.is_public ?? before.is_public,
    content: { ...content, ...(topicId !== null && { topic_id: topicId }) },
    variables: changes.variables ?? before.variables,
  };
  if (input.category_id !== before.category_id) await assertCategory(ctx, input.category_id);
  // What a version had may be archived since.
  if (restoredFrom === null)
    await assertTopic(ctx, { topicId: input.content.topic_id, before: before.content.topic_id });
  const saysTheSame = textOf(input) === textOf(before);
  const version = saysTheSame ? before.version : before.version + 1;
  const now = ctx.now.toString();
  await rows.replaceTemplate(ctx.db, { workspaceId, id, now, version, input });
  if (!saysTheSame)
    await insertVersion(ctx.db, {
      workspaceId,
      templateId: id,
      version,
      restoredFrom,
      createdBy: personOf(ctx.actor),
      now,
      written: input,
    });
  if (input.is_public !== before.is_public)
    await recordPublishing(ctx, { id, name: input.name, isPublic: input.is_public });
  await announce(ctx, ['templates']);
  return getTemplate(ctx, id);
}

export async function deleteTemplate(ctx: TenantContext, id: string): Promise<void> {
  const deleted = await rows.deleteTemplateRow(ctx.db, { workspaceId: ctx.workspaceId, id });
  if (deleted.numDeletedRows === 0n) throw new NotFound('template');
  await announce(ctx, ['templates']);
}

const copySuffix = ' (Copy)';

/** Copies a template within the workspace. The copy is not public and unused. */
export async function duplicateTemplate(ctx: TenantContext, id: string): Promise<Template> {
  const { name, description, category_id, content, variables } = await getTemplate(ctx, id);
  const capacity = templateLimits.name - copySuffix.length;
  // Cut between characters, so that none is split.
  const kept = Array.from(name).slice(0, capacity).join('').trimEnd();
  return createTemplate(ctx, {
    name: kept + copySuffix,
    description,
    category_id,
    is_public: false,
    content,
    variables,
  });
}

export async function listUses(ctx: TenantContext, { id, ...query }: { id: string; cursor?: string; limit: number }) {
  await getTemplate(ctx, id);
  const { workspaceId } = ctx;
  const found = await rows.findUses(ctx.db, { ...query, workspaceId, id, after: decodeCursor(query.cursor) });
  return pageOf(found, { at: (row) => row.created_at });
}

/**
 * Counts that a template was used: by a reminder that was begun from it. Refuses what is not one of this workspace.
 * @param use.path the field of the request that names it
 */
export async function countUse(ctx: TenantContext, { id, path }: { id: string; path: string }): Promise<void> {
  if (!(await rows.addUse(ctx.db, { workspaceId: ctx.workspaceId, id })))
    throw new Invalid([{ path, message: 'There is no such template in this workspace' }]);
  await announce(ctx, ['templates']);
}

/** Records in the audit log who makes a template public or withdraws it. */
const recordPublishing = (
  ctx: TenantContext,
  { id, name, isPublic }: { id: string; name: string; isPublic: boolean },
) =>
  recordAct(ctx, { action: isPublic ? 'template.published' : 'template.unpublished', target: id, details: { name } });

const textOf = ({ name, description, content, variables }: Written) =>
  JSON.stringify([
    name,
    description,
    [content.type, content.subject, content.body, content.format ?? 'plain'],
    variables.variables.map((one) => [one.name, one.type, one.description, one.required, one.defaultValue]),
  ]);

const onTheWire = (row: rows.TemplateRow): Template => withCategory(row);

type Categorized = Pick<rows.TemplateRow, 'category_name' | 'category_color'>;

const withCategory = <Row extends Categorized>({ category_name: name, category_color: color, ...row }: Row) => ({
  ...row,
  category: name === null || color === null ? null : { name, color },
});
