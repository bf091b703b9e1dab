/**
 * The claim. Parameters: $1 now, $2 lease until, $3 worker, $4 how many, $5 workspaces that have their share in flight.
 * Raising attempts and fence here makes the claim the durable record that an attempt began.
 */
const claimed = `
  claimed as (
    update jobs j
       set status = 'running', attempts = attempts + 1, fence = fence + 1, lease_until = $2, worker = $3,
           started_at = coalesce(started_at, $1), updated_at = $1, stop_reason = null
      from due
     where j.id = due.id
    returning j.*
  )
  select c.id, c.workspace_id, c.reminder_id, c.name, c.type, c.scheduled_for, c.attempts, c.fence, c.revision, c.expires_at, c.payload,
         w.name as company_name, r.status as reminder_status, r.revision as reminder_revision, r.schedule_config, r.content, r.metadata
    from claimed c
    left join workspaces w on w.id = c.workspace_id
    left join reminders r on r.workspace_id = c.workspace_id and r.id = c.reminder_id`;

/**
 * In the order in which they came due. A workspace is left out by an array operator whose estimate is "nearly all rows
 * stay": "<> all" lets the planner expect none where there are few workspaces, and sort every due row for each claim.
 */
export const claimInOrder = {
  name: 'claim-in-order',
  text: `
  with due as (
    select id from jobs
     where status = 'pending' and run_at <= $1 and not ($5::uuid[] @> array[workspace_id])
     order by run_at
     limit $4
       for update skip locked
  ), ${claimed}`,
};

/** The earliest few of every workspace: a loose index scan visits each workspace that has pending jobs once. */
export const claimInTurn = {
  name: 'claim-in-turn',
  text: `
  with recursive tenant as (
    (select workspace_id from jobs where status = 'pending' order by workspace_id limit 1)
    union all
    select (select j.workspace_id from jobs j where j.status = 'pending' and j.workspace_id > tenant.workspace_id order by j.workspace_id limit 1)
      from tenant
     where tenant.workspace_id is not null
  ), due as (
    select candidate.id
      from tenant
     cross join lateral (
       select id from jobs
        where status = 'pending' and workspace_id = tenant.workspace_id and run_at <= $1
        order by run_at
        limit 16
          for update skip locked
     ) candidate
     where tenant.workspace_id is not null and tenant.workspace_id <> all ($5::uuid[])
     limit $4
  ), ${claimed}`,
};

/** When the next pending job comes due. */
export const nextDue = {
  name: 'next-due',
  text: "select run_at from jobs where status = 'pending' and not ($1::uuid[] @> array[workspace_id]) order by run_at limit 1",
};

/** The occurrence after each claimed one. A time that has its job already keeps it. */
export const insertSuccessors = {
  name: 'insert-successors',
  text: `
  insert into jobs (workspace_id, reminder_id, name, type, scheduled_for, run_at, max_attempts, revision)
  select u.workspace_id, u.reminder_id, u.name, 'reminder', u.at, u.at, u.max_attempts, u.revision
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::int[], $6::int[])
      as u (workspace_id, reminder_id, name, at, max_attempts, revision)
  on conflict (reminder_id, scheduled_for) where type = 'reminder' do nothing`,
};

/** The ledger's rows of newly claimed jobs; those that start at once carry attempt 1 before anything is sent. */
export const insertDeliveries = {
  name: 'insert-deliveries',
  text: `
  insert into deliveries (id, workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, reason, attempts,
                          first_attempt_at, last_attempt_at, completed_at)
  select u.id, u.workspace_id, u.job_id, u.scheduled_for, u.channel, u.recipient, u.recipient_name, u.status, u.reason,
         case u.status when 'sending' then 1 else 0 end,
         case u.status when 'sending' then $10::timestamptz end, case u.status when 'sending' then $10::timestamptz end,
         case u.status when 'skipped' then $10::timestamptz end
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
      as u (id, workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, reason)`,
};

/** Everything the ledger already holds of jobs that are claimed again. */
export const ledgerOf = {
  name: 'ledger-of',
  text: `
  select d.job_id, d.id, d.channel, d.recipient, d.recipient_name, d.status, d.attempts, d.unknowns, d.next_attempt_at, d.reason
    from unnest($1::uuid[], $2::timestamptz[]) as u (job_id, scheduled_for)
    join deliveries d on d.job_id = u.job_id and d.scheduled_for = u.scheduled_for`,
};

/**
 * Starts the next attempt of deliveries of one job that this worker still holds. Locking the job's row decides the race
 * against a pause, an edit or a cancel: once that is committed, nothing comes back from here. A row that is under way
 * with the very attempt we ask for is ours as well: an earlier answer from here was lost on its way.
 */
export const beginAttempts = {
  name: 'begin-attempts',
  text: `
  with held as (
    select id, scheduled_for from jobs
     where id = $1 and fence = $2 and status = 'running' and stop_reason is null
       for no key update
  )
  update deliveries d
     set status = 'sending', attempts = u.attempts + 1, first_attempt_at = coalesce(d.first_attempt_at, $6), last_attempt_at = $6,
         next_attempt_at = null
    from held, unnest($3::text[], $4::text[], $5::int[]) as u (channel, recipient, attempts)
   where d.job_id = held.id and d.scheduled_for = held.scheduled_for and d.channel = u.channel and d.recipient = u.recipient
     and (d.status in ('queued', 'waiting') and d.attempts = u.attempts or d.status = 'sending' and d.attempts = u.attempts + 1)
  returning d.channel, d.recipient, d.attempts`,
};

/** Why a job gave nothing to begin. */
export const standOf = {
  name: 'stand-of',
  text: 'select status, fence, stop_reason from jobs where id = $1',
};

/** Deliveries that will not be attempted, on purpose. */
export const skipDeliveries = {
  name: 'skip-deliveries',
  text: `
  update deliveries
     set status = 'skipped', reason = $3, completed_at = $4, next_attempt_at = null
   where job_id = $1 and scheduled_for = $2 and status in ('queued', 'waiting')`,
};

/** The same for some recipients of a job. */
export const skipSome = {
  name: 'skip-some',
  text: `
  update deliveries d
     set status = 'skipped', reason = $5, completed_at = $6, next_attempt_at = null
    from unnest($3::text[], $4::text[]) as u (channel, recipient)
   where d.job_id = $1 and d.scheduled_for = $2 and d.channel = u.channel and d.recipient = u.recipient
     and d.status in ('queued', 'waiting')`,
};

/**
 * A reminder that was edited while its job was being claimed: the job's row is the newest, the joined reminder may be
 * older by that edit. A statement begun later sees both alike.
 */
export const reminderOf = {
  name: 'reminder-of',
  text: `
  select id, status as reminder_status, revision as reminder_revision, schedule_config, content, metadata
    from reminders where (workspace_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))`,
};

/** Extends the leases of the jobs in hand; what does not come back is no longer ours. $1 ids, $2 fences, $3 lease until. */
export const heartbeat = {
  name: 'heartbeat',
  text: `
  update jobs j set lease_until = $3
    from (
      select jobs.id from jobs join unnest($1::uuid[], $2::int[]) as u (id, fence) on jobs.id = u.id and jobs.fence = u.fence
       where jobs.status = 'running'
         for no key update of jobs skip locked
    ) held
   where j.id = held.id
  returning j.id`,
};
