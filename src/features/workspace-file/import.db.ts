import { type RawBuilder, sql } from 'kysely';
import type { Contact } from '#contract/contacts.ts';
import { emailKey } from '#contract/email-address.ts';
import type { GroupInput } from '#contract/contact-groups.ts';
import type { ReminderInput } from '#contract/reminders.ts';
import type { TemplateCategoryInput } from '#contract/template-categories.ts';
import type { SuppressionItem, TemplateItem, TopicItem } from '#features/workspace-file/file-items.ts';
import type { Db } from '#platform/database.ts';
import {
  categoryColumns,
  type Columns,
  contactColumns,
  type ExportedColumn,
  exportedColumns,
  groupColumns,
  reminderColumns,
  templateColumns,
  topicColumns,
  versionColumns,
} from '#platform/exported-columns.ts';

type Scope = { workspaceId: string };
type Written = Scope & { createdBy: string | null; now: string };

/** Locks the workspace against other imports, and against writers that check before they write, by their own locks. */
export const lockWorkspace = (db: Db, { workspaceId }: Scope) =>
  sql`select pg_advisory_xact_lock(hashtextextended(noun || ' ' || ${workspaceId}, 3))
        from unnest(array['workspace import', 'topics', 'template categories', 'contact groups', 'contacts']) as noun`.execute(
    db,
  );

const tables = {
  template_categories: sql`template_categories`,
  templates: sql`templates`,
  contact_groups: sql`contact_groups`,
  contacts: sql`contacts`,
  topics: sql`topics`,
  reminders: sql`(select * from reminders where status <> 'deleted') as r`,
} as const;
export type ReferredTable = keyof typeof tables;

/** The workspace's items that a reference may stand for: those that were imported under it, and those from which the file was made. */
export async function findReferred(
  db: Db,
  { workspaceId, table, refs }: Scope & { table: ReferredTable; refs: readonly string[] },
): Promise<Map<string, string>> {
  if (refs.length === 0) return new Map();
  const { rows } = await sql<{ ref: string; id: string }>`
    select id as ref, id from ${tables[table]} where workspace_id = ${workspaceId} and id = any (${refs}::uuid[])
     union all
    select external_id, id from ${tables[table]} where workspace_id = ${workspaceId} and external_id = any (${refs}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map(({ ref, id }) => [ref, id]));
}

type Counted = { categories: number; groups: number; searches: number };

/** How many items the workspace has of each limited kind; `searches` are conditions of groups with `contains`. */
export async function countItems(db: Db, { workspaceId }: Scope): Promise<Counted> {
  const { rows } = await sql<Counted>`
    select (select count(*)::int from template_categories where workspace_id = ${workspaceId}) as categories,
           (select count(*)::int from contact_groups where workspace_id = ${workspaceId}) as groups,
           (select count(*)::int from contact_groups g cross join lateral jsonb_array_elements(g.rule -> 'conditions') condition
             where g.workspace_id = ${workspaceId} and condition ->> 'test' = 'contains') as searches`.execute(db);
  return rows[0] ?? { categories: 0, groups: 0, searches: 0 };
}

/** The keys of these group names, and the groups that have them already. */
export async function findGroupsNamed(
  db: Db,
  { workspaceId, names }: Scope & { names: readonly string[] },
): Promise<{ key: string; id: string | null }[]> {
  const { rows } = await sql<{ key: string; id: string | null }>`
    select match_key(u.name) as key, g.id
      from unnest(${names}::text[]) with ordinality as u (name, at)
      left join contact_groups g on g.workspace_id = ${workspaceId} and g.sort_key = match_key(u.name)
     order by u.at`.execute(db);
  return rows;
}

/** The categories with these names, without regard to case and accents. */
export async function findCategoriesNamed(
  db: Db,
  { workspaceId, names }: Scope & { names: readonly string[] },
): Promise<(string | null)[]> {
  const { rows } = await sql<{ id: string | null }>`
    select (select c.id from template_categories c where c.workspace_id = ${workspaceId} and folded(c.name) = folded(u.name)
             order by c.id limit 1) as id
      from unnest(${names}::text[]) with ordinality as u (name, at) order by u.at`.execute(db);
  return rows.map(({ id }) => id);
}

export async function findContactsAt(
  db: Db,
  { workspaceId, emailKeys, phones }: Scope & { emailKeys: readonly string[]; phones: readonly string[] },
): Promise<{ id: string; email_key: string | null; phone: string | null }[]> {
  const { rows } = await sql<{ id: string; email_key: string | null; phone: string | null }>`
    select id, email_key, phone from contacts where workspace_id = ${workspaceId} and email_key = any (${emailKeys}::text[])
     union
    select id, email_key, phone from contacts where workspace_id = ${workspaceId} and phone = any (${phones}::text[])`.execute(
    db,
  );
  return rows;
}

type Suppressed = Pick<SuppressionItem, 'channel' | 'recipient' | 'covers' | 'ends_at'> & { topic_id: string | null };

/** Which of these are suppressed already. */
export async function findSuppressed(
  db: Db,
  { workspaceId, items }: Scope & { items: readonly Suppressed[] },
): Promise<Suppressed[]> {
  const { rows } = await sql<Suppressed>`
    select s.channel, s.recipient, s.covers, s.topic_id, s.ends_at
      from json_to_recordset(${JSON.stringify(items)}::json) as u (channel text, recipient text, covers text, topic_id uuid, ends_at timestamptz)
      join suppressions s on s.workspace_id = ${workspaceId} and s.channel = u.channel and s.recipient = u.recipient
       and s.covers = u.covers and s.topic_id is not distinct from u.topic_id and (s.ends_at is null) = (u.ends_at is null)`.execute(
    db,
  );
  return rows;
}

type Made<Fields> = { id: string; ref: string } & Fields;

/** The rows as one parameter with the alias `u`. A column of type `json` gets the text as it was written. */
const rowsOf = <Table extends Columns>(
  rows: readonly Made<Record<ExportedColumn<Table>, unknown>>[],
  table: Table,
  ...computed: RawBuilder<unknown>[]
) => {
  const own = Object.entries<Columns[string]>(table).flatMap(([column, type]) =>
    typeof type === 'string' ? [sql`${sql.ref(column)} ${sql.raw(type)}`] : [],
  );
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as u (id uuid, ref uuid, ${sql.join([...own, ...computed])})`;
};
const columnsOf = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));
const valuesOf = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(`u.${column}`)));

/** How many topics there are, and the topics with these names that are not archived. */
export async function countTopics(db: Db, { workspaceId }: Scope): Promise<{ all: number; unarchived: number }> {
  const { rows } = await sql<{ all: number; unarchived: number }>`
    select count(*)::int as all, (count(*) filter (where archived_at is null))::int as unarchived
      from topics where workspace_id = ${workspaceId}`.execute(db);
  return rows[0] ?? { all: 0, unarchived: 0 };
}

/** The keys of these names, and the unarchived topics that have them already. */
export async function findTopicsNamed(
  db: Db,
  { workspaceId, names }: Scope & { names: readonly string[] },
): Promise<{ key: string; id: string | null; kind: string | null }[]> {
  const { rows } = await sql<{ key: string; id: string | null; kind: string | null }>`
    select match_key(u.name) as key, t.id, t.kind
      from unnest(${names}::text[]) with ordinality as u (name, at)
      left join topics t on t.workspace_id = ${workspaceId} and t.archived_at is null and match_key(t.name) = match_key(u.name)
     order by u.at`.execute(db);
  return rows;
}

const ofTopic = exportedColumns(topicColumns);
export type TopicMade = Made<TopicItem>;
export const insertTopics = (db: Db, { workspaceId, now }: Written, rows: readonly TopicMade[]) =>
  sql`
    insert into topics (id, workspace_id, external_id, ${columnsOf(ofTopic)}, created_at, updated_at)
    select u.id, ${workspaceId}, u.ref, ${valuesOf(ofTopic)}, ${now}::timestamptz, ${now}::timestamptz
      from ${rowsOf(rows, topicColumns)}`.execute(db);

const ofCategory = exportedColumns(categoryColumns);
export type CategoryMade = Made<TemplateCategoryInput>;
export const insertCategories = (db: Db, { workspaceId, now }: Written, rows: readonly CategoryMade[]) =>
  sql`
    insert into template_categories (id, workspace_id, external_id, ${columnsOf(ofCategory)}, created_at, updated_at)
    select u.id, ${workspaceId}, u.ref, ${valuesOf(ofCategory)}, ${now}::timestamptz, ${now}::timestamptz
      from ${rowsOf(rows, categoryColumns)}`.execute(db);

const ofTemplate = exportedColumns(templateColumns);
const ofVersion = exportedColumns(versionColumns).filter((column) => column !== 'created_at');
export type TemplateMade = Made<Omit<TemplateItem, 'category' | 'versions'>> & {
  category_id: string | null;
  version: number;
  versions: TemplateItem['versions'];
};
export async function insertTemplates(
  db: Db,
  { workspaceId, createdBy, now }: Written,
  rows: readonly TemplateMade[],
): Promise<void> {
  const templates = rows.map(({ versions: _, ...template }) => template);
  await sql`
    insert into templates (id, workspace_id, external_id, ${columnsOf(ofTemplate)}, version, created_by, created_at, updated_at)
    select u.id, ${workspaceId}, u.ref, ${valuesOf(ofTemplate)}, u.version, ${createdBy}::uuid, ${now}::timestamptz, ${now}::timestamptz
      from ${rowsOf(templates, templateColumns, sql`version integer`)}`.execute(db);
  const versions = rows.flatMap(({ id, versions: own }) => own.map((version) => ({ ...version, id, ref: id })));
  await sql`
    insert into template_versions (workspace_id, template_id, ${columnsOf(ofVersion)}, created_by, created_at)
    select ${workspaceId}, u.id, ${valuesOf(ofVersion)}, ${createdBy}::uuid, least(u.created_at, ${now}::timestamptz)
      from ${rowsOf(versions, versionColumns)}`.execute(db);
}

const ofGroup = exportedColumns(groupColumns);
export type GroupMade = Made<GroupInput>;
export const insertGroups = (db: Db, { workspaceId, createdBy, now }: Written, rows: readonly GroupMade[]) =>
  sql`
    insert into contact_groups (id, workspace_id, external_id, ${columnsOf(ofGroup)}, created_by, created_at, updated_at)
    select u.id, ${workspaceId}, u.ref, ${valuesOf(ofGroup)}, ${createdBy}::uuid, ${now}::timestamptz, ${now}::timestamptz
      from ${rowsOf(rows, groupColumns)}`.execute(db);

const ofContact = exportedColumns(contactColumns);
export type ContactMade = Made<Pick<Contact, ExportedColumn<typeof contactColumns>>>;
export function insertContacts(db: Db, { workspaceId, createdBy, now }: Written, rows: readonly ContactMade[]) {
  const keyed = rows.map((row) => ({ ...row, email_key: row.email === null ? null : emailKey(row.email) }));
  return sql`
    insert into contacts (id, workspace_id, external_id, ${columnsOf(ofContact)}, email_key, created_by, created_at, updated_at)
    select u.id, ${workspaceId}, u.ref, ${valuesOf(ofContact)}, u.email_key, ${createdBy}::uuid, ${now}::timestamptz, ${now}::timestamptz
      from ${rowsOf(keyed, contactColumns, sql`email_key text`)}`.execute(db);
}

export type SuppressionMade = Made<Omit<SuppressionItem, 'topic'>> & { topic_id: string | null };

const ofReminder = exportedColumns(reminderColumns);
export type ReminderMade = Made<ReminderInput>;
/** Inserts reminders, paused or as drafts, so that nothing is scheduled. */
export const insertReminders = (db: Db, { workspaceId, createdBy, now }: Written, rows: readonly ReminderMade[]) =>
  sql`
    insert into reminders (id, workspace_id, external_id, ${columnsOf(ofReminder)}, created_by, created_at, updated_at)
    select u.id, ${workspaceId}, u.ref, ${valuesOf(ofReminder)}, ${createdBy}::uuid, ${now}::timestamptz, ${now}::timestamptz
      from ${rowsOf(rows, reminderColumns)}`.execute(db);
