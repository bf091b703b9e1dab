import { anotherRunContinues, workerStopped } from '#domain/ledger-reasons.ts';

/** Extends leases. A claim that is not returned is no longer ours. */
export const extendLeases = {
  name: 'extend-leases',
  text: 'update claims set lease_until = $2 where id = any ($1::uuid[]) returning id',
};

export const openClaims = { name: 'open-claims', text: 'select id, lease_until as "leaseUntil" from claims' };

/**
 * Gives running jobs that no claim lists a claim again, under the id that they name. What had begun is in the ledger or unknown to the database. $1 the
 * id before the first job, $2 how many jobs, $3 now.
 */
export const restoreClaims = {
  name: 'restore-claims',
  text: `
  with looked_at as materialized (
    select id, status, claim_id from jobs where id > $1 order by id limit $2::int
  ), unlisted as (
    select l.id, l.claim_id
      from looked_at l
     where l.status = 'running'
       and (select c.id from claims c where c.id = l.claim_id and l.id = any (c.job_ids)) is null
  ), restored as (
    insert into claims as c (id, worker, lease_until, job_ids, begun, created_at)
    select claim_id, 'unknown', $3, array_agg(id order by id), '[]', $3 from unlisted group by claim_id
    on conflict (id) do update set job_ids = c.job_ids || excluded.job_ids
  )
  select (select count(*)::int from unlisted) as jobs,
         (select id from looked_at order by id offset $2::int - 1) as last`,
};

/** Locks claim $1, if its lease is still $2. */
export const takeOverClaim = {
  name: 'take-over-claim',
  text: 'select id, job_ids from claims where id = $1 and lease_until = $2 for update skip locked',
};

/**
 * Attempts of the claim's jobs without an outcome: first ones that the claim began, and later ones in the ledger. Jobs
 * that were cancelled meanwhile count too, because an attempt that had begun may have arrived.
 */
export const lostAttempts = {
  name: 'lost-attempts',
  text: `
  with owned as (
    select j.id, j.workspace_id, j.scheduled_for, j.status = 'cancelled' as is_cancelled, j.expires_at, w.settings ->> 'unknownOutcomes' is not distinct from 'prefer_miss' as prefers_miss
      from claims c
     cross join lateral unnest(c.job_ids) as u (job_id)
      join jobs j on j.id = u.job_id and (j.claim_id = c.id or j.status = 'cancelled')
      join workspaces w on w.id = j.workspace_id
     where c.id = $1
     order by j.id
       for no key update of j
  )
  select (b ->> 0)::uuid as id, o.id as job_id, o.workspace_id, o.scheduled_for, o.expires_at, o.is_cancelled, o.prefers_miss,
         b ->> 2 as channel, b ->> 3 as recipient, b ->> 4 as recipient_name, 1 as attempts, 0 as unknowns,
         c.created_at as began_at
    from claims c
   cross join lateral json_array_elements(c.begun) b
    join owned o on o.id = (b ->> 1)::uuid
   where c.id = $1
     and not exists (select from deliveries d where d.job_id = o.id and d.scheduled_for = o.scheduled_for
                                                and d.channel = b ->> 2 and d.recipient = b ->> 3)
  union all
  select d.id, d.job_id, d.workspace_id, d.scheduled_for, o.expires_at, o.is_cancelled, o.prefers_miss, d.channel, d.recipient, d.recipient_name,
         d.attempts, d.unknowns, d.last_attempt_at
    from owned o
    join deliveries d on d.job_id = o.id and d.scheduled_for = o.scheduled_for
   where d.status = 'sending'`,
};

/**
 * Ends the claim and puts its unfinished jobs back into the queue, each for the time of its first open delivery. $1
 * claim, $2 now.
 */
export const releaseJobs = {
  name: 'release-jobs',
  text: `
  with ended as (
    delete from claims where id = $1 returning id, job_ids, created_at
  ), owned as (
    select j.id, j.started_at, j.attempts,
           case when j.run_at > e.created_at then $2 else coalesce((select min(case d.status when 'queued' then $2::timestamptz else d.next_attempt_at end)
                       from deliveries d
                      where d.job_id = j.id and d.scheduled_for = j.scheduled_for and d.status in ('queued', 'waiting')), $2) end as run_at
      from ended e
     cross join lateral unnest(e.job_ids) as u (job_id)
      join jobs j on j.id = u.job_id and j.claim_id = e.id and j.status = 'running'
  ), released as (
    update jobs j
       set status = 'pending', claim_id = null, run_at = o.run_at, updated_at = $2,
           error_message = '${anotherRunContinues}'
      from owned o
     where j.id = o.id
    returning j.id, j.workspace_id, j.run_at, o.started_at, o.attempts
  ), queued as (
    insert into queue (job_id, workspace_id, run_at) select id, workspace_id, run_at from released
  ), recorded as (
    insert into job_executions (workspace_id, job_id, status, started_at, completed_at, error_message, logs)
    select workspace_id, id, 'failed', started_at, $2, '${workerStopped}', jsonb_build_object('attempt', attempts)
      from released
  )
  select workspace_id from released`,
};
