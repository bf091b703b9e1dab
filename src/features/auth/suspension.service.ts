import type pg from 'pg';
import type { KnownPerson } from '#contract/suspension.ts';
import { Conflict, Forbidden, NotFound, Unprocessable } from '#platform/errors.ts';

type Act = { actorId: string; id: string; now: Temporal.Instant };

/**
 * Keeps a person out until the suspension is lifted. The database ends their sessions and announces it, and refuses new ones. What
 * their workspaces send goes on. Repeated, it changes nothing. Throws NotFound, Conflict for oneself, Unprocessable for the demo
 * account, and Forbidden where the administrator was suspended meanwhile.
 */
export async function suspendPerson(pool: pg.Pool, { actorId, id, now }: Act): Promise<KnownPerson> {
  if (id === actorId) throw new Conflict('You cannot suspend yourself. Another administrator can.');
  // Both rows are locked in one order: of two administrators who suspend each other one stays.
  const { rows } = await pool.query<{ is_demo: boolean; may_act: boolean }>(
    `with locked as materialized (
       select id, is_demo, is_system_admin, suspended_at from profiles where id in ($1, $2) order by id for update
     ), suspended as (
       update profiles p set suspended_at = $3, suspended_by = $1, updated_at = $3
         from locked person, locked actor
        where p.id = $2 and person.id = $2 and not person.is_demo and person.suspended_at is null
          and actor.id = $1 and actor.is_system_admin and actor.suspended_at is null
       returning p.id, p.email
     ), logged as (
       insert into audit_log (workspace_id, actor_id, action, target, details, created_at)
       select null, $1, 'admin.person_suspended', id::text, jsonb_build_object('email', email), $3 from suspended
     )
     select person.is_demo, actor.is_system_admin and actor.suspended_at is null as may_act
       from locked person join locked actor on actor.id = $1
      where person.id = $2`,
    [actorId, id, now.toString()],
  );
  const [found] = rows;
  if (found === undefined) throw new NotFound('person');
  if (!found.may_act) throw new Forbidden('Only system administrators may do this');
  if (found.is_demo)
    throw new Unprocessable('The demo account cannot be suspended. Start Cuebird with DEMO=off to close the demo.');
  return knownPerson(pool, { by: 'id', value: id });
}

/** Lets the person sign in again. Repeated, it changes nothing. Throws NotFound. */
export async function liftSuspension(pool: pg.Pool, { actorId, id, now }: Act): Promise<KnownPerson> {
  await pool.query(
    `with lifted as (
       update profiles set suspended_at = null, suspended_by = null, updated_at = $3
        where id = $2 and suspended_at is not null
       returning id, email
     )
     insert into audit_log (workspace_id, actor_id, action, target, details, created_at)
     select null, $1, 'admin.suspension_lifted', id::text, jsonb_build_object('email', email), $3 from lifted`,
    [actorId, id, now.toString()],
  );
  return knownPerson(pool, { by: 'id', value: id });
}

/** Throws NotFound when nobody has this address. */
export const findPerson = (pool: pg.Pool, { email }: { email: string }): Promise<KnownPerson> =>
  knownPerson(pool, { by: 'email', value: email.trim().toLowerCase() });

async function knownPerson(pool: pg.Pool, { by, value }: { by: 'id' | 'email'; value: string }): Promise<KnownPerson> {
  const { rows } = await pool.query<Omit<KnownPerson, 'suspended_at'> & { suspended_at: Date | null }>(
    `select id, email, full_name, is_system_admin, suspended_at, live_api_keys_of(id) as api_keys
       from profiles where ${by} = $1`,
    [value],
  );
  const [person] = rows;
  if (person === undefined) throw new NotFound('person');
  return { ...person, suspended_at: person.suspended_at?.toISOString() ?? null };
}
