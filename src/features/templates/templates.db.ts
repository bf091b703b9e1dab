import { type SelectQueryBuilder, sql } from 'kysely';
import type { ReminderStatus } from '#contract/reminders.ts';
import type { Template, TemplateInput, TemplateSummary } from '#contract/templates.ts';
import { isDone } from '#features/reminders/done.service.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import type { ExportedColumn, templateColumns } from '#platform/exported-columns.ts';
import { readLatest, readPage } from '#platform/page.ts';
import { patternOf } from '#platform/pattern.ts';

type Scope = { workspaceId: string };
type Named = Scope & { id: string };

const selectSummaries = (db: Db, { workspaceId }: Scope) =>
  db
    .selectFrom('templates as t')
    .leftJoin('template_categories as c', (join) =>
      join.onRef('c.workspace_id', '=', 't.workspace_id').onRef('c.id', '=', 't.category_id'),
    )
    .where('t.workspace_id', '=', workspaceId)
    .select([
      't.id',
      't.workspace_id',
      't.name',
      't.description',
      't.category_id',
      't.is_public',
      't.usage_count',
      't.version',
      't.created_by',
      't.created_at',
      't.updated_at',
      'c.name as category_name',
      'c.color as category_color',
    ]);

const selectTemplates = (db: Db, scope: Scope) => selectSummaries(db, scope).select(['t.content', 't.variables']);

export type TemplateRow = Awaited<ReturnType<typeof findTemplate>> & {};

export const findTemplate = (db: Db, { id, ...scope }: Named) =>
  selectTemplates(db, scope).where('t.id', '=', id).executeTakeFirst();

/** Locks the template, which serializes changes. */
export const lockTemplate = (db: Db, { id, ...scope }: Named) =>
  selectTemplates(db, scope).where('t.id', '=', id).forUpdate('t').executeTakeFirst();

type ListFilter = Scope & { search?: string; category?: string; after: Position | null; limit: number };

/** A page of templates, the most recently changed first. `search` looks in name and description. */
export const findTemplates = (db: Db, filter: ListFilter) =>
  readLatest(db, {
    ...filter,
    query: matching(selectTemplates(db, filter), filter),
    by: 't.updated_at',
    large: ['description', 'content', 'variables'],
  });

/** `findTemplates` without the texts. */
export const findTemplateSummaries = (db: Db, filter: ListFilter) =>
  readLatest(db, {
    ...filter,
    query: matching(
      selectSummaries(db, filter).select([
        sql<
          TemplateSummary['content']
        >`json_build_object('subject', t.content -> 'subject', 'type', t.content -> 'type')`.as('content'),
        sql<number>`json_array_length(t.variables -> 'variables')`.as('variable_count'),
      ]),
      filter,
    ),
    by: 't.updated_at',
    large: ['description', 'content'],
  });

type Selected = ReturnType<typeof selectSummaries>;
type Tables = Selected extends SelectQueryBuilder<infer DB, infer TB, unknown> ? [DB, TB] : never;

function matching<Row>(
  selected: SelectQueryBuilder<Tables[0], Tables[1], Row>,
  filter: ListFilter,
): SelectQueryBuilder<Tables[0], Tables[1], Row> {
  let query = selected;
  if (filter.category !== undefined) query = query.where('t.category_id', '=', filter.category);
  const pattern = patternOf(filter.search);
  if (pattern !== null) {
    query = query.where((or) => or.or([or('t.name', 'ilike', pattern), or('t.description', 'ilike', pattern)]));
  }
  return query;
}

export const insertTemplate = (db: Db, row: Named & { createdBy: string | null; now: string; input: TemplateInput }) =>
  db
    .insertInto('templates')
    .values({
      id: row.id,
      workspace_id: row.workspaceId,
      created_by: row.createdBy,
      created_at: row.now,
      updated_at: row.now,
      ...stored(row.input),
    })
    .execute();

export const replaceTemplate = (db: Db, row: Named & { now: string; version: number; input: TemplateInput }) =>
  db
    .updateTable('templates')
    .set({ ...stored(row.input), version: row.version, updated_at: row.now })
    .where('workspace_id', '=', row.workspaceId)
    .where('id', '=', row.id)
    .execute();

export const deleteTemplateRow = (db: Db, { workspaceId, id }: Named) =>
  db.deleteFrom('templates').where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst();

/** Adds 1 to the uses of a template. False when it does not exist. */
export async function addUse(db: Db, { workspaceId, id }: Named): Promise<boolean> {
  const counted = await db
    .updateTable('templates')
    .set({ usage_count: sql`usage_count + 1` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return counted.numUpdatedRows > 0n;
}

/** The reminders that were created from it, by id, which increases with time. */
export function findUses(db: Db, { workspaceId, id, after, limit }: Named & { after: Position | null; limit: number }) {
  let query = db
    .selectFrom('reminders as r')
    .where('r.workspace_id', '=', workspaceId)
    .where('r.status', '<>', 'deleted')
    .where(sql<boolean>`r.metadata ->> 'template_id' = ${id}`)
    .select(['r.id', 'r.name', 'r.status', isDone.as('is_done'), 'r.created_at'])
    .$narrowType<{ status: ReminderStatus }>()
    .orderBy('r.id', 'desc')
    .limit(limit + 1);
  if (after !== null) query = query.where('r.id', '<', after.id);
  return readPage(db, { query, limit, large: ['name'] });
}

type Stored = ExportedColumn<typeof templateColumns> | 'is_public';
const stored = (input: Pick<Template, Stored>) =>
  ({
    name: input.name,
    description: input.description,
    category_id: input.category_id,
    is_public: input.is_public,
    content: JSON.stringify(input.content),
    variables: JSON.stringify(input.variables),
  }) satisfies Record<Stored, unknown>;
