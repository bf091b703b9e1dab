import { CompiledQuery, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { personPattern } from '#features/erasures/person-pattern.ts';
import { erasedKey, personalData } from '#features/erasures/personal-data.ts';
import type { Erasure, PersonalData } from '#contract/erasures.ts';
import { reasonOfSkip } from '#domain/may-be-sent.ts';
import type { Db } from '#platform/database.ts';

/** Who is looked for. `spellings`: the keys as the ledger may have them. */
type Person = { workspaceId: string; keys: readonly string[]; spellings: readonly string[] };

/** Of a table. */
const most = { rows: 5_000, bytes: 4_000_000 } as const;

/** What a workspace keeps about a person, by table: of messages and jobs those that the ledger leads to. */
export async function findPersonalData(db: Db, person: Person): Promise<PersonalData> {
  const contacts = await contactsOf(db, person);
  const deliveries = await sql<{ id: string; job_id: string }>`
    select d.id, d.job_id
      from (select id from unnest(${contacts}::uuid[]) as u (id) union all select null where ${contacts.length} = 0) c
     cross join lateral deliveries_to_person(c.id, ${[...person.spellings]}::text[], null, null, ${most.rows}) d`.execute(
    db,
  );
  const values: Values = {
    ...valuesOf(person),
    contacts,
    deliveries: deliveries.rows.map(({ id }) => id),
    jobs: deliveries.rows.map(({ job_id: id }) => id),
  };
  const tables: PersonalData['tables'] = {};
  let isComplete = true;
  for (const [table, { where, shown }] of Object.entries(personalData)) {
    if (where === undefined || shown === undefined) continue;
    const { text, parameters } = bound(
      `select row, bytes <= ${most.bytes} as fits
         from (select to_jsonb(r) as row, sum(octet_length(to_jsonb(r)::text)) over (rows unbounded preceding) as bytes
                 from (select ${shown} from ${table} t where t.workspace_id = :workspace and (${narrowed[table] ?? where})
                        limit ${most.rows + 1}) r) sized
        where bytes - octet_length(row::text) <= ${most.bytes}`,
      values,
    );
    const { rows } = await db.executeQuery<{ row: Record<string, unknown>; fits: boolean }>(
      CompiledQuery.raw(text, parameters),
    );
    const kept = rows.filter(({ fits }) => fits).slice(0, most.rows);
    if (kept.length > 0) tables[table] = kept.map(({ row }) => row);
    isComplete &&= kept.length === rows.length;
  }
  return { tables, is_complete: isComplete };
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
  const numbers = new Map<string, string>();
  const text = statement.replaceAll(/(?<!:):([a-z]+)\b/g, (_, name: string) => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    parameters.push(values[name]);
    const number = `$${parameters.length}::${types[name]}`;
    numbers.set(name, number);
    return number;
  });
  return { text, parameters };
}

export type ErasingPerson = Person & { contacts: readonly string[]; secret: string; now: string };

/** The contacts with these addresses and numbers, and their names. As the owner. */
export async function findErased(
  owner: Pick<ClientBase, 'query'>,
  { workspaceId, keys }: Pick<Person, 'workspaceId' | 'keys'>,
): Promise<{ contacts: string[]; names: string[] }> {
  const { rows } = await owner.query<{ id: string; name: string | null }>(
    'select id, name from contacts where workspace_id = $1 and (email_key = any ($2) or phone = any ($2))',
    [workspaceId, keys],
  );
  return { contacts: rows.map(({ id }) => id), names: rows.flatMap(({ name }) => name ?? []) };
}

/** Ends messages to the person that wait to be sent. As the owner. */
export async function skipWaiting(owner: Pick<ClientBase, 'query'>, person: ErasingPerson): Promise<void> {
  const { code, reason } = reasonOfSkip.suppressed;
  await owner.query(
    ...argumentsOf(
      // One that may have arrived stays unknown.
      `update deliveries t
          set status = case when t.unknowns > 0 then 'unknown' else 'skipped' end,
              reason = case when t.unknowns > 0 then t.reason else '${reason}' end,
              reason_code = case when t.unknowns > 0 then t.reason_code else '${code}' end,
              reason_params = null, completed_at = :now, next_attempt_at = null
        where t.workspace_id = :workspace and (${personalData.deliveries?.where}) and t.status in ('queued', 'waiting')`,
      person,
    ),
  );
}

/** Rows that a claim may be about to send or to end: it looks for them by their recipients, and locks its jobs. */
const deferredRows: Readonly<Record<string, { first: string; last: string }>> = {
  deliveries: {
    first: ` and t.status not in ('queued', 'waiting', 'sending') and not exists (select from jobs j where j.id = t.job_id and j.claim_id is not null)`,
    last: ` and t.status not in ('queued', 'waiting', 'sending')`,
  },
  jobs: { first: ' and t.claim_id is null', last: '' },
  // Until the last pass the plain address keeps back what is in a claim already.
  suppressions: { first: ' and false', last: '' },
};

const partitioned = ['deliveries', 'job_executions'];

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
  const deferral = deferredRows[table]?.[isLast ? 'last' : 'first'] ?? '';
  const condition = `t.workspace_id = :workspace and (${where})${deferral}`;
  // Found before any of them is locked: others wait for the change, and not for the search.
  const found = partitioned.includes(table)
    ? condition
    : `t.ctid = any (array(select t.ctid from ${table} t where ${condition})) and ${condition}`;
  if (table === 'deliveries') await deleteErasedTwice(owner, { condition, person });
  const values = Object.entries(set ?? {}).map(([column, value]) => `${column} = ${value}`);
  const change = isDeleted === true ? `delete from ${table} t` : `update ${table} t set ${values.join(', ')}`;
  const { rowCount } = await owner.query(...argumentsOf(`${change} where ${found}`, person));
  return rowCount ?? 0;
}

/** A run that was claimed between the passes may have listed the person once more. */
async function deleteErasedTwice(
  owner: Pick<ClientBase, 'query'>,
  { condition, person }: { condition: string; person: ErasingPerson },
): Promise<void> {
  await owner.query(
    ...argumentsOf(
      `delete from deliveries t
        where ${condition} and exists (
          select from deliveries h
           where h.job_id = t.job_id and h.scheduled_for = t.scheduled_for and h.channel = t.channel and h.recipient = ${erasedKey('t.recipient')})`,
      person,
    ),
  );
}

/**
 * Puts the hashes of the person's addresses on the suppression list, so that nobody writes to them when they are entered again; and the addresses
 * themselves until the last pass, for what is in a claim already.
 */
export async function insertErasedEntries(
  owner: Pick<ClientBase, 'query'>,
  { person, isLast }: { person: ErasingPerson; isLast: boolean },
): Promise<void> {
  await owner.query(
    ...argumentsOf(
      `insert into suppressions (workspace_id, channel, recipient, reason, covers, created_at)
       select :workspace, c.channel, r.recipient, 'erased', 'everything', :now
         from unnest(:keys) as k (key)
        cross join lateral unnest(case when k.key like '%@%' then array['email', 'webhook'] else array['sms', 'whatsapp', 'webhook'] end) as c (channel)
        cross join lateral unnest(array[${erasedKey('k.key')}${isLast ? '' : ', k.key'}]) as r (recipient)
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
