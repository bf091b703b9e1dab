import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Contact, ContactFilter, PreferableChannel } from '#contract/contacts.ts';
import { emailKey } from '#contract/email-address.ts';
import { columnsOfContact, isAmong, matches } from '#features/contacts/contact-lists.db.ts';
import type { Db } from '#platform/database.ts';
import type { contactColumns, ExportedColumn } from '#platform/exported-columns.ts';

/** The editable fields of a contact; `email` in lower case, `phone` in E.164. Without `tags` or a pause it keeps those it has. */
export type ContactFields = Omit<Pick<Contact, ExportedColumn<typeof contactColumns>>, 'tags' | 'paused_until'> & {
  tags?: string[] | undefined;
  paused_until?: string | null | undefined;
};

/** The key that finds a contact; stored with its address. */
export const contactEmailKey = ({ email }: Pick<Contact, 'email'>): string | null =>
  email === null ? null : emailKey(email);

type Scope = { workspaceId: string };

/** Serializes writers of a workspace's contacts: each looks contacts up before writing. */
export const lockContacts = (db: Db, { workspaceId }: Scope) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`contacts ${workspaceId}`}, 3))`.execute(db);

/** Contacts by their ids, or all that match a filter. */
export type Chosen = { ids: readonly string[] } | { matching: ContactFilter };

const isChosen = async (db: Db, of: Scope & { of: Chosen }): Promise<RawBuilder<SqlBool>> =>
  'ids' in of.of ? isAmong(of.of.ids) : matches(db, { workspaceId: of.workspaceId, ...of.of.matching });

/** The tags in use, by name, with the number of contacts of each. Of several spellings the alphabetically first is given. */
export async function findTags(
  db: Db,
  { workspaceId, limit }: Scope & { limit: number },
): Promise<{ tag: string; contacts: number }[]> {
  const { rows } = await sql<{ tag: string; contacts: number }>`
    select min(word) as tag, sum(contacts)::int as contacts
      from contact_words
     where workspace_id = ${workspaceId} and kind = 'tag'
     group by match_key(word) order by match_key(word) limit ${limit}`.execute(db);
  return rows;
}

/**
 * Removes tags, then adds others; a tag that exists in another spelling keeps that. Contacts that would have more than `most` tags stay as they are.
 */
export async function changeTags(
  db: Db,
  {
    workspaceId,
    add,
    remove,
    of,
    most,
    now,
  }: Scope & {
    add: readonly string[];
    remove: readonly string[];
    of: Chosen;
    most: number;
    now: string;
  },
): Promise<{ ids: string[]; full: number }> {
  const { rows } = await sql<{ ids: string[]; full: number }>`
    with chosen as (
      select id, tags, array(select tag from unnest(tags) with ordinality as own (tag, at)
                              where match_key(tag) <> all (select match_key(gone) from unnest(${remove}::text[]) as gone)
                              order by at) as kept
        from contacts
       where workspace_id = ${workspaceId} and ${await isChosen(db, { workspaceId, of })}
    ), wished as (
      select id, tags, kept || array(select tag from unnest(${add}::text[]) with ordinality as new (tag, at)
                                      where match_key(tag) <> all (tag_keys_of(kept)) order by at) as wanted
        from chosen
    ), changed as (
      update contacts c set tags = w.wanted, updated_at = ${now}
        from wished w
       where c.workspace_id = ${workspaceId} and c.id = w.id and w.wanted <> w.tags and cardinality(w.wanted) <= ${most}
      returning c.id
    )
    select array(select id from changed) as ids,
           (select count(*)::int from wished where cardinality(wanted) > ${most}) as full`.execute(db);
  return rows[0] ?? { ids: [], full: 0 };
}

/** The names of the contacts' own values, sorted. */
export async function findVariableNames(db: Db, { workspaceId, limit }: Scope & { limit: number }): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select word collate "C" as name
      from contact_words
     where workspace_id = ${workspaceId} and kind = 'variable'
     order by 1
     limit ${limit}`.execute(db);
  return rows.map(({ name }) => name);
}

export const findContact = (db: Db, { workspaceId, id }: Scope & { id: string }) =>
  db
    .selectFrom('contacts')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(columnsOfContact)
    .executeTakeFirst();

type Addresses = Scope & { emailKeys: readonly string[]; phones: readonly string[] };

/** The contacts with one of these address keys or numbers. */
export const findByAddresses = (db: Db, of: Addresses): Promise<Contact[]> => withAddresses(db, of).execute();

const withAddresses = (db: Db, { workspaceId, emailKeys, phones }: Addresses) =>
  db
    .selectFrom('contacts')
    .where('workspace_id', '=', workspaceId)
    .where((or) =>
      or.or([sql<boolean>`email_key = any (${emailKeys}::text[])`, sql<boolean>`phone = any (${phones}::text[])`]),
    )
    .select(columnsOfContact);

/** No message has the note. */
const columnsForMessages: Partial<Record<(typeof columnsOfContact)[number], RawBuilder<unknown>>> = {
  variables: sql`case when within then variables else '{}' end as variables`,
  note: sql`null as note`,
};

/** A contact without its note; where `hasValues` is false, without its values, which would have exceeded the budget. */
export type FoundContact = Contact & { hasValues: boolean };

/** The contacts with one of these address keys or numbers, by id. Only the first have their values, until these exceed `valueBytes`. */
export async function findByAddressesWithin(
  db: Db,
  { valueBytes, ...of }: Addresses & { valueBytes: number },
): Promise<FoundContact[]> {
  const found = withAddresses(db, of).orderBy('id');
  // The window function stops at the first contact over the budget: later values are neither unpacked nor sent.
  const { rows } = await sql<FoundContact>`
    with found as materialized (${found}), over_budget as (
      select id
        from (select id, sum(octet_length(variables::text)) over (order by id rows unbounded preceding) as bytes from found) sized
       where bytes > ${valueBytes}
       order by id limit 1
    )
    select ${sql.join(columnsOfContact.map((column) => columnsForMessages[column] ?? sql.ref(column)))},
           within as "hasValues"
      from (select found.*, id < coalesce((select id from over_budget), 'ffffffff-ffff-ffff-ffff-ffffffffffff') as within from found) judged`.execute(
    db,
  );
  return rows;
}

export const updateContactRow = (
  db: Db,
  { workspaceId, id, now, fields: { tags, ...fields } }: Scope & { id: string; now: string; fields: ContactFields },
) =>
  db
    .updateTable('contacts')
    .set({
      ...fields,
      ...(tags !== undefined && { tags }),
      email_key: contactEmailKey(fields),
      variables: JSON.stringify(fields.variables),
      updated_at: now,
    })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(columnsOfContact)
    .executeTakeFirst();

/** Whether reminders to anybody are or were paused. */
export const hasPaused = async (db: Db, { workspaceId }: Scope): Promise<boolean> =>
  (await db
    .selectFrom('contacts')
    .where('workspace_id', '=', workspaceId)
    .where('paused_until', 'is not', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()) !== undefined;

export const findPaused = (db: Db, { workspaceId, ids }: Scope & { ids: readonly string[] }) =>
  db
    .selectFrom('contacts')
    .where('workspace_id', '=', workspaceId)
    .where('paused_until', 'is not', null)
    .where(isAmong(ids))
    .select(['id', 'paused_until', 'timezone'])
    .execute();

export const updatePause = (
  db: Db,
  { workspaceId, id, until, now }: Scope & { id: string; until: string | null; now: string },
) =>
  db
    .updateTable('contacts')
    .set({ paused_until: until, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute();

export const updatePreferredChannel = (
  db: Db,
  { workspaceId, id, channel, now }: Scope & { id: string; channel: PreferableChannel | null; now: string },
) =>
  db
    .updateTable('contacts')
    .set({ preferred_channel: channel, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('preferred_channel', 'is distinct from', channel)
    .execute();

export const deleteContactRows = async (db: Db, { workspaceId, of }: Scope & { of: Chosen }) =>
  db
    .deleteFrom('contacts')
    .where('workspace_id', '=', workspaceId)
    .where(await isChosen(db, { workspaceId, of }))
    .executeTakeFirst();

export type NewContact = { id: string; fields: ContactFields };

/** The rows as one array of texts for each column. */
const asArrays = (rows: readonly NewContact[]) =>
  ({
    name: rows.map(({ fields }) => fields.name),
    first_name: rows.map(({ fields }) => fields.first_name),
    last_name: rows.map(({ fields }) => fields.last_name),
    salutation: rows.map(({ fields }) => fields.salutation),
    preferred_channel: rows.map(({ fields }) => fields.preferred_channel),
    language: rows.map(({ fields }) => fields.language),
    paused_until: rows.map(({ fields }) => fields.paused_until ?? null),
    note: rows.map(({ fields }) => fields.note),
    email: rows.map(({ fields }) => fields.email),
    email_key: rows.map(({ fields }) => contactEmailKey(fields)),
    phone: rows.map(({ fields }) => fields.phone),
    timezone: rows.map(({ fields }) => fields.timezone),
    variables: rows.map(({ fields }) => JSON.stringify(fields.variables)),
    // As JSON, because a PostgreSQL array of arrays would have to be rectangular.
    tags: rows.map(({ fields }) => (fields.tags === undefined ? null : JSON.stringify(fields.tags))),
  }) satisfies Record<ExportedColumn<typeof contactColumns> | 'email_key', (string | null)[]>;

const fromUnnest = (rows: readonly NewContact[]) => {
  const texts = Object.entries(asArrays(rows));
  return sql`
    unnest(${rows.map(({ id }) => id)}::uuid[], ${sql.join(texts.map(([, each]) => sql`${each}::text[]`))})
      as u (id, ${sql.join(texts.map(([column]) => sql.ref(column)))})`;
};

const tagsOfRow = sql`array(select jsonb_array_elements_text(u.tags::jsonb))`;

export async function insertContacts(
  db: Db,
  { workspaceId, createdBy, now, rows }: Scope & { createdBy: string | null; now: string; rows: readonly NewContact[] },
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into contacts (id, workspace_id, name, first_name, last_name, salutation, language, preferred_channel, paused_until, note, email, email_key, phone, timezone, variables, tags, created_by, created_at, updated_at)
    select u.id, ${workspaceId}, u.name, u.first_name, u.last_name, u.salutation, u.language, u.preferred_channel, u.paused_until::date, u.note, u.email, u.email_key, u.phone, u.timezone, u.variables::jsonb,
           case when u.tags is null then '{}' else ${tagsOfRow} end, ${createdBy}, ${now}, ${now}
      from ${fromUnnest(rows)}`.execute(db);
}

/** Updates in one statement, so that contacts can exchange addresses. */
export async function updateContacts(
  db: Db,
  { workspaceId, now, rows }: Scope & { now: string; rows: readonly NewContact[] },
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update contacts c
       set name = u.name, first_name = u.first_name, last_name = u.last_name, salutation = u.salutation, language = u.language,
           preferred_channel = u.preferred_channel, paused_until = coalesce(u.paused_until::date, c.paused_until), note = u.note,
           email = u.email, email_key = u.email_key, phone = u.phone, timezone = u.timezone,
           variables = u.variables::jsonb,
           tags = case when u.tags is null then c.tags else ${tagsOfRow} end, updated_at = ${now}
      from ${fromUnnest(rows)}
     where c.workspace_id = ${workspaceId} and c.id = u.id`.execute(db);
}
