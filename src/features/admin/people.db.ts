import { sql } from 'kysely';
import type pg from 'pg';
import type { AdminPerson, Demos } from '#contract/admin-people.ts';
import type { Position } from '#platform/cursor.ts';
import type { Db } from '#platform/database.ts';
import { type Listed, readPage } from '#platform/page.ts';

type Asked = { wanted: string | null; search: string | null; after: Position | null; page: number; demos: Demos };

const people = ({ wanted, search, after, page, demos }: Asked) =>
  sql<AdminPerson>`(
    select * from people_of_installation(${wanted}::uuid, ${search}::text, ${after?.at ?? null}::timestamptz,
                                         ${after?.id ?? null}::uuid, ${page}::integer, ${demos}::text))`;

export const findPeople = (
  db: Db,
  { limit, ...asked }: { search: string | null; after: Position | null; limit: number; demos: Demos },
): Promise<Listed<AdminPerson>> =>
  readPage(db, { query: people({ ...asked, wanted: null, page: limit + 1 }), limit, large: ['memberships'] });

export async function findPerson(db: Db, { id }: { id: string }): Promise<AdminPerson | undefined> {
  const { rows } = await people({ wanted: id, search: null, after: null, page: 1, demos: 'true' }).execute(db);
  return rows[0];
}

/** An administrator's act on a person. */
export type PersonAct = {
  actorId: string;
  id: string;
  /** The network address that the administrator's request comes from. */
  clientAddress: string;
  now: Temporal.Instant;
};

/** What an act found in the database, before it changed anything; nothing where there is no such person. */
export type ActedOn = {
  is_demo: boolean;
  is_suspended: boolean;
  is_system_admin: boolean;
  /** False where the actor is no administrator any more. */
  may_act: boolean;
  /** Whether ADMIN_EMAILS names the person's address. */
  is_listed: boolean;
};

/** Locks both people's rows in one order, so that of two administrators who act on each other one remains. */
const locked = `
  -- The entry in the audit log gets the address from it.
  request as materialized (
    select set_config('app.client_address', $4, true)
  ), locked as materialized (
    select id, email, is_demo, is_system_admin, suspended_at from profiles
     where id in ($1, $2) order by id for update
  ), person as (
    select p.*, exists (select from locked a where a.id = $1 and a.is_system_admin and a.suspended_at is null) as may_act,
           is_listed_administrator(p.email) as is_listed
      from locked p where p.id = $2
  )`;

const answer = `
  select is_demo, suspended_at is not null as is_suspended, is_system_admin, may_act, is_listed from person`;

/** `changed` returns the person's id and address where there is something to record. $3: now, $4: the client's address. */
const statementOf = (changed: string, action: string) => `
  with ${locked}, changed as materialized (${changed}), logged as (
    insert into audit_log (workspace_id, actor_id, action, target, details, created_at)
    select null, $1, '${action}', id::text, jsonb_build_object('email', email), $3 from request, changed
  )
  ${answer}`;

const statements = {
  verify: statementOf(
    `update profiles p set email_verified = true, updated_at = $3 from person
      where p.id = person.id and person.may_act and not p.email_verified returning p.id, p.email`,
    'admin.person_verified',
  ),
  signOut: statementOf(
    'select id, email, revoke_access(id) from person where may_act and $3::timestamptz is not null',
    'admin.person_signed_out',
  ),
  makeAdministrator: statementOf(
    `update profiles p set is_system_admin = true, updated_at = $3 from person
      where p.id = person.id and person.may_act and not p.is_system_admin and not p.is_demo and p.suspended_at is null
     returning p.id, p.email`,
    'admin.administrator_made',
  ),
  removeAdministrator: statementOf(
    `update profiles p set is_system_admin = false, updated_at = $3 from person
      where p.id = person.id and person.may_act and p.is_system_admin and not person.is_listed
     returning p.id, p.email`,
    'admin.administrator_removed',
  ),
} as const;

/** Acts on a person and records it, in one statement; repeating it changes nothing. Returns what it found before. */
export async function actOnPerson(
  pool: Pick<pg.Pool, 'query'>,
  { act, actorId, id, clientAddress, now }: PersonAct & { act: keyof typeof statements },
): Promise<ActedOn | undefined> {
  const { rows } = await pool.query<ActedOn>(statements[act], [actorId, id, now.toString(), clientAddress]);
  return rows[0];
}
