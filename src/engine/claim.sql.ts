import { endUnsent } from '#engine/unsent.sql.ts';

/**
 * The claim. Parameters: $1 now, $2 the claim's id, $3 how many. A row of the queue is never locked itself: whoever changes
 * it holds the job's row first, and a job that somebody else holds is passed by.
 */
const claimed = `
  left_queue as (
    delete from queue where ctid = any (array(select place from due))
  ), claimed as (
    update jobs j
       set status = 'running', attempts = attempts + 1, claim_id = $2, started_at = coalesce(started_at, $1), updated_at = $1
     where j.id = any (array(select job_id from due))
    returning j.*
  )
  select c.id, c.workspace_id, c.reminder_id, c.name, c.type, c.scheduled_for, c.attempts, c.revision, c.expires_at, c.stop_reason, c.payload,
         nullif(c.run_at, c.scheduled_for) as due_at, nullif(c.started_at, $1) as begun_at,
         r.status as reminder_status, r.revision as reminder_revision, r.schedule_config, r.content, r.metadata
    from claimed c
    left join reminders r on r.workspace_id = c.workspace_id and r.id = c.reminder_id and r.status <> 'deleted'`;

/** In the order in which they came due. */
export const claimInOrder = {
  name: 'claim-in-order',
  text: `
  with due as (
    select q.ctid as place, q.job_id
      from queue q
      join jobs j on j.id = q.job_id
     where q.run_at <= $1 and j.status = 'pending' and j.run_at = q.run_at
     order by q.run_at
     limit $3
       for no key update of j skip locked
  ), ${claimed}`,
};

/** Every workspace that has something waiting: a loose index scan visits each of them once. */
const tenants = `
  with recursive tenant as (
    (select workspace_id from queue order by workspace_id limit 1)
    union all
    select (select q.workspace_id from queue q where q.workspace_id > tenant.workspace_id order by q.workspace_id limit 1)
      from tenant
     where tenant.workspace_id is not null
  )`;

/** The earliest few of every workspace, $4 workspaces to leave out, $5 how many of each. */
export const claimInTurn = {
  name: 'claim-in-turn',
  text: `
  ${tenants}, due as (
    select candidate.place, candidate.job_id
      from tenant
     cross join lateral (
       select q.ctid as place, q.job_id
         from queue q
         join jobs j on j.id = q.job_id
        -- Compared as rows, so that no plan walks along the other workspaces' due times.
        where (q.workspace_id, q.run_at) >= (tenant.workspace_id, '-infinity') and (q.workspace_id, q.run_at) <= (tenant.workspace_id, $1)
          and j.status = 'pending' and j.run_at = q.run_at
        order by q.workspace_id, q.run_at
        limit $5
          for no key update of j skip locked
     ) candidate
     where tenant.workspace_id is not null and tenant.workspace_id <> all ($4::uuid[])
     limit $3
  ), ${claimed}`,
};

/** When the next pending job comes due. */
export const nextDue = { name: 'next-due', text: 'select min(run_at) as run_at from queue' };

/** The same, leaving out the workspaces of $1. */
export const nextDueExcept = {
  name: 'next-due-except',
  text: `
  ${tenants}
  select min((select q.run_at from queue q where (q.workspace_id, q.run_at) >= (tenant.workspace_id, '-infinity')
               order by q.workspace_id, q.run_at limit 1)) as run_at
    from tenant
   where tenant.workspace_id is not null and tenant.workspace_id <> all ($1::uuid[])`,
};

export const insertClaim = {
  name: 'insert-claim',
  text: 'insert into claims (id, worker, lease_until, job_ids, begun, created_at) values ($1, $2, $3, $4, $5, $6)',
};

/** The occurrence after each claimed one. A time that has its job already keeps it. */
export const insertSuccessors = {
  name: 'insert-successors',
  text: `
  with planned as (
    insert into jobs (workspace_id, reminder_id, name, type, scheduled_for, run_at, max_attempts, revision)
    select u.workspace_id, u.reminder_id, u.name, 'reminder', u.at, u.at, u.max_attempts, u.revision
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::int[], $6::int[])
        as u (workspace_id, reminder_id, name, at, max_attempts, revision)
    on conflict (reminder_id, scheduled_for) where type = 'reminder' do nothing
    returning id, workspace_id, run_at
  )
  insert into queue (job_id, workspace_id, run_at) select id, workspace_id, run_at from planned`,
};

/** Rows of recipients whose attempt does not begin with the claim. */
export const insertRows = {
  name: 'insert-rows',
  text: `
  insert into deliveries (id, workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, reason, next_attempt_at, completed_at)
  select u.id, u.workspace_id, u.job_id, u.scheduled_for, u.channel, u.recipient, u.recipient_name, u.status, u.reason, u.next_attempt_at,
         case u.status when 'skipped' then $11::timestamptz end
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[])
      as u (id, workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, reason, next_attempt_at)`,
};

/** Rows that end with the claim, unsent. */
export const closeRows = {
  name: 'close-rows',
  text: `
  update deliveries d
     set status = u.status, reason = u.reason, completed_at = $7, next_attempt_at = null, past = past_of(d)
    from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[])
      as u (job_id, scheduled_for, channel, recipient, status, reason)
   where d.job_id = u.job_id and d.scheduled_for = u.scheduled_for and d.channel = u.channel and d.recipient = u.recipient
     and d.status in ('queued', 'waiting')`,
};

/** Open rows that were due and wait on. What an earlier attempt failed of stays their reason. */
export const postponeRows = {
  name: 'postpone-rows',
  text: `
  update deliveries d
     set status = 'waiting', next_attempt_at = u.at, reason = case when d.attempts > 0 then coalesce(d.reason, u.reason) else u.reason end
    from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::timestamptz[], $6::text[])
      as u (job_id, scheduled_for, channel, recipient, at, reason)
   where d.job_id = u.job_id and d.scheduled_for = u.scheduled_for and d.channel = u.channel and d.recipient = u.recipient
     and d.status in ('queued', 'waiting')`,
};

/** Jobs whose time lasts longer than is usual. */
export const extendJobs = {
  name: 'extend-jobs',
  text: `
  update jobs j set expires_at = u.expires_at from unnest($1::uuid[], $2::timestamptz[]) as u (id, expires_at) where j.id = u.id`,
};

/** Everything the ledger already holds of jobs that are claimed again. */
export const ledgerOf = {
  name: 'ledger-of',
  text: `
  select d.job_id, d.id, d.channel, d.recipient, d.recipient_name, d.status, d.attempts, d.unknowns, d.first_attempt_at, d.next_attempt_at, d.reason
    from unnest($1::uuid[], $2::timestamptz[]) as u (job_id, scheduled_for)
    join deliveries d on d.job_id = u.job_id and d.scheduled_for = u.scheduled_for`,
};

/** Whose usage has to be exact is counted by one claim at a time. $1 workspaces, $2 month, $3 tiers. */
export const lockUsage = {
  name: 'lock-usage',
  text: `
  insert into monthly_usage (workspace_id, month)
  select id, $2 from workspaces where id = any ($1::uuid[]) and subscription_tier = any ($3::text[]) order by id
  on conflict (workspace_id, month) do update set occurrences = monthly_usage.occurrences`,
};

export const workspaceFacts = {
  name: 'workspace-facts',
  text: `
  select w.id, w.name, w.subscription_tier as tier, w.created_at, w.settings ->> 'unknownOutcomes' is not distinct from 'prefer_miss' as prefers_miss,
         w.settings -> 'sendingHours' as sending_hours, exists (select from suppressions s where s.workspace_id = w.id) as has_suppressions,
         exists (select from contacts c where c.workspace_id = w.id) as has_contacts, coalesce(u.occurrences, 0) as used
    from workspaces w
    left join monthly_usage u on u.workspace_id = w.id and u.month = $2
   where w.id = any ($1::uuid[])`,
};

export const countUsage = {
  name: 'count-usage',
  text: `
  insert into monthly_usage (workspace_id, month, occurrences)
  select u.workspace_id, $2, u.occurrences from unnest($1::uuid[], $3::int[]) as u (workspace_id, occurrences) order by 1
  on conflict (workspace_id, month) do update set occurrences = monthly_usage.occurrences + excluded.occurrences`,
};

/** For the owners to be told of. */
export const insertNotices = {
  name: 'insert-notices',
  text: `
  insert into notices (workspace_id, job_id, name, scheduled_for, timezone, reason, created_at)
  select u.*, $7 from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[], $6::text[]) as u`,
};

/** The channels of these workspaces, the most recently changed first. */
export const channelsOf = {
  name: 'channels-of',
  text: `
  select id, workspace_id, type, is_active, configuration, sealed_secrets, rate_limit_per_second, updated_at
    from channels
   where workspace_id = any ($1::uuid[])
   order by updated_at desc`,
};

export const suppressedAmong = {
  name: 'suppressed-among',
  text: `
  select s.workspace_id as "workspaceId", s.channel, s.recipient as key
    from unnest($1::uuid[], $2::text[], $3::text[]) as u (workspace_id, channel, key)
    join suppressions s on s.workspace_id = u.workspace_id and s.channel = u.channel and s.recipient = u.key`,
};

/** Whom the workspaces know of these addresses and numbers. */
export const contactsAmong = {
  name: 'contacts-among',
  text: `
  with asked as (select * from unnest($1::uuid[], $2::text[]) as u (workspace_id, key))
  select a.workspace_id, a.key, c.name, c.email, c.phone, c.timezone, c.variables
    from asked a
    join contacts c on c.workspace_id = a.workspace_id and c.email = a.key
   where a.key like '%@%'
   union all
  select a.workspace_id, a.key, c.name, c.email, c.phone, c.timezone, c.variables
    from asked a
    join contacts c on c.workspace_id = a.workspace_id and c.phone = a.key
   where a.key not like '%@%'`,
};

/** Jobs that the claim still holds and nobody told to stop. $1 claim, $2 jobs. */
export const stillHeld = {
  name: 'still-held',
  text: "select id from jobs where id = any ($2::uuid[]) and claim_id = $1 and status = 'running' and stop_reason is null",
};

/** Of these recipients of one job, who came to an end already. */
export const endedAmong = {
  name: 'ended-among',
  text: `
  select d.channel, d.recipient, d.status, d.reason
    from unnest($3::text[], $4::text[]) as u (channel, recipient)
    join deliveries d on d.job_id = $1 and d.scheduled_for = $2 and d.channel = u.channel and d.recipient = u.recipient
   where d.status not in ('queued', 'waiting', 'sending')`,
};

/** Who was suppressed while waiting is not sent to. */
export const skipSuppressed = {
  name: 'skip-suppressed',
  text: `
  update deliveries d
     set ${endUnsent("'The recipient is on the suppression list'", '$6')}
    from unnest($3::text[], $4::text[], $5::text[]) as u (channel, recipient, key)
    join suppressions s on s.workspace_id = $7 and s.channel = u.channel and s.recipient = u.key
   where d.job_id = $1 and d.scheduled_for = $2 and d.channel = u.channel and d.recipient = u.recipient
     and d.status in ('queued', 'waiting')`,
};

/**
 * Starts the next attempt of deliveries of one job that this worker still holds. Locking the job's row decides the race
 * against a pause, an edit or a cancel: once that is committed, nothing comes back from here. A row that is under way
 * with the very attempt we ask for is ours as well: an earlier answer from here was lost on its way. Who was suppressed
 * since then is not given out again, and ends with our lease.
 */
export const beginAttempts = {
  name: 'begin-attempts',
  text: `
  with held as (
    select id, scheduled_for from jobs
     where id = $1 and claim_id = $2 and status = 'running' and stop_reason is null
       for no key update
  )
  update deliveries d
     set status = 'sending', attempts = u.attempts + 1, first_attempt_at = coalesce(d.first_attempt_at, $6), last_attempt_at = $6,
         next_attempt_at = null, answered_at = null, past = past_of(d)
    from held, unnest($3::text[], $4::text[], $5::int[], $7::text[]) as u (channel, recipient, attempts, key)
   where d.job_id = held.id and d.scheduled_for = held.scheduled_for and d.channel = u.channel and d.recipient = u.recipient
     and (d.status in ('queued', 'waiting') and d.attempts = u.attempts
          or d.status = 'sending' and d.attempts = u.attempts + 1
             and not exists (select from suppressions s
                              where s.workspace_id = $8 and s.channel = u.channel and s.recipient = u.key))
  returning d.channel, d.recipient, d.attempts`,
};

/** Why a job gave nothing to begin. */
export const standOf = {
  name: 'stand-of',
  text: 'select status, claim_id, stop_reason, error_message from jobs where id = $1',
};

/** What is open in a job's ledger will not be attempted, on purpose. */
export const skipOpen = {
  name: 'skip-open',
  text: `
  update deliveries d
     set ${endUnsent('$3', '$4')}
   where d.job_id = $1 and d.scheduled_for = $2 and d.status in ('queued', 'waiting')
  returning d.channel, d.recipient, d.status, d.reason`,
};

/**
 * A reminder that was edited while its job was being claimed: the job's row is the newest, the joined reminder may be
 * older by that edit. A statement begun later sees both alike.
 */
export const reminderOf = {
  name: 'reminder-of',
  text: `
  select id, status as reminder_status, revision as reminder_revision, schedule_config, content, metadata
    from reminders where (workspace_id, id) in (select * from unnest($1::uuid[], $2::uuid[])) and status <> 'deleted'`,
};

/** Extends leases; what does not come back is no longer ours. */
export const extendLeases = {
  name: 'extend-leases',
  text: 'update claims set lease_until = $2 where id = any ($1::uuid[]) returning id',
};

const bare = 'r.id, r.workspace_id, r.name, r.revision, r.schedule_config, r.metadata';

/** Nothing waits or runs; what is paused before its time is followed when that has passed. */
const lacksNext = `
  not exists (select from jobs n
               where n.reminder_id = r.id and n.type = 'reminder'
                 and (n.status in ('pending', 'running') or n.status = 'paused' and n.attempts = 0 and n.scheduled_for > $1))`;

/** Active scheduled reminders without a next occurrence, $1 now, $2 the last one seen. */
export const everyWithoutNext = {
  name: 'every-without-next',
  text: `
  select ${bare} from reminders r
   where r.status = 'active' and r.schedule_config ->> 'type' = 'scheduled' and r.id > $2 and ${lacksNext}
   order by r.id limit 500`,
};

/** The same for those with an occurrence whose time passed while it was paused. */
export const pausedWithoutNext = {
  name: 'paused-without-next',
  text: `
  select ${bare} from reminders r
   where r.status = 'active' and r.id > $2 and ${lacksNext}
     and (r.workspace_id, r.id) in (
       select j.workspace_id, j.reminder_id from jobs j
        where j.paused_at is not null and j.type = 'reminder' and j.scheduled_for <= $1)
   order by r.id limit 500`,
};
