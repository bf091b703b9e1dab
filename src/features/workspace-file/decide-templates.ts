import { categoryLimits, type TemplateCategoryInput } from '#contract/template-categories.ts';
import type { TemplateContent } from '#contract/templates.ts';
import { CategoryItem, TemplateItem } from '#features/workspace-file/file-items.ts';
import * as rows from '#features/workspace-file/import.db.ts';
import { type Decided, decideSection, readBy, type Verdict } from '#features/workspace-file/read-items.ts';
import type { TenantContext } from '#platform/context.ts';

export async function decideCategories(
  ctx: TenantContext,
  items: readonly unknown[],
): Promise<Decided<rows.CategoryMade>[]> {
  const { categories } = await rows.countItems(ctx.db, ctx);
  let free = categoryLimits.perWorkspace - categories;
  return decideSection<TemplateCategoryInput, TemplateCategoryInput>(ctx, items, {
    section: 'template_categories',
    table: 'template_categories',
    read: readBy(CategoryItem),
    judge: async (read) => {
      const names = read.map(({ value }) => value.name.trim());
      const there = await rows.findCategoriesNamed(ctx.db, { workspaceId: ctx.workspaceId, names });
      return read.map(({ value }, at): Verdict<TemplateCategoryInput> => {
        const id = there[at];
        if (id !== null && id !== undefined) return { existing: id };
        free -= 1;
        if (free < 0)
          return {
            refused: [{ path: '', message: `A workspace can have ${categoryLimits.perWorkspace} categories at most` }],
          };
        return { row: { ...value, name: value.name.trim() } };
      });
    },
  });
}

/** The most bytes of a template's variables as JSON, below the limit of the database. */
const maxVariableBytes = 1_000_000;

type TemplateFields = Omit<rows.TemplateMade, 'id' | 'ref'>;

export const decideTemplates = (
  ctx: TenantContext,
  items: readonly unknown[],
  { categories, topics }: { categories: ReadonlyMap<string, string>; topics: ReadonlyMap<string, string> },
): Promise<Decided<rows.TemplateMade>[]> =>
  decideSection<TemplateItem, TemplateFields>(ctx, items, {
    section: 'templates',
    table: 'templates',
    read: readBy(TemplateItem),
    judge: async (read) =>
      read.map(({ value: { category, versions, ...value } }): Verdict<TemplateFields> => {
        const name = value.name.trim();
        if (Buffer.byteLength(JSON.stringify(value.variables)) > maxVariableBytes)
          return { refused: [{ path: 'variables', message: 'is larger than 1 MB' }] };
        const categoryId = category === null ? null : (categories.get(category) ?? null);
        const gone = category !== null && categoryId === null;
        const { content, isLost } = withTopic(value.content, topics);
        const first = { ...value, content, name, version: 1, restored_from: null, created_at: ctx.now.toString() };
        const own =
          versions.length > 0
            ? versions.map((version) => ({ ...version, content: withTopic(version.content, topics).content }))
            : [first];
        return {
          row: {
            ...value,
            content,
            name,
            category_id: categoryId,
            version: Math.max(...own.map(({ version }) => version)),
            versions: own,
          },
          notes: [
            ...(gone ? [{ path: 'category', message: 'is not a category of this file: it is made without one' }] : []),
            ...(isLost
              ? [{ path: 'content.topic_id', message: 'is not a topic of this file: it is made without one' }]
              : []),
          ],
        };
      }),
  });

/** The content with the topic of this workspace; without one where the file does not have it. */
function withTopic(
  { topic_id: ref, ...content }: TemplateContent,
  topics: ReadonlyMap<string, string>,
): { content: TemplateContent; isLost: boolean } {
  const id = ref === undefined ? undefined : topics.get(ref);
  return {
    content: { ...content, ...(id !== undefined && { topic_id: id }) },
    isLost: ref !== undefined && id === undefined,
  };
}
