import { sql } from 'kysely';
import type { TemplateCategory } from '#contract/template-categories.ts';
import type { Template } from '#contract/templates.ts';
import type { TemplateVersion } from '#contract/template-versions.ts';
import type { Contact } from '#contract/contacts.ts';
import type { ContactGroup } from '#contract/contact-groups.ts';
import type { Reminder } from '#contract/reminders.ts';
import type { Suppression } from '#contract/suppressions.ts';
import type { Channel } from '#contract/channels.ts';
import type { Db } from '#platform/database.ts';
import { type Listed, readPage } from '#platform/page.ts';

// `ref` is what the file calls an item: what an imported one was called in its file, or else its id. Each list is in the order of its making.

type Scope = { workspaceId: string };
/** `after` is the id of the last item before. */
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

export const findChannels = (db: Db, { workspaceId }: Scope): Promise<Pick<Channel, 'id' | 'name' | 'type'>[]> =>
  db
    .selectFrom('channels')
    .where('workspace_id', '=', workspaceId)
    .select(['id', 'name', 'type'])
    .orderBy('type')
    .orderBy('name')
    .orderBy('id')
    .execute();

type Item<Fields> = { id: string; ref: string } & Fields;

export type CategoryRow = Item<Pick<TemplateCategory, 'name' | 'description' | 'color'>>;
export const findCategories = (db: Db, { workspaceId, after, limit }: PageAsked): Promise<Listed<CategoryRow>> =>
  readPage(db, {
    query: sql<CategoryRow>`(
      select id, coalesce(external_id, id) as ref, name, description, color
        from template_categories
       where workspace_id = ${workspaceId} and id > ${after}::uuid
       order by id limit ${limit + 1})`,
    limit,
    large: ['description'],
  });

export type TemplateRow = Item<Pick<Template, 'name' | 'description' | 'content' | 'variables'>> & {
  category: string | null;
};
export const findTemplates = (db: Db, { workspaceId, after, limit }: PageAsked): Promise<Listed<TemplateRow>> =>
  readPage(db, {
    query: sql<TemplateRow>`(
      select t.id, coalesce(t.external_id, t.id) as ref, t.name, t.description, coalesce(c.external_id, c.id) as category, t.content, t.variables
        from templates t
        left join template_categories c on c.workspace_id = t.workspace_id and c.id = t.category_id
       where t.workspace_id = ${workspaceId} and t.id > ${after}::uuid
       order by t.id limit ${limit + 1})`,
    limit,
    large: ['description', 'content', 'variables'],
  });

export type VersionRow = Pick<
  TemplateVersion,
  'version' | 'name' | 'description' | 'content' | 'variables' | 'restored_from' | 'created_at'
>;
/** After the version of this number. */
export const findVersions = (
  db: Db,
  { workspaceId, templateId, after, limit }: Scope & { templateId: string; after: number; limit: number },
): Promise<Listed<VersionRow>> =>
  readPage(db, {
    query: sql<VersionRow>`(
      select version, name, description, content, variables, restored_from, created_at
        from template_versions
       where workspace_id = ${workspaceId} and template_id = ${templateId} and version > ${after}
       order by version limit ${limit + 1})`,
    limit,
    large: ['description', 'content', 'variables'],
  });

export type GroupRow = Item<Pick<ContactGroup, 'name' | 'rule'>>;
export const findGroups = (db: Db, { workspaceId, after, limit }: PageAsked): Promise<Listed<GroupRow>> =>
  readPage(db, {
    query: sql<GroupRow>`(
      select id, coalesce(external_id, id) as ref, name, rule
        from contact_groups
       where workspace_id = ${workspaceId} and id > ${after}::uuid
       order by id limit ${limit + 1})`,
    limit,
    large: ['rule'],
  });

export type ContactRow = Item<Pick<Contact, 'name' | 'email' | 'phone' | 'timezone' | 'variables' | 'tags'>>;
export const findContacts = (db: Db, { workspaceId, after, limit }: PageAsked): Promise<Listed<ContactRow>> =>
  readPage(db, {
    query: sql<ContactRow>`(
      select id, coalesce(external_id, id) as ref, name, email, phone, timezone, variables, tags
        from contacts
       where workspace_id = ${workspaceId} and id > ${after}::uuid
       order by id limit ${limit + 1})`,
    limit,
    large: ['variables', 'tags'],
  });

export type SuppressionRow = Pick<Suppression, 'channel' | 'recipient' | 'reason' | 'created_at'>;
/** After this channel and recipient. */
export const findSuppressions = (
  db: Db,
  { workspaceId, after, limit }: Scope & { after: Pick<SuppressionRow, 'channel' | 'recipient'> | null; limit: number },
): Promise<Listed<SuppressionRow>> =>
  readPage(db, {
    query: sql<SuppressionRow>`(
      select channel, recipient, reason, created_at
        from suppressions
       where workspace_id = ${workspaceId} and (channel, recipient) > (${after?.channel ?? ''}, ${after?.recipient ?? ''})
       order by channel, recipient limit ${limit + 1})`,
    limit,
    large: ['recipient'],
  });

export type ReminderRow = Item<
  Pick<Reminder, 'name' | 'description' | 'status' | 'schedule_config' | 'content' | 'metadata'>
> & { is_signed: boolean };
export const findReminders = (db: Db, { workspaceId, after, limit }: PageAsked): Promise<Listed<ReminderRow>> =>
  readPage(db, {
    query: sql<ReminderRow>`(
      select r.id, coalesce(r.external_id, r.id) as ref, r.name, r.description, r.status, r.schedule_config, r.content, r.metadata,
             h.sealed_secret is not null as is_signed
        from reminders r
        left join reminder_hooks h on h.workspace_id = r.workspace_id and h.reminder_id = r.id
       where r.workspace_id = ${workspaceId} and r.status <> 'deleted' and r.id > ${after}::uuid
       order by r.id limit ${limit + 1})`,
    limit,
    large: ['schedule_config', 'content', 'metadata'],
  });

/** What the file calls these templates, groups and contacts, by id; those that are gone are left out. */
export async function findRefs(
  db: Db,
  { workspaceId, ids }: Scope & { ids: readonly string[] },
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; ref: string }>`
    select id, coalesce(external_id, id) as ref from templates where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])
     union all
    select id, coalesce(external_id, id) from contact_groups where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])
     union all
    select id, coalesce(external_id, id) from contacts where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map(({ id, ref }) => [id, ref]));
}
