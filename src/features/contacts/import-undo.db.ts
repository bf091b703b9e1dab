import { sql } from 'kysely';
import type { Contact } from '#contract/contacts.ts';
import { contactEmailKey } from '#features/contacts/contacts.db.ts';
import type { Db } from '#platform/database.ts';
import { contactColumns, exportedColumns } from '#platform/exported-columns.ts';

type Scope = { workspaceId: string };

/** What an import did to a contact; `before` is null for a contact that it added. */
export type ImportChange = { contactId: string; before: Contact | null };

export async function insertChanges(
  db: Db,
  { workspaceId, importId, now, changes }: Scope & { importId: string; now: string; changes: readonly ImportChange[] },
): Promise<void> {
  const ids = changes.map(({ contactId }) => contactId);
  const before = changes.map(({ before: contact }) =>
    contact === null ? null : JSON.stringify({ ...contact, email_key: contactEmailKey(contact) }),
  );
  await sql`
    insert into contact_import_changes (workspace_id, import_id, contact_id, before, imported_at)
    select ${workspaceId}, ${importId}, u.contact_id, u.before::jsonb, ${now}
      from unnest(${ids}::uuid[], ${before}::text[]) as u (contact_id, before)`.execute(db);
}

// Look-ups by key: as anti joins they would read all contacts for each.
const isFree = sql`
  coalesce((select o.id from contacts o where o.workspace_id = c.workspace_id and o.email_key = m.before ->> 'email_key'), c.id) = c.id
  and coalesce((select o.id from contacts o where o.workspace_id = c.workspace_id and o.phone = m.before ->> 'phone'), c.id) = c.id`;

const restored = sql.join([...exportedColumns(contactColumns), 'email_key'].map((column) => sql.ref(column)));

/**
 * Deletes the contacts that the import added, and restores those that it changed. Contacts that were changed since stay, as do those whose
 * old address or number is another contact's by now. The import cannot be undone again.
 */
export async function undoChanges(
  db: Db,
  { workspaceId, importId, since, now }: Scope & { importId: string; since: string; now: string },
): Promise<{ changes: number; deleted: number; restored: number }> {
  const { rows } = await sql<{ changes: number; deleted: number; restored: number }>`
    with mine as (
      delete from contact_import_changes
       where workspace_id = ${workspaceId} and import_id = ${importId} and imported_at >= ${since}
      returning contact_id, before, imported_at
    ), gone as (
      delete from contacts c using mine m
       where m.before is null and c.workspace_id = ${workspaceId} and c.id = m.contact_id and c.updated_at = m.imported_at
      returning 1
    ), back as (
      update contacts c
         -- Of a column that is newer than the import, the value of now stays.
         set (${restored}) = (select ${restored} from jsonb_populate_record(c, m.before)), updated_at = ${now}
        from mine m
       where m.before is not null and c.workspace_id = ${workspaceId} and c.id = m.contact_id and c.updated_at = m.imported_at
         and ${isFree}
      returning 1
    )
    select (select count(*) from mine)::int as changes, (select count(*) from gone)::int as deleted, (select count(*) from back)::int as restored`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the undo of an import returned no row');
  return row;
}

/** What `undoChanges` would do, and the active reminders and the messages of the contacts that it would delete. */
export async function findUndo(
  db: Db,
  { workspaceId, importId, since }: Scope & { importId: string; since: string },
): Promise<{ changes: number; deleted: number; restored: number; reminders: number; written_to: number }> {
  const { rows } = await sql<Awaited<ReturnType<typeof findUndo>>>`
    with mine as materialized (
      select contact_id, before, imported_at from contact_import_changes
       where workspace_id = ${workspaceId} and import_id = ${importId} and imported_at >= ${since}
    ), gone as materialized (
      select c.id, c.tag_keys from contacts c join mine m on c.id = m.contact_id
       where m.before is null and c.workspace_id = ${workspaceId} and c.updated_at = m.imported_at
    ), back as (
      select 1 from contacts c join mine m on c.id = m.contact_id
       where m.before is not null and c.workspace_id = ${workspaceId} and c.updated_at = m.imported_at and ${isFree}
    ), named as materialized (
      select a.everyone, a.groups, a.tags, a.contacts
        from reminders r
       cross join lateral jsonb_to_record((r.metadata -> 'audience')::jsonb)
          as a (everyone boolean, groups uuid[], tags text[], contacts uuid[])
       where r.workspace_id = ${workspaceId} and r.status = 'active' and (r.metadata -> 'audience') is not null
    ), groups as (
      select g.id from contact_groups g
       where g.workspace_id = ${workspaceId} and g.id in (select unnest(n.groups) from named n)
         and exists (select from contacts_of_rule(${workspaceId}, g.rule, array(select id from gone), 1))
    ), tags as (
      select distinct u.tag from gone g, unnest(g.tag_keys) as u (tag)
    )
    select (select count(*) from mine)::int as changes, (select count(*) from gone)::int as deleted,
           (select count(*) from back)::int as restored,
           -- Each group and tag is asked once, however many reminders have it.
           (select count(*) from named n
             where n.everyone and exists (select from gone)
                or n.groups && array(select id from groups)
                or n.contacts && array(select id from gone)
                or exists (select from unnest(n.tags) as u (tag) where match_key(u.tag) in (select tag from tags)))::int as reminders,
           (select count(*) from gone g
             where exists (select from deliveries d where d.workspace_id = ${workspaceId} and d.contact_id = g.id and d.status <> 'skipped'))::int
             as written_to`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the preview of an undo returned no row');
  return row;
}
