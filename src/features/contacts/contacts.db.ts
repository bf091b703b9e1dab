import { sql } from 'kysely';
import type { Contact } from '#contract/contacts.ts';
import { emailKey } from '#contract/email-address.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { type Listed, readPage } from '#platform/page.ts';

/** The editable fields of a contact; `email` in lower case, `phone` in E.164. */
export type ContactFields = Pick<Contact, 'name' | 'email' | 'phone' | 'timezone' | 'variables'>;

/** The key that finds a contact; stored with its address. */
export const contactEmailKey = ({ email }: Pick<Contact, 'email'>): string | null =>
  email === null ? null : emailKey(email);

const columns = [
  'id',
  'workspace_id',
  'name',
  'email',
  'phone',
  'timezone',
  'variables',
  'created_by',
  'created_at',
  'updated_at',
] as const;

type Scope = { workspaceId: string };

/** Serializes writers of a workspace's contacts: each looks contacts up before writing. */
export const lockContacts = (db: Db, { workspaceId }: Scope) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`contacts ${workspaceId}`}, 3))`.execute(db);

/** By name, then in the order of their making. `search` in name, address and number; case and accents do not count. */
export function findContacts(
  db: Db,
  filter: Scope & { search?: string; after: Position | null; limit: number },
): Promise<Listed<Contact & { sort_key: string }>> {
  let query = db
    .selectFrom('contacts')
    .where('workspace_id', '=', filter.workspaceId)
    .select([...columns, 'sort_key'])
    .orderBy('sort_key')
    .orderBy('id')
    .limit(filter.limit + 1);
  const search = (filter.search ?? '').trim();
  if (search !== '') {
    const digits = search.replaceAll(/[\s().\-/]/g, '').replace(/^(\+|00|0)/, '');
    const isNumber = /^\d{3,}$/.test(digits);
    query = query.where((or) =>
      or.or([
        // A literal search: % and _ are ordinary characters here.
        sql<boolean>`search_text like '%' || folded(${search.replace(/[\\%_]/g, '\\$&')}) || '%'`,
        // In any spelling of the address.
        or('email_key', '=', emailKey(search)),
        ...(isNumber ? [or('phone', 'like', `%${digits}%`)] : []),
      ]),
    );
  }
  if (filter.after !== null)
    query = query.where(sql<boolean>`(sort_key, id) > (${filter.after.at}, ${filter.after.id}::uuid)`);
  return readPage(db, { query, limit: filter.limit, large: ['name', 'email', 'variables'] });
}

/** The names of the contacts' own values, in order. */
export async function findVariableNames(db: Db, { workspaceId, limit }: Scope & { limit: number }): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct variable collate "C" as name
      from contacts c cross join lateral jsonb_object_keys(c.variables) as variable
     where c.workspace_id = ${workspaceId}
     order by 1
     limit ${limit}`.execute(db);
  return rows.map(({ name }) => name);
}

export const findContact = (db: Db, { workspaceId, id }: Scope & { id: string }) =>
  db
    .selectFrom('contacts')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(columns)
    .executeTakeFirst();

/** The contacts with one of these address keys or numbers. */
export async function findByAddresses(
  db: Db,
  { workspaceId, emailKeys, phones }: Scope & { emailKeys: readonly string[]; phones: readonly string[] },
): Promise<Contact[]> {
  return db
    .selectFrom('contacts')
    .where('workspace_id', '=', workspaceId)
    .where((or) =>
      or.or([sql<boolean>`email_key = any (${emailKeys}::text[])`, sql<boolean>`phone = any (${phones}::text[])`]),
    )
    .select(columns)
    .execute();
}

export const updateContactRow = (
  db: Db,
  { workspaceId, id, now, fields }: Scope & { id: string; now: string; fields: ContactFields },
) =>
  db
    .updateTable('contacts')
    .set({
      ...fields,
      email_key: contactEmailKey(fields),
      variables: JSON.stringify(fields.variables),
      updated_at: now,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();

export const deleteContactRows = (db: Db, { workspaceId, ids }: Scope & { ids: readonly string[] }) =>
  db.deleteFrom('contacts').where('workspace_id', '=', workspaceId).where('id', 'in', ids).executeTakeFirst();

export type NewContact = { id: string; fields: ContactFields };

const asArrays = (rows: readonly NewContact[]) => [
  rows.map(({ id }) => id),
  rows.map(({ fields }) => fields.name),
  rows.map(({ fields }) => fields.email),
  rows.map(({ fields }) => contactEmailKey(fields)),
  rows.map(({ fields }) => fields.phone),
  rows.map(({ fields }) => fields.timezone),
  rows.map(({ fields }) => JSON.stringify(fields.variables)),
];

export async function insertContacts(
  db: Db,
  { workspaceId, createdBy, now, rows }: Scope & { createdBy: string | null; now: string; rows: readonly NewContact[] },
): Promise<void> {
  if (rows.length === 0) return;
  const [ids, names, emails, emailKeys, phones, zones, variables] = asArrays(rows);
  await sql`
    insert into contacts (id, workspace_id, name, email, email_key, phone, timezone, variables, created_by, created_at, updated_at)
    select u.id, ${workspaceId}, u.name, u.email, u.email_key, u.phone, u.timezone, u.variables::jsonb, ${createdBy}, ${now}, ${now}
      from unnest(${ids}::uuid[], ${names}::text[], ${emails}::text[], ${emailKeys}::text[], ${phones}::text[], ${zones}::text[], ${variables}::text[])
        as u (id, name, email, email_key, phone, timezone, variables)`.execute(db);
}

/** In one statement, so that contacts can exchange addresses. */
export async function updateContacts(
  db: Db,
  { workspaceId, now, rows }: Scope & { now: string; rows: readonly NewContact[] },
): Promise<void> {
  if (rows.length === 0) return;
  const [ids, names, emails, emailKeys, phones, zones, variables] = asArrays(rows);
  await sql`
    update contacts c
       set name = u.name, email = u.email, email_key = u.email_key, phone = u.phone, timezone = u.timezone,
           variables = u.variables::jsonb, updated_at = ${now}
      from unnest(${ids}::uuid[], ${names}::text[], ${emails}::text[], ${emailKeys}::text[], ${phones}::text[], ${zones}::text[], ${variables}::text[])
        as u (id, name, email, email_key, phone, timezone, variables)
     where c.workspace_id = ${workspaceId} and c.id = u.id`.execute(db);
}
