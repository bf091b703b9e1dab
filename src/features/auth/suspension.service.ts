import type pg from 'pg';
import { Conflict, Forbidden, NotFound, Unprocessable } from '#platform/errors.ts';

/** `pool` is connected as the role cuebird_auth. */
type Act = { pool: pg.Pool; actorId: string; id: string; clientAddress: string; now: Temporal.Instant };

/**
 * Keeps a person from signing in until the suspension is lifted. The database ends their sessions, announces that, and refuses new ones. Their
 * workspaces go on sending. Repeating it changes nothing. Throws NotFound, Conflict for oneself, Unprocessable for the demo account, and Forbidden
 * where the administrator was suspended meanwhile.
 */
export async function suspendPerson({ pool, actorId, id, clientAddress, now }: Act): Promise<void> {
  if (id === actorId) throw new Conflict('You cannot suspend yourself. Another administrator can.');
  // Locks both rows in one order, so that of two administrators who suspend each other one remains.
  const { rows } = await pool.query<{ is_demo: boolean; may_act: boolean }>(
    `with request as materialized (
       select set_config('app.client_address', $4, true)
     ), locked as materialized (
       select id, is_demo, is_system_admin, suspended_at from profiles where id in ($1, $2) order by id for update
     ), suspended as (
       update profiles p set suspended_at = $3, suspended_by = $1, updated_at = $3
         from locked person, locked actor
        where p.id = $2 and person.id = $2 and not person.is_demo and person.suspended_at is null
          and actor.id = $1 and actor.is_system_admin and actor.suspended_at is null
       returning p.id, p.email
     ), logged as (
       insert into audit_log (workspace_id, actor_id, action, target, details, created_at)
       select null, $1, 'admin.person_suspended', id::text, jsonb_build_object('email', email), $3 from request, suspended
     )
     select person.is_demo, actor.is_system_admin and actor.suspended_at is null as may_act
       from locked person join locked actor on actor.id = $1
      where person.id = $2`,
    [actorId, id, now.toString(), clientAddress],
  );
  const [found] = rows;
  if (found === undefined) throw new NotFound('person');
  if (!found.may_act) throw new Forbidden('Only system administrators may do this');
  if (found.is_demo)
    throw new Unprocessable('The demo account cannot be suspended. Start Cuebird with DEMO=off to close the demo.');
}

/**
 * Lets the person sign in again. Repeated, or of somebody who does not exist, it changes nothing. Throws Forbidden where the
 * administrator was suspended meanwhile.
 */
export async function liftSuspension({ pool, actorId, id, clientAddress, now }: Act): Promise<void> {
  const { rows } = await pool.query<{ may_act: boolean }>(
    `with request as materialized (
       select set_config('app.client_address', $4, true)
     ), locked as materialized (
       select id, is_system_admin, suspended_at from profiles where id in ($1, $2) order by id for update
     ), lifted as (
       update profiles p set suspended_at = null, suspended_by = null, updated_at = $3
         from locked actor
        where p.id = $2 and p.suspended_at is not null and actor.id = $1 and actor.is_system_admin and actor.suspended_at is null
       returning p.id, p.email
     ), logged as (
       insert into audit_log (workspace_id, actor_id, action, target, details, created_at)
       select null, $1, 'admin.suspension_lifted', id::text, jsonb_build_object('email', email), $3 from request, lifted
     )
     select is_system_admin and suspended_at is null as may_act from locked where id = $1`,
    [actorId, id, now.toString(), clientAddress],
  );
  if (rows[0]?.may_act !== true) throw new Forbidden('Only system administrators may do this');
}
