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
         -- Look-ups by key: as anti joins they would read all contacts for each.
         and coalesce((select o.id from contacts o where o.workspace_id = ${workspaceId} and o.email_key = m.before ->> 'email_key'), c.id) = c.id
         and coalesce((select o.id from contacts o where o.workspace_id = ${workspaceId} and o.phone = m.before ->> 'phone'), c.id) = c.id
      returning 1
    )
    select (select count(*) from mine)::int as changes, (select count(*) from gone)::int as deleted, (select count(*) from back)::int as restored`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the undo of an import returned no row');
  return row;
}
