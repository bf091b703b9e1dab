import { type NotNull, sql } from 'kysely';
import type { Topic } from '#contract/topics.ts';
import type { Db } from '#platform/database.ts';
import { type ExportedColumn, exportedColumns, topicColumns } from '#platform/exported-columns.ts';

type Scope = { workspaceId: string };

const selectTopics = (db: Db, { workspaceId }: Scope) =>
  db
    .selectFrom('topics as t')
    .where('t.workspace_id', '=', workspaceId)
    .select(['t.id', 't.workspace_id', 't.is_default', 't.created_at', 't.updated_at'])
    .select(exportedColumns(topicColumns).map((column) => `t.${column}` as const))
    .select([
      sql<number>`(select count(*)::int from reminders r
        where r.workspace_id = t.workspace_id and r.content ->> 'topic_id' = t.id::text and r.status <> 'deleted')`.as(
        'reminders',
      ),
      sql<number>`(select count(*)::int from suppressions s
        where s.workspace_id = t.workspace_id and s.topic_id = t.id)`.as('left'),
    ]);

/** The topics by name, without regard to case and accents; archived ones last. */
export const findTopics = (db: Db, scope: Scope): Promise<Topic[]> =>
  selectTopics(db, scope)
    .orderBy(sql`t.archived_at is not null`)
    .orderBy(sql`match_key(t.name)`)
    .orderBy('t.id')
    .execute();

export const findTopic = (db: Db, { id, ...scope }: Scope & { id: string }) =>
  selectTopics(db, scope).where('t.id', '=', id).executeTakeFirst();

/** The topics that nobody can leave and that can be chosen, by name. */
export const findRequired = (db: Db, { workspaceId }: Scope) =>
  db
    .selectFrom('topics')
    .where('workspace_id', '=', workspaceId)
    .where('archived_at', 'is', null)
    .where('why', 'is not', null)
    .select(['name', 'why'])
    .$narrowType<{ why: NotNull }>()
    .orderBy('name')
    .orderBy('id')
    .execute();

/** The topics that people can leave, by name, archived ones too. */
export const findOptional = (db: Db, { workspaceId }: Scope) =>
  db
    .selectFrom('topics')
    .where('workspace_id', '=', workspaceId)
    .where('kind', '=', 'optional')
    .select(['id', 'name', 'archived_at'])
    .orderBy(sql`match_key(name)`)
    .orderBy('id')
    .execute();

export const findKinds = (db: Db, { workspaceId }: Scope) =>
  db.selectFrom('topics').where('workspace_id', '=', workspaceId).select(['id', 'kind']).execute();

/** What decides whether a topic can be chosen; undefined where the workspace has none with this id. */
export const findState = (db: Db, { workspaceId, id }: Scope & { id: string }) =>
  db
    .selectFrom('topics')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(['id', 'name', 'kind', 'why', 'archived_at'])
    .executeTakeFirst();

/** How many there are. Changes of topics wait for each other, so that the limits hold and one is the default. */
export async function lockTopics(db: Db, { workspaceId }: Scope): Promise<{ all: number; unarchived: number }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`topics ${workspaceId}`}, 3))`.execute(db);
  return db
    .selectFrom('topics')
    .where('workspace_id', '=', workspaceId)
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where archived_at is null))::int`.as('unarchived'),
    ])
    .executeTakeFirstOrThrow();
}

/** The id of the unarchived topic with this name, without regard to case and accents. */
export const findNamed = async (db: Db, { workspaceId, name }: Scope & { name: string }): Promise<string | null> =>
  (
    await db
      .selectFrom('topics')
      .where('workspace_id', '=', workspaceId)
      .where('archived_at', 'is', null)
      .where(sql<boolean>`match_key(name) = match_key(${name})`)
      .select('id')
      .executeTakeFirst()
  )?.id ?? null;

type Fields = Pick<Topic, ExportedColumn<typeof topicColumns> | 'is_default'>;

export const insertTopic = (db: Db, row: Scope & { id: string; now: string; fields: Fields }) =>
  db
    .insertInto('topics')
    .values({ ...row.fields, id: row.id, workspace_id: row.workspaceId, created_at: row.now, updated_at: row.now })
    .execute();

export const updateTopic = (db: Db, row: Scope & { id: string; now: string; fields: Partial<Fields> }) =>
  db
    .updateTable('topics')
    .set({ ...row.fields, updated_at: row.now })
    .where('workspace_id', '=', row.workspaceId)
    .where('id', '=', row.id)
    .execute();

export const removeDefault = (db: Db, { workspaceId, now }: Scope & { now: string }) =>
  db
    .updateTable('topics')
    .set({ is_default: false, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('is_default', '=', true)
    .execute();
