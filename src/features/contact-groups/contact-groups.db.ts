import { sql } from 'kysely';
import type { Audience } from '#contract/audience.ts';
import type { ContactGroup, GroupInput, GroupRule } from '#contract/contact-groups.ts';
import type { PersonInAudience } from '#domain/audience-targets.ts';
import type { Db } from '#platform/database.ts';
import { type ExportedColumn, exportedColumns, groupColumns } from '#platform/exported-columns.ts';

type Scope = { workspaceId: string };

const columns = [
  'id',
  'workspace_id',
  ...exportedColumns(groupColumns),
  'created_by',
  'created_at',
  'updated_at',
] as const;

export const findGroups = (db: Db, { workspaceId }: Scope): Promise<ContactGroup[]> =>
  db.selectFrom('contact_groups').where('workspace_id', '=', workspaceId).select(columns).orderBy('sort_key').execute();

export const findGroup = (db: Db, { workspaceId, id }: Scope & { id: string }): Promise<ContactGroup | undefined> =>
  db
    .selectFrom('contact_groups')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(columns)
    .executeTakeFirst();

/** Serializes writers of a workspace's groups, so that names stay unique and the limit holds. */
export const lockGroups = (db: Db, { workspaceId }: Scope) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`contact groups ${workspaceId}`}, 3))`.execute(db);

export async function countGroups(db: Db, { workspaceId }: Scope): Promise<number> {
  const { count } = await db
    .selectFrom('contact_groups')
    .where('workspace_id', '=', workspaceId)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The group with this name, without regard to case and accents. */
export const findNamed = (db: Db, { workspaceId, name }: Scope & { name: string }) =>
  db
    .selectFrom('contact_groups')
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`sort_key = match_key(${name})`)
    .select(['id', 'name'])
    .executeTakeFirst();

const stored = ({ name, rule }: GroupInput) =>
  ({ name, rule: JSON.stringify(rule) }) satisfies Record<ExportedColumn<typeof groupColumns>, unknown>;

export const insertGroup = (
  db: Db,
  { workspaceId, ...row }: Scope & { id: string; createdBy: string | null; now: string; input: GroupInput },
) =>
  db
    .insertInto('contact_groups')
    .values({
      id: row.id,
      workspace_id: workspaceId,
      ...stored(row.input),
      created_by: row.createdBy,
      created_at: row.now,
      updated_at: row.now,
    })
    .execute();

export const replaceGroup = (
  db: Db,
  { workspaceId, id, now, input }: Scope & { id: string; now: string; input: GroupInput },
) =>
  db
    .updateTable('contact_groups')
    .set({ ...stored(input), updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();

export const deleteGroup = (db: Db, { workspaceId, id }: Scope & { id: string }) =>
  db.deleteFrom('contact_groups').where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst();

/** The reminders whose audience has the group, by name. */
export async function findUses(
  db: Db,
  { workspaceId, id, limit }: Scope & { id: string; limit: number },
): Promise<{ data: { id: string; name: string }[]; total: number }> {
  const { rows } = await sql<{ id: string; name: string; total: number }>`
    select id, name, count(*) over ()::int as total
      from reminders
     where workspace_id = ${workspaceId} and status <> 'deleted'
       and (metadata -> 'audience' -> 'groups')::jsonb ? ${id}
     order by sort_key, id limit ${limit}`.execute(db);
  return { data: rows.map(({ total: _, ...reminder }) => reminder), total: rows[0]?.total ?? 0 };
}

const audienceOf = ({ workspaceId, most, ...of }: Scope & Audience & { most: number | null }) =>
  sql`audience_of(${workspaceId}, ${of.everyone === true}, ${of.groups ?? []}::uuid[], ${of.tags ?? []}::text[], ${of.contacts ?? []}::uuid[], null, ${most}::int)`;

/** The ids of an audience's people. Whoever else it names, everyone belongs to everyone. */
const idsOf = (audience: Scope & Audience) =>
  audience.everyone === true
    ? sql`select id from contacts where workspace_id = ${audience.workspaceId}`
    : sql`select id from ${audienceOf({ ...audience, most: null })}`;

export async function countPeople(db: Db, audience: Scope & Audience): Promise<number> {
  const rule = ruleOf(audience);
  if (rule !== null) return countOfRule(db, { ...audience, rule });
  const { rows } = await sql<{ people: number }>`
    select count(*)::int as people from (${idsOf(audience)}) people`.execute(db);
  return rows[0]?.people ?? 0;
}

/** The rule that says the same as an audience of one tag; null for any other audience. */
function ruleOf({ everyone, groups = [], tags = [], contacts = [] }: Audience): GroupRule | null {
  const [tag, ...others] = tags;
  if (everyone === true || tag === undefined || groups.length + contacts.length + others.length > 0) return null;
  return { match: 'all', conditions: [{ test: 'has_tag', tag }] };
}

async function countOfRule(db: Db, { workspaceId, rule }: Scope & { rule: GroupRule }): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count_of_rule(${workspaceId}, ${JSON.stringify(rule)}::jsonb) as people`.execute(db);
  return rows[0]?.people ?? 0;
}

/** At most `limit` people of the audience. */
export async function findPeople(
  db: Db,
  { limit, ...audience }: Scope & Audience & { limit: number },
): Promise<PersonInAudience[]> {
  const { rows } = await sql<PersonInAudience>`
    select c.id, c.name, c.email, c.phone, a.through
      from ${audienceOf({ ...audience, most: limit })} a
      join contacts c on c.workspace_id = ${audience.workspaceId} and c.id = a.id
     order by c.id limit ${limit}`.execute(db);
  return rows;
}

export async function findNames(
  db: Db,
  { workspaceId, ids }: Scope & { ids: readonly string[] },
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, coalesce(name, email, phone) as name from contacts where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])
     order by sort_key, id`.execute(db);
  return rows;
}

type Described = { people: number; names: string[] };

/** How many people an audience has, and the first `names` of their names. */
export async function describeAudience(
  db: Db,
  { workspaceId, audience, names }: Scope & { audience: Audience; names: number },
): Promise<Described> {
  const rule = ruleOf(audience);
  if (rule !== null) return describeRule(db, { workspaceId, rule, names });
  const { rows } = await sql<Described>`
    with people as ${audience.everyone === true ? sql`not` : sql``} materialized (${idsOf({ workspaceId, ...audience })})
    ${firstOf({ workspaceId, names })}`.execute(db);
  return rows[0] ?? { people: 0, names: [] };
}

/** How many people meet a rule, and the first `names` of their names. */
export async function describeRule(
  db: Db,
  { workspaceId, rule, names }: Scope & { rule: GroupRule; names: number },
): Promise<Described> {
  const [only, ...others] = rule.conditions;
  if (only !== undefined && 'tag' in only && others.length === 0) {
    const people = await countOfRule(db, { workspaceId, rule });
    // The people themselves are read only where they are few.
    if (people > few) return { people, names: await firstByTag(db, { workspaceId, ...only, names }) };
  }
  const { rows } = await sql<Described>`
    with people as materialized (select id from contacts_of_rule(${workspaceId}, ${JSON.stringify(rule)}::jsonb, null, null))
    ${firstOf({ workspaceId, names })}`.execute(db);
  return rows[0] ?? { people: 0, names: [] };
}

/** The names of the first contacts that have a tag, or lack it. */
async function firstByTag(
  db: Db,
  { workspaceId, test, tag, names }: Scope & { test: 'has_tag' | 'lacks_tag'; tag: string; names: number },
): Promise<string[]> {
  const hasTag = sql`array[match_key(${tag})] <@ tag_keys`;
  const { rows } = await sql<{ name: string }>`
    select coalesce(name, email, phone) as name
      from contacts
     where workspace_id = ${workspaceId} and ${test === 'has_tag' ? hasTag : sql`not ${hasTag}`}
     order by sort_key, id limit ${names}`.execute(db);
  return rows.map(({ name }) => name);
}

/** The first of many people are soon met in the order of names; a few are sorted. */
const firstOf = ({ workspaceId, names }: Scope & { names: number }) => sql`
    select (select count(*)::int from people) as people,
           array(select coalesce(name, email, phone) from contacts
                  where (select count(*) from people) <= ${few} and workspace_id = ${workspaceId} and id in (select id from people)
                  order by sort_key, id limit ${names})
           || array(select coalesce(name, email, phone) from contacts
                     where (select count(*) from people) > ${few} and workspace_id = ${workspaceId} and (id in (select id from people)) is true
                     order by sort_key, id limit ${names}) as names`;

const few = 10_000;

/** For each group, how many people it has and how many reminders are sent to it. */
export async function countOfEach(
  db: Db,
  { workspaceId }: Scope,
): Promise<{ id: string; people: number; reminders: number }[]> {
  const { rows } = await sql<{ id: string; people: number; reminders: number }>`
    with named as (
      select used.id, count(*)::int as reminders
        from reminders r
       cross join lateral jsonb_array_elements_text((r.metadata -> 'audience' -> 'groups')::jsonb) as used (id)
       where r.workspace_id = ${workspaceId} and r.status <> 'deleted' and (r.metadata -> 'audience' -> 'groups') is not null
       group by used.id
    )
    select g.id, count_of_rule(${workspaceId}, g.rule) as people,
           coalesce(named.reminders, 0) as reminders
      from contact_groups g
      left join named on named.id = g.id::text
     where g.workspace_id = ${workspaceId}
     order by g.id`.execute(db);
  return rows;
}

/** Which of these groups and contacts exist. */
export async function findNamedBy(
  db: Db,
  { workspaceId, groups, contacts }: Scope & { groups: readonly string[]; contacts: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from contact_groups where workspace_id = ${workspaceId} and id = any (${groups}::uuid[])
    union all
    select id from contacts where workspace_id = ${workspaceId} and id = any (${contacts}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
