import { sql } from 'kysely';
import type { TemplateCategory } from '#contract/template-categories.ts';
import type { Template } from '#contract/templates.ts';
import type { TemplateVersion } from '#contract/template-versions.ts';
import type { Contact } from '#contract/contacts.ts';
import type { ContactGroup } from '#contract/contact-groups.ts';
import type { Reminder } from '#contract/reminders.ts';
import type { Suppression } from '#contract/suppressions.ts';
import type { Topic } from '#contract/topics.ts';
import type { Channel } from '#contract/channels.ts';
import type { Db } from '#platform/database.ts';
import {
  categoryColumns,
  channelColumns,
  type Columns,
  contactColumns,
  type ExportedColumn,
  exportedColumns,
  groupColumns,
  reminderColumns,
  suppressionColumns,
  templateColumns,
  topicColumns,
  versionColumns,
} from '#platform/exported-columns.ts';
import { type Listed, readPage } from '#platform/page.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';

// `ref` is the reference of an item in the file: for an imported one that of its own file, else its id. Each list is sorted by creation.

type Scope = { workspaceId: string };
/** `after` is the last id of the previous page. */
type PageAsked = Scope & { after: string; limit: number };

export async function findIdentity(
  db: Db,
  { workspaceId }: Scope,
): Promise<{ name: string; slug: string; description: string; settings: Record<string, unknown> }> {
  return db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select(['name', 'slug', 'description', 'settings'])
    .executeTakeFirstOrThrow();
}

/** The exported columns of a table, with the contract's types. */
type Exported<Shape, Table extends Columns> = Pick<Shape, ExportedColumn<Table> & keyof Shape> &
  Record<Exclude<ExportedColumn<Table>, keyof Shape>, never>;
type Item<Fields> = { id: string; ref: string } & Fields;

/** The columns as the query selects them; `of` is the table's alias. */
const columnsOf = (of: string, columns: readonly string[]) =>
  sql.join(columns.map((column) => sql.ref(`${of}.${column}`)));

const ofChannel = exportedColumns(channelColumns);
export const findChannels = (
  db: Db,
  { workspaceId }: Scope,
): Promise<({ id: string } & Exported<Channel, typeof channelColumns>)[]> =>
  db
    .selectFrom('channels')
    .where('workspace_id', '=', workspaceId)
    .select(['id', ...ofChannel])
    .orderBy('type')
    .orderBy('name')
    .orderBy('id')
    .execute();

/** A list of whole rows, in the order of their making. */
const rowsOf =
  <Row extends { id: string }>(table: string, columns: readonly (keyof Row & string)[]) =>
  (db: Db, { workspaceId, after, limit }: PageAsked) =>
    readPage(db, {
      query: sql<Row>`(
        select id, coalesce(external_id, id) as ref, ${columnsOf(table, columns)}
          from ${sql.table(table)}
         where workspace_id = ${workspaceId} and id > ${after}::uuid
         order by id limit ${limit + 1})`,
      limit,
      large: columns,
    });

export type CategoryRow = Item<Exported<TemplateCategory, typeof categoryColumns>>;
export const findCategories = rowsOf<CategoryRow>('template_categories', exportedColumns(categoryColumns));

export type TopicRow = Item<Exported<Topic, typeof topicColumns>>;
export const findTopics = rowsOf<TopicRow>('topics', exportedColumns(topicColumns));

export type GroupRow = Item<Exported<ContactGroup, typeof groupColumns>>;
export const findGroups = rowsOf<GroupRow>('contact_groups', exportedColumns(groupColumns));

export type ContactRow = Item<Exported<Contact, typeof contactColumns>>;
export const findContacts = rowsOf<ContactRow>('contacts', exportedColumns(contactColumns));

const ofTemplate = exportedColumns(templateColumns).filter((column) => column !== 'category_id');
export type TemplateRow = Item<Omit<Exported<Template, typeof templateColumns>, 'category_id'>> & {
  category: string | null;
};
export const findTemplates = (db: Db, { workspaceId, after, limit }: PageAsked): Promise<Listed<TemplateRow>> =>
  readPage(db, {
    query: sql<TemplateRow>`(
      select t.id, coalesce(t.external_id, t.id) as ref, coalesce(c.external_id, c.id) as category, ${columnsOf('t', ofTemplate)}
        from templates t
        left join template_categories c on c.workspace_id = t.workspace_id and c.id = t.category_id
       where t.workspace_id = ${workspaceId} and t.id > ${after}::uuid
       order by t.id limit ${limit + 1})`,
    limit,
    large: ofTemplate,
  });

const ofVersion = exportedColumns(versionColumns);
export type VersionRow = Exported<TemplateVersion, typeof versionColumns>;
/** Versions with a higher number than `after`. */
export const findVersions = (
  db: Db,
  { workspaceId, templateId, after, limit }: Scope & { templateId: string; after: number; limit: number },
): Promise<Listed<VersionRow>> =>
  readPage(db, {
    query: sql<VersionRow>`(
      select ${columnsOf('template_versions', ofVersion)}
        from template_versions
       where workspace_id = ${workspaceId} and template_id = ${templateId} and version > ${after}
       order by version limit ${limit + 1})`,
    limit,
    large: ofVersion,
  });

const ofSuppression = exportedColumns(suppressionColumns).filter((column) => column !== 'topic_id');
export type SuppressionRow = { id: string } & Omit<Exported<Suppression, typeof suppressionColumns>, 'topic_id'> & {
    topic: string | null;
  };
/** Suppressions after this one, by channel and recipient. */
export const findSuppressions = (
  db: Db,
  {
    workspaceId,
    after,
    limit,
  }: Scope & { after: Pick<SuppressionRow, 'channel' | 'recipient' | 'id'> | null; limit: number },
): Promise<Listed<SuppressionRow>> =>
  readPage(db, {
    query: sql<SuppressionRow>`(
      select s.id, ${columnsOf('s', ofSuppression)}, coalesce(t.external_id, t.id) as topic
        from suppressions s
        left join topics t on t.workspace_id = s.workspace_id and t.id = s.topic_id
       -- A hash of an erased address fits no address of another workspace.
       where s.workspace_id = ${workspaceId} and s.reason <> 'erased'
         and (s.channel, s.recipient, s.id) > (${after?.channel ?? ''}, ${after?.recipient ?? ''}, ${after?.id ?? nilUuid}::uuid)
       order by s.channel, s.recipient, s.id limit ${limit + 1})`,
    limit,
    large: ofSuppression,
  });

const ofReminder = exportedColumns(reminderColumns);
export type ReminderRow = Item<Exported<Reminder, typeof reminderColumns>> & { is_signed: boolean };
export const findReminders = (db: Db, { workspaceId, after, limit }: PageAsked): Promise<Listed<ReminderRow>> =>
  readPage(db, {
    query: sql<ReminderRow>`(
      select r.id, coalesce(r.external_id, r.id) as ref, ${columnsOf('r', ofReminder)},
             h.sealed_secret is not null as is_signed
        from reminders r
        left join reminder_hooks h on h.workspace_id = r.workspace_id and h.reminder_id = r.id
       where r.workspace_id = ${workspaceId} and r.status <> 'deleted' and r.id > ${after}::uuid
       order by r.id limit ${limit + 1})`,
    limit,
    large: ofReminder,
  });

/** The references of these templates, topics, groups and contacts, by id. Deleted ones are left out. */
export async function findRefs(
  db: Db,
  { workspaceId, ids }: Scope & { ids: readonly string[] },
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; ref: string }>`
    select id, coalesce(external_id, id) as ref from templates where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])
     union all
    select id, coalesce(external_id, id) from topics where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])
     union all
    select id, coalesce(external_id, id) from contact_groups where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])
     union all
    select id, coalesce(external_id, id) from contacts where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, ref }) => [id, ref]));
}
