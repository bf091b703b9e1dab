import { sql } from 'kysely';
import type { TemplateCategory } from '#contract/template-categories.ts';
import type { Db } from '#platform/database.ts';
import { categoryColumns, type ExportedColumn, exportedColumns } from '#platform/exported-columns.ts';

type Scope = { workspaceId: string };

const templateCount = sql<number>`(
  select count(*)::int from templates t where t.workspace_id = c.workspace_id and t.category_id = c.id)`.as(
  'template_count',
);

const selectCategories = (db: Db, { workspaceId }: Scope) =>
  db
    .selectFrom('template_categories as c')
    .where('c.workspace_id', '=', workspaceId)
    .select(['c.id', 'c.workspace_id', 'c.created_at', 'c.updated_at'])
    .select(exportedColumns(categoryColumns).map((column) => `c.${column}` as const))
    .select(templateCount);

/** The categories by name, without regard to case and accents. */
export const findCategories = (db: Db, scope: Scope): Promise<TemplateCategory[]> =>
  selectCategories(db, scope).orderBy(sql`folded(c.name)`).orderBy('c.id').execute();

export const findCategory = (db: Db, { id, ...scope }: Scope & { id: string }) =>
  selectCategories(db, scope).where('c.id', '=', id).executeTakeFirst();

/** Whether the category exists; it is then locked until the transaction ends. */
export async function lockCategory(db: Db, { workspaceId, id }: Scope & { id: string }): Promise<boolean> {
  const found = await db
    .selectFrom('template_categories')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select('id')
    .forKeyShare()
    .executeTakeFirst();
  return found !== undefined;
}

export async function countCategories(db: Db, { workspaceId }: Scope): Promise<number> {
  // Serializes insertions, so that the limit holds.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`template categories ${workspaceId}`}, 3))`.execute(db);
  const { count } = await db
    .selectFrom('template_categories')
    .where('workspace_id', '=', workspaceId)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

type Fields = Pick<TemplateCategory, ExportedColumn<typeof categoryColumns>>;

export const insertCategory = (db: Db, row: Scope & { id: string; now: string; fields: Fields }) =>
  db
    .insertInto('template_categories')
    .values({ ...row.fields, id: row.id, workspace_id: row.workspaceId, created_at: row.now, updated_at: row.now })
    .execute();

export const updateCategory = (db: Db, row: Scope & { id: string; now: string; fields: Partial<Fields> }) =>
  db
    .updateTable('template_categories')
    .set({ ...row.fields, updated_at: row.now })
    .where('workspace_id', '=', row.workspaceId)
    .where('id', '=', row.id)
    .executeTakeFirst();

export const deleteCategory = (db: Db, { workspaceId, id }: Scope & { id: string }) =>
  db.deleteFrom('template_categories').where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst();
