import { sql } from 'kysely';
import type { Contact } from '#contract/contacts.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';

/** What people say of a contact; `email` in lower case, `phone` in E.164. */
export type ContactFields = Pick<Contact, 'name' | 'email' | 'phone' | 'timezone' | 'variables'>;

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

type Place = { workspaceId: string };

/** Whoever writes contacts of a workspace waits for the one before: who is known is looked up before it is written. */
export const lockContacts = (db: Db, { workspaceId }: Place) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`contacts ${workspaceId}`}, 3))`.execute(db);

/** By name, then in the order of their making. `search` in name, address and number; case and accents do not count. */
export function findContacts(
  db: Db,
  filter: Place & { search?: string; after: Position | null; limit: number },
): Promise<(Contact & { sort_key: string })[]> {
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
        // Matched as it is written: % and _ are letters like others here.
        sql<boolean>`search_text like '%' || folded(${search.replace(/[\\%_]/g, '\\$&')}) || '%'`,
        ...(isNumber ? [or('phone', 'like', `%${digits}%`)] : []),
      ]),
    );
  }
  if (filter.after !== null)
    query = query.where(sql<boolean>`(sort_key, id) > (${filter.after.at}, ${filter.after.id}::uuid)`);
  return query.execute();
}

export const findContact = (db: Db, { workspaceId, id }: Place & { id: string }) =>
  db
    .selectFrom('contacts')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(columns)
    .executeTakeFirst();

/** Whoever has one of these addresses or numbers. */
export async function findByAddresses(
  db: Db,
  { workspaceId, emails, phones }: Place & { emails: readonly string[]; phones: readonly string[] },
): Promise<Contact[]> {
  return db
    .selectFrom('contacts')
    .where('workspace_id', '=', workspaceId)
    .where((or) =>
      or.or([sql<boolean>`email = any (${emails}::text[])`, sql<boolean>`phone = any (${phones}::text[])`]),
    )
    .select(columns)
    .execute();
}

export const updateContactRow = (
  db: Db,
  { workspaceId, id, now, fields }: Place & { id: string; now: string; fields: ContactFields },
) =>
  db
    .updateTable('contacts')
    .set({ ...fields, variables: JSON.stringify(fields.variables), updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();

export const deleteContactRows = (db: Db, { workspaceId, ids }: Place & { ids: readonly string[] }) =>
  db.deleteFrom('contacts').where('workspace_id', '=', workspaceId).where('id', 'in', ids).executeTakeFirst();

export type NewContact = { id: string; fields: ContactFields };

const asArrays = (rows: readonly NewContact[]) => [
  rows.map(({ id }) => id),
  rows.map(({ fields }) => fields.name),
  rows.map(({ fields }) => fields.email),
  rows.map(({ fields }) => fields.phone),
  rows.map(({ fields }) => fields.timezone),
  rows.map(({ fields }) => JSON.stringify(fields.variables)),
];

export async function insertContacts(
  db: Db,
  { workspaceId, createdBy, now, rows }: Place & { createdBy: string | null; now: string; rows: readonly NewContact[] },
): Promise<void> {
  if (rows.length === 0) return;
  const [ids, names, emails, phones, zones, variables] = asArrays(rows);
  await sql`
    insert into contacts (id, workspace_id, name, email, phone, timezone, variables, created_by, created_at, updated_at)
    select u.id, ${workspaceId}, u.name, u.email, u.phone, u.timezone, u.variables::jsonb, ${createdBy}, ${now}, ${now}
      from unnest(${ids}::uuid[], ${names}::text[], ${emails}::text[], ${phones}::text[], ${zones}::text[], ${variables}::text[])
        as u (id, name, email, phone, timezone, variables)`.execute(db);
}

/** All of them at once, so that they may pass addresses on to each other. */
export async function updateContacts(
  db: Db,
  { workspaceId, now, rows }: Place & { now: string; rows: readonly NewContact[] },
): Promise<void> {
  if (rows.length === 0) return;
  const [ids, names, emails, phones, zones, variables] = asArrays(rows);
  await sql`
    update contacts c
       set name = u.name, email = u.email, phone = u.phone, timezone = u.timezone, variables = u.variables::jsonb, updated_at = ${now}
      from unnest(${ids}::uuid[], ${names}::text[], ${emails}::text[], ${phones}::text[], ${zones}::text[], ${variables}::text[])
        as u (id, name, email, phone, timezone, variables)
     where c.workspace_id = ${workspaceId} and c.id = u.id`.execute(db);
}
