import { CompiledQuery, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { personPattern } from '#features/erasures/person-pattern.ts';
import { erasedKey, personalData } from '#features/erasures/personal-data.ts';
import type { Erasure } from '#contract/erasures.ts';
import { reasonOfSkip } from '#domain/may-be-sent.ts';
import { endUnsent } from '#engine/postgres/unsent.sql.ts';
import type { Db } from '#platform/database.ts';

/** Who is looked for. `spellings`: the keys as the ledger may have them. */
type Person = { workspaceId: string; keys: readonly string[]; spellings: readonly string[] };

const mostRows = 5_000;

/** What a workspace keeps about a person, by table: the latest 5,000 rows of each, of messages and jobs those that the ledger leads to. */
export async function findPersonalData(db: Db, person: Person): Promise<Record<string, Record<string, unknown>[]>> {
  const contacts = await contactsOf(db, person);
  const deliveries = await sql<{ id: string; job_id: string }>`
    select d.id, d.job_id
      from (select id from unnest(${contacts}::uuid[]) as u (id) union all select null where ${contacts.length} = 0) c
     cross join lateral deliveries_to_person(c.id, ${[...person.spellings]}::text[], null, null, ${mostRows}) d`.execute(
    db,
  );
  const values: Values = {
    ...valuesOf(person),
    contacts,
    deliveries: deliveries.rows.map(({ id }) => id),
    jobs: deliveries.rows.map(({ job_id: id }) => id),
  };
  const found: Record<string, Record<string, unknown>[]> = {};
  for (const [table, { where, shown }] of Object.entries(personalData)) {
    if (where === undefined || shown === undefined) continue;
    const { text, parameters } = bound(
      `select ${shown} from ${table} t where t.workspace_id = :workspace and (${narrowed[table] ?? where}) limit ${mostRows}`,
      values,
    );
    const { rows } = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, parameters));
    if (rows.length > 0) found[table] = rows;
  }
  return found;
}

/** Requests may not use the index by address, and read no queue to its end. */
const narrowed: Readonly<Record<string, string>> = {
  deliveries: 't.id = any (:deliveries)',
  jobs: "(t.id = any (:jobs) or t.status = 'pending') and (t.payload::text ~* :pattern)",
};

async function contactsOf(db: Db, { workspaceId, keys }: Person): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from contacts where workspace_id = ${workspaceId} and (email_key = any(${[...keys]}) or phone = any(${[...keys]}))`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

type Values = Record<string, unknown>;

const valuesOf = ({ workspaceId, keys, spellings }: Person): Values => ({
  workspace: workspaceId,
  keys: [...keys],
  spellings: spellings.map((text) => text.normalize('NFKC').toLowerCase()),
  pattern: personPattern(spellings),
});

/** The types of the parameters: of one that is only compared, the database does not know it. */
const types: Readonly<Record<string, string>> = {
  workspace: 'uuid',
  keys: 'text[]',
  spellings: 'text[]',
  contacts: 'uuid[]',
  deliveries: 'uuid[]',
  jobs: 'uuid[]',
  pattern: 'text',
  secret: 'text',
  now: 'timestamptz',
};

/** A statement with named parameters, as the driver takes it. */
export function bound(statement: string, values: Values): { text: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const places = new Map<string, string>();
  const text = statement.replaceAll(/(?<!:):([a-z]+)\b/g, (_, name: string) => {
    const known = places.get(name);
    if (known !== undefined) return known;
    parameters.push(values[name]);
    const place = `$${parameters.length}::${types[name]}`;
    places.set(name, place);
    return place;
  });
  return { text, parameters };
}

export type ErasingPerson = Person & { contacts: readonly string[]; secret: string; now: string };

/** The contacts with these addresses and numbers, and the addresses to which they got messages and that no other contact has. As the owner. */
export async function findErased(
  owner: Pick<ClientBase, 'query'>,
  { workspaceId, keys }: Pick<Person, 'workspaceId' | 'keys'>,
): Promise<{ contacts: string[]; names: string[]; recipients: string[] }> {
  const { rows: contacts } = await owner.query<{ id: string; name: string | null }>(
    'select id, name from contacts where workspace_id = $1 and (email_key = any ($2) or phone = any ($2))',
    [workspaceId, keys],
  );
  const ids = contacts.map(({ id }) => id);
  const { rows } = await owner.query<{ recipient: string }>(
    `select distinct d.recipient from deliveries d
      where d.workspace_id = $1 and d.contact_id = any ($2::uuid[]) and d.channel in ('email', 'sms', 'whatsapp') and d.recipient !~ '^#'
        and not exists (select from contacts c where c.workspace_id = $1 and c.id <> all ($2::uuid[])
                           and (c.email_key = lower(normalize(d.recipient, nfkc)) or c.phone = d.recipient))
      limit 100`,
    [workspaceId, ids],
  );
  const names = contacts.flatMap(({ name }) => name ?? []);
  return { contacts: ids, names, recipients: rows.map(({ recipient }) => recipient) };
}

/** Ends messages to the person that wait to be sent. As the owner. */
export async function skipWaiting(owner: Pick<ClientBase, 'query'>, person: ErasingPerson): Promise<void> {
  const { code, reason } = reasonOfSkip.suppressed;
  await owner.query(
    ...argumentsOf(
      `update deliveries d set ${endUnsent({ code: `'${code}'`, reason: `'${reason}'` }, ':now')}
         from deliveries t
        where t.workspace_id = :workspace and (${personalData.deliveries?.where}) and t.status in ('queued', 'waiting')
          and d.job_id = t.job_id and d.scheduled_for = t.scheduled_for and d.channel = t.channel and d.recipient = t.recipient`,
      person,
    ),
  );
}

/** Deliveries that no claim is about to send: a claim looks for its rows by their recipients. */
const isSettled = "t.status not in ('queued', 'waiting', 'sending')";
const isUnclaimed = `${isSettled} and not exists (select from jobs j where j.id = t.job_id and j.claim_id is not null)`;

/**
 * Erases the person from a table, and returns how many rows that changed. As the owner, in a transaction of `inErasure`.
 * @param of.isLast whether every claim has ended that may have known the person
 */
export async function eraseFrom(
  owner: Pick<ClientBase, 'query'>,
  { table, person, isLast }: { table: string; person: ErasingPerson; isLast: boolean },
): Promise<number> {
  const { where, isDeleted, set } = personalData[table] ?? {};
  if (where === undefined || (isDeleted === undefined && set === undefined)) return 0;
  const values = Object.entries(set ?? {}).map(([column, value]) => `${column} = ${value}`);
  const change = isDeleted === true ? `delete from ${table} t` : `update ${table} t set ${values.join(', ')}`;
  const also = table !== 'deliveries' ? '' : ` and ${isLast ? isSettled : isUnclaimed}`;
  const { rowCount } = await owner.query(
    ...argumentsOf(`${change} where t.workspace_id = :workspace and (${where})${also}`, person),
  );
  return rowCount ?? 0;
}

/** Puts what stands in place of the person's addresses on the suppression list, so that nobody writes to them when they are entered again. */
export async function insertErasedEntries(owner: Pick<ClientBase, 'query'>, person: ErasingPerson): Promise<void> {
  await owner.query(
    ...argumentsOf(
      `insert into suppressions (workspace_id, channel, recipient, reason, covers, created_at)
       select :workspace, c.channel, ${erasedKey('k.key')}, 'erased', 'everything', :now
         from unnest(:keys) as k (key)
        cross join lateral (select unnest(case when k.key like '%@%' then array['email', 'webhook'] else array['sms', 'whatsapp', 'webhook'] end)) as c (channel)
       on conflict do nothing`,
      person,
    ),
  );
}

/** Reminders and templates whose own text names the person, by an address or a whole name: at most 50. */
export async function findNamedIn(
  owner: Pick<ClientBase, 'query'>,
  { workspaceId, pattern }: { workspaceId: string; pattern: string },
): Promise<Erasure['named_in']> {
  const { rows } = await owner.query<Erasure['named_in'][number]>(
    `(select 'reminder' as kind, id from reminders
       where workspace_id = $1 and status <> 'deleted' and concat_ws(' ', name, description, content ->> 'subject', content ->> 'message') ~* $2 limit 50)
     union all
     (select 'template', id from templates where workspace_id = $1 and concat_ws(' ', name, description, content::text) ~* $2 limit 50)
     limit 50`,
    [workspaceId, pattern],
  );
  return rows;
}

const argumentsOf = (statement: string, person: ErasingPerson): [text: string, parameters: unknown[]] => {
  const { text, parameters } = bound(statement, {
    ...valuesOf(person),
    contacts: [...person.contacts],
    secret: person.secret,
    now: person.now,
  });
  return [text, parameters];
};
