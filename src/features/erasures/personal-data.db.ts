import { CompiledQuery, sql } from 'kysely';
import type { ClientBase, QueryResultRow } from 'pg';
import { gaps, literalsOf, oneWordPattern, namesPattern, personPattern } from '#features/erasures/person-pattern.ts';
import { erasedKey, erasedRecipient, namingColumns, personalData } from '#features/erasures/personal-data.ts';
import type { NamingText, PersonalData } from '#contract/erasures.ts';
import { suppressibleChannels } from '#contract/suppressions.ts';
import { isPhoneChannel } from '#domain/recipients.ts';
import { onSuppressionList } from '#domain/ledger-reasons.ts';
import type { Db } from '#platform/database.ts';

/** Who is looked for. `spellings`: the keys as the ledger may have them. */
type Person = { workspaceId: string; keys: readonly string[]; spellings: readonly string[] };

/** Of a table. */
const most = { rows: 5_000, bytes: 4_000_000 } as const;

/** What a workspace keeps about a person, by table: of messages and jobs those that the ledger leads to. */
export async function findPersonalData(db: Db, person: Person): Promise<PersonalData> {
  const run = inRequest(db);
  const { contacts, names } = await findContacts(run, person);
  const deliveries = await sql<{ id: string; job_id: string }>`
    select d.id, d.job_id
      from (select id from unnest(${contacts}::uuid[]) as u (id) union all select null where ${contacts.length} = 0) c
     cross join lateral deliveries_to_person(c.id, ${[...person.spellings]}::text[], null, null, ${most.rows}) d`.execute(
    db,
  );
  const jobs = [...new Set(deliveries.rows.map(({ job_id: id }) => id))];
  const messages = await findMessages(run, { ...person, contacts, jobs, hashes: [] });
  const values = {
    ...valuesOf({ ...person, contacts, names, ...messages }),
    deliveries: deliveries.rows.map(({ id }) => id),
    jobs,
  };
  const tables: PersonalData['tables'] = {};
  let isComplete = !(await hasMore(run, person.workspaceId));
  for (const [table, { where, shown }] of Object.entries(personalData)) {
    if (where === undefined || shown === undefined) continue;
    const rows = await run<{ row: Record<string, unknown>; fits: boolean }>(
      `select row, bytes <= ${most.bytes} as fits
         from (select to_jsonb(r) as row, sum(octet_length(to_jsonb(r)::text)) over (rows unbounded preceding) as bytes
                 from (select ${shown} from ${table} t where t.workspace_id = :workspace and (${narrowed[table] ?? where})
                        limit ${most.rows + 1}) r) sized
        where bytes - octet_length(row::text) <= ${most.bytes}`,
      values,
    );
    const kept = rows.filter(({ fits }) => fits).slice(0, most.rows);
    if (kept.length > 0) tables[table] = kept.map(({ row }) => row);
    isComplete &&= kept.length === rows.length;
  }
  return { tables, is_complete: isComplete };
}

/** Of events, acts and jobs that wait, a request searches the newest: of more, it is no whole answer. */
const mostSearched = 20_000;
const newest = {
  events: `select e.id from events e where e.workspace_id = :workspace order by e.created_at desc limit ${mostSearched}`,
  audit_log: `select a.id from audit_log a where a.workspace_id = :workspace order by a.created_at desc, a.id desc limit ${mostSearched}`,
  queue: `select q.job_id from queue q where q.workspace_id = :workspace order by q.run_at limit ${mostSearched}`,
};

/** Whether a workspace has more of these than are searched. */
async function hasMore(run: Run, workspace: string): Promise<boolean> {
  const [found] = await run<{ has_more: boolean }>(
    `select ${Object.keys(newest)
      .map((table) => `exists (select from ${table} x where x.workspace_id = :workspace offset ${mostSearched})`)
      .join(' or ')} as has_more`,
    { workspace },
  );
  return found?.has_more === true;
}

/** Requests may not use the index by address, and search no more than they have the time for. */
const narrowed: Readonly<Record<string, string>> = {
  deliveries: 't.id = any (:deliveries)',
  jobs: `t.reminder_id = any (:messages) or t.id = any (array(select unnest(:jobs) union (${newest.queue}))) and t.payload::text ~* :pattern`,
  consents: 't.recipient = any (:keys)',
  event_payloads: `t.event_id = any (array(${newest.events})) and (${personalData.event_payloads?.where})`,
  audit_log: `t.id = any (array(${newest.audit_log})) and (${personalData.audit_log?.where})`,
};

type Values = Record<string, unknown>;

/** With what else is known of them. */
type Found = Person & {
  contacts: readonly string[];
  names: readonly string[];
  messages: readonly string[];
  shared: readonly string[];
};

const normalized = (spellings: readonly string[]) => spellings.map((text) => text.normalize('NFKC').toLowerCase());

function valuesOf({ workspaceId, keys, spellings, contacts, names, messages, shared }: Found): Values {
  const pattern = personPattern(spellings);
  const named = [pattern, ...namesPattern(names)].join('|');
  return {
    workspace: workspaceId,
    keys: [...keys],
    spellings: normalized(spellings),
    contacts: [...contacts],
    messages: [...messages],
    shared: [...shared],
    pattern,
    named,
    words: oneWordPattern(names),
    traced: [named, ...messages].join('|'),
    literals: literalsOf(spellings, [...names, ...messages]),
    gaps,
  };
}

/** The types of the parameters: of one that is only compared, the database does not know it. */
const types: Readonly<Record<string, string>> = {
  workspace: 'uuid',
  keys: 'text[]',
  spellings: 'text[]',
  contacts: 'uuid[]',
  deliveries: 'uuid[]',
  jobs: 'uuid[]',
  messages: 'uuid[]',
  shared: 'uuid[]',
  hashes: 'text[]',
  channels: 'text[]',
  pattern: 'text',
  named: 'text',
  words: 'text',
  traced: 'text',
  literals: 'text[]',
  gaps: 'text',
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

/** Runs a statement with its named parameters: in a request, or as the owner. */
type Run = <Row extends QueryResultRow>(statement: string, values: Values) => Promise<Row[]>;

const inRequest =
  (db: Db): Run =>
  async <Row>(statement: string, values: Values) => {
    const { text, parameters } = bound(statement, values);
    return (await db.executeQuery<Row>(CompiledQuery.raw(text, parameters))).rows;
  };

type Owner = Pick<ClientBase, 'query'>;

const asOwner =
  (owner: Owner): Run =>
  async <Row extends QueryResultRow>(statement: string, values: Values) => {
    const { text, parameters } = bound(statement, values);
    return (await owner.query<Row>(text, parameters)).rows;
  };

/** Whom a row of the ledger is about; for the names of their keys, of what stands in place of them, and of their contacts. */
const isDeliveryToThem = `
  (d.contact_id = any (:contacts)
   or address_hash(d.recipient) = any (array(select address_hash(s) from unnest(:spellings || :hashes) as s))
      and (lower(normalize(d.recipient, nfkc)) = any (:spellings) or d.recipient = any (:hashes)))`;

/** The second one comes once every claim has ended that may have known the person. */
export type Pass = 'first' | 'second';

export type ErasingPerson = Found & { secret: string; now: string };

/** The contacts with these addresses and numbers, and what they are called. */
async function findContacts(
  run: Run,
  { workspaceId, keys }: Pick<Person, 'workspaceId' | 'keys'>,
): Promise<{ contacts: string[]; names: string[] }> {
  const found = await run<{ id: string; names: string[] }>(
    'select id, array_remove(array[name, last_name], null) as names from contacts where workspace_id = :workspace and (email_key = any (:keys) or phone = any (:keys))',
    { workspace: workspaceId, keys: [...keys] },
  );
  return { contacts: found.map(({ id }) => id), names: found.flatMap((contact) => contact.names) };
}
type Asked = Person & { contacts: readonly string[]; hashes: readonly string[] };

/** One-off messages to the person alone, and to others as well, by the ids of their reminders. */
async function findMessages(
  run: Run,
  { workspaceId, spellings, contacts, hashes, jobs }: Asked & { jobs: readonly string[] },
): Promise<{ messages: string[]; shared: string[] }> {
  const found = await run<{ id: string; is_alone: boolean }>(
    `select r.id,
            exists (
              select from jobs j
               where j.workspace_id = r.workspace_id and j.reminder_id = r.id and j.id = any (:jobs) and j.status in ('completed', 'failed', 'cancelled')
                 and not exists (
                       select from deliveries d
                        where d.workspace_id = j.workspace_id and d.job_id = j.id and d.channel not in ('slack', 'push') and d.recipient !~ '^#'
                          and not coalesce(${isDeliveryToThem}, false)))
            or coalesce(o.chosen <@ to_jsonb(:contacts) and o.chosen <> '[]' and not o.audience ?| array['everyone', 'groups', 'tags']
                        and not exists (select from jsonb_array_elements_text((r.content -> 'recipients')::jsonb) as line where line !~* :pattern), false)
            as is_alone
       from reminders r
      cross join lateral (select r.metadata::jsonb -> 'audience' as audience, r.metadata::jsonb #> '{audience,contacts}' as chosen) o
      where r.workspace_id = :workspace and r.metadata ->> 'one_off' = 'true'
        and (o.chosen ?| :contacts::text[] or (r.content -> 'recipients')::text ~* :pattern
             or exists (select from jobs j where j.workspace_id = r.workspace_id and j.reminder_id = r.id and j.id = any (:jobs)))`,
    {
      workspace: workspaceId,
      contacts: [...contacts],
      spellings: normalized(spellings),
      hashes: [...hashes],
      pattern: personPattern(spellings),
      jobs: [...jobs],
    },
  );
  const { alone = [], others = [] } = Object.groupBy(found, (row) => (row.is_alone ? 'alone' : 'others'));
  return { messages: alone.map(({ id }) => id), shared: others.map(({ id }) => id) };
}

/** At most so many names are looked for in texts. */
const mostNames = 20;

/** What is known of the person now, beside what was known before. As the owner. */
export async function findErased(
  owner: Owner,
  person: Asked & { names: readonly string[] },
): Promise<Omit<Found, keyof Person>> {
  const run = asOwner(owner);
  const found = await findContacts(run, person);
  const contacts = [...new Set([...person.contacts, ...found.contacts])];
  const sent = await run<{ job_id: string; names: string[] }>(
    `select d.job_id, array_remove(array_agg(distinct d.recipient_name), null) as names
       from deliveries d where d.workspace_id = :workspace and ${isDeliveryToThem} group by d.job_id`,
    {
      workspace: person.workspaceId,
      contacts,
      spellings: normalized(person.spellings),
      hashes: [...person.hashes],
    },
  );
  const jobs = sent.map(({ job_id: id }) => id);
  const names = [...new Set([...person.names, ...found.names, ...sent.flatMap((row) => row.names)])];
  const messages = await findMessages(run, { ...person, contacts, jobs });
  return { contacts, names: names.slice(0, mostNames), ...messages };
}

/** Ends messages to the person that wait to be sent. As the owner. */
export async function skipWaiting(owner: Owner, person: ErasingPerson): Promise<void> {
  const { code, reason } = onSuppressionList;
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

/** What of a table waits for a later pass: a claim may be about to send or to end it, looks for it by its recipients, and locks its jobs. */
const deferredRows: Readonly<Record<string, Record<Pass, string>>> = {
  deliveries: {
    first: ` and t.status not in ('queued', 'waiting', 'sending') and not exists (select from jobs j where j.id = t.job_id and j.claim_id is not null)`,
    second: ` and t.status not in ('queued', 'waiting', 'sending')`,
  },
  jobs: { first: ' and t.claim_id is null', second: '' },
  // Until the second pass the plain address keeps back what is in a claim already.
  suppressions: { first: ' and false', second: '' },
};

const partitioned = ['deliveries', 'job_executions'];

/**
 * Erases the person from a table, and returns how many rows that changed. As the owner, in a transaction of `inErasure`.
 */
export async function eraseFrom(
  owner: Owner,
  { table, person, pass }: { table: string; person: ErasingPerson; pass: Pass },
): Promise<number> {
  const { where, isDeleted, set } = personalData[table] ?? {};
  if (where === undefined || (isDeleted === undefined && set === undefined)) return 0;
  const deferral = deferredRows[table]?.[pass] ?? '';
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
  owner: Owner,
  { condition, person }: { condition: string; person: ErasingPerson },
): Promise<void> {
  await owner.query(
    ...argumentsOf(
      `delete from deliveries t
        where ${condition} and exists (
          select from deliveries h
           where h.job_id = t.job_id and h.scheduled_for = t.scheduled_for and h.channel = t.channel and h.recipient = ${erasedRecipient('recipient')})`,
      person,
    ),
  );
}

/**
 * Puts the hashes of the person's addresses on the suppression list, so that nobody writes to them when they are entered again; and the addresses
 * themselves until the second pass, for what is in a claim already.
 */
export async function insertErasedEntries(
  owner: Owner,
  { person, pass }: { person: ErasingPerson; pass: Pass },
): Promise<void> {
  const entries = person.keys.flatMap((key) => channelsOf(key).map((channel) => ({ key, channel })));
  await asOwner(owner)(
    `insert into suppressions (workspace_id, channel, recipient, reason, covers, created_at)
     select :workspace, e.channel, r.recipient, 'erased', 'everything', :now
       from unnest(:keys, :channels) as e (key, channel)
      cross join lateral unnest(array[${erasedKey('e.key')}${pass === 'first' ? ', e.key' : ''}]) as r (recipient)
     on conflict do nothing`,
    {
      workspace: person.workspaceId,
      keys: entries.map(({ key }) => key),
      channels: entries.map(({ channel }) => channel),
      secret: person.secret,
      now: person.now,
    },
  );
}

/** The channels with recipients of their own that write to such an address. */
const channelsOf = (key: string) =>
  suppressibleChannels.filter((channel) => (key.includes('@') ? !isPhoneChannel(channel) : channel !== 'email'));

const mostNamedIn = 50;

/** Texts of members that name the person, and how many more there are. */
export async function findNamedIn(
  owner: Owner,
  person: ErasingPerson,
): Promise<{ found: { kind: NamingText; id: string }[]; more: number }> {
  const searched = Object.entries(namingColumns).map(
    ([kind, { table, id, texts, where = 'true' }]) => `
      select '${kind}' as kind, t.${id} as id from ${table} t
       where t.workspace_id = :workspace and ${where} and (${texts} ~* :named or ${texts} ~ :words)`,
  );
  const { rows } = await owner.query<{ kind: NamingText; id: string; total: number }>(
    ...argumentsOf(
      `select kind, id, count(*) over ()::int as total from (${searched.join(' union ')}) named order by kind, id limit ${mostNamedIn}`,
      person,
    ),
  );
  return { found: rows.map(({ kind, id }) => ({ kind, id })), more: (rows[0]?.total ?? 0) - rows.length };
}

const argumentsOf = (statement: string, person: ErasingPerson): [text: string, parameters: unknown[]] => {
  const { text, parameters } = bound(statement, { ...valuesOf(person), secret: person.secret, now: person.now });
  return [text, parameters];
};
