/**
 * The claim. $1 now, $2 the claim's id, $3 how many jobs. Rows of the queue are never locked: whoever changes one holds
 * the job's row first, and a job that is locked is skipped.
 */
const claimed = `
  left_queue as (
    delete from queue where ctid = any (array(select tid from due))
  ), claimed as (
    update jobs j
       set status = 'running', attempts = attempts + 1, claim_id = $2, started_at = coalesce(started_at, $1), updated_at = $1
     where j.id = any (array(select job_id from due))
    returning j.*
  )
  select c.id, c.workspace_id, c.reminder_id, c.name, c.type, c.scheduled_for, c.attempts, c.revision, c.expires_at, c.stop_reason, c.reason_code, c.payload, c.event_id,
         nullif(c.run_at, c.scheduled_for) as due_at, nullif(c.started_at, $1) as begun_at,
         r.status as reminder_status, r.revision as reminder_revision, r.schedule_config, r.content, r.metadata
    from claimed c
    left join reminders r on r.workspace_id = c.workspace_id and r.id = c.reminder_id and r.status <> 'deleted'`;

/** What is left of a workspace that is being deleted or is suspended waits in the queue, in case it is restored; and what is left of a demo, for its end. */
const notClosed = `<> all (array(select id from workspaces where delete_after is not null or suspended_at is not null or demo_spent_at is not null))`;

/** Not left to the claims that ask for audiences. A CASE for the same reason as below. */
const notForAudience = 'case when q.awaits_audience then false else true end';

/**
 * In the order in which they came due. The CASE leaves the query planner without an estimate of what these conditions exclude: with one it expects
 * hardly a row, reads everything that is due and sorts it, instead of walking along the due times until enough is found.
 */
export const claimInOrder = {
  name: 'claim-in-order',
  text: `
  with due as (
    select q.ctid as tid, q.job_id
      from queue q
      join jobs j on j.id = q.job_id
     where q.run_at <= $1 and ${notForAudience}
       and case when j.status = 'pending' and j.run_at = q.run_at then q.workspace_id ${notClosed} else false end
     order by q.run_at
     limit $3
       for no key update of j skip locked
  ), ${claimed}`,
};

/** Every workspace that fits the condition and has a queued job, then a null: a loose index scan visits each of them once. */
const tenants = (name: string, condition = 'true') => `
  ${name} as (
    (select workspace_id from queue q where ${condition} order by workspace_id limit 1)
    union all
    select (select q.workspace_id from queue q where q.workspace_id > ${name}.workspace_id and ${condition} order by q.workspace_id limit 1)
      from ${name}
     where ${name}.workspace_id is not null
  )`;

/** The earliest few of every workspace. $4 workspaces to leave out, $5 how many of each, $6 the workspace after which it begins. */
export const claimRoundRobin = {
  name: 'claim-round-robin',
  text: `
  with recursive ${tenants('ahead', 'q.workspace_id > $6::uuid')}, ${tenants('behind', 'q.workspace_id <= $6::uuid')}, tenant as (
    select workspace_id from ahead union all select workspace_id from behind
  ), due as (
    select candidate.tid, candidate.job_id
      from tenant
     cross join lateral (
       select q.ctid as tid, q.job_id
         from queue q
         join jobs j on j.id = q.job_id
        -- Compared as rows, so that no plan walks along the other workspaces' due times.
        where (q.workspace_id, q.run_at) >= (tenant.workspace_id, '-infinity') and (q.workspace_id, q.run_at) <= (tenant.workspace_id, $1)
          and ${notForAudience} and j.status = 'pending' and j.run_at = q.run_at
        order by q.workspace_id, q.run_at
        limit $5
          for no key update of j skip locked
     ) candidate
     where tenant.workspace_id is not null and tenant.workspace_id <> all ($4::uuid[]) and tenant.workspace_id ${notClosed}
     limit $3
  ), ${claimed}`,
};

const audienceIsDue = 'q.awaits_audience and q.run_at <= $1';

/** The first workspace after $3, in order of their ids and from the lowest again, with due jobs that wait for their audience. $1 now, $2 workspaces to leave out. */
export const awaitingAudience = {
  name: 'awaiting-audience',
  text: `
  with recursive ${tenants('ahead', `${audienceIsDue} and q.workspace_id > $3::uuid`)}, ${tenants('behind', `${audienceIsDue} and q.workspace_id <= $3::uuid`)}
  select workspace_id
    from (select workspace_id from ahead union all select workspace_id from behind) tenant
   where workspace_id is not null and workspace_id <> all ($2::uuid[]) and workspace_id ${notClosed}
   limit 1`,
};

/** Those of one workspace that wait for their audience, in the order in which they came due. $4 the workspace. */
export const claimAudiences = {
  name: 'claim-audiences',
  text: `
  with due as (
    select q.ctid as tid, q.job_id
      from queue q
      join jobs j on j.id = q.job_id
     where q.awaits_audience and q.workspace_id = $4 and q.run_at <= $1
       and case when j.status = 'pending' and j.run_at = q.run_at then q.workspace_id ${notClosed} else false end
     order by q.run_at
     limit $3
       for no key update of j skip locked
  ), ${claimed}`,
};

/** When the next pending job comes due of those that no audience delays. The CASE is as above: with an estimate, the query planner reads the whole queue of a lone workspace. */
export const nextDue = {
  name: 'next-due',
  text: `select min(run_at) as run_at from queue where case when not awaits_audience and workspace_id ${notClosed} then true else false end`,
};

/** The same, leaving out the workspaces of $1. */
export const nextDueExcept = {
  name: 'next-due-except',
  text: `
  with recursive ${tenants('tenant')}
  select min((select q.run_at from queue q where (q.workspace_id, q.run_at) >= (tenant.workspace_id, '-infinity')
                and q.workspace_id = tenant.workspace_id and ${notForAudience}
               order by q.workspace_id, q.run_at limit 1)) as run_at
    from tenant
   where tenant.workspace_id is not null and tenant.workspace_id <> all ($1::uuid[]) and tenant.workspace_id ${notClosed}`,
};

/**
 * Reads a reminder that was edited while its job was being claimed. The job's row is the newest, but the joined
 * reminder may be older by that edit; a later statement sees both alike.
 */
export const reminderOf = {
  name: 'reminder-of',
  text: `
  select id, status as reminder_status, revision as reminder_revision, schedule_config, content, metadata
    from reminders where (workspace_id, id) in (select * from unnest($1::uuid[], $2::uuid[])) and status <> 'deleted'`,
};

/** Event payloads, stored once for all the jobs of an event. $1 events. */
export const eventPayloads = {
  name: 'event-payloads',
  text: 'select event_id, payload from event_payloads where event_id = any ($1::uuid[])',
};

/** Whether a report has failed a row of `deliveries d`, by its history; still true once a manual retry has opened it again and nothing was sent since. */
export const hasFailedLate = `
         coalesce(case when d.status = 'failed' then d.attempt_history -> -1 ->> 'status' in ('accepted', 'unknown')
                       when d.status = 'queued' and d.attempts = 0 and d.attempt_history -> -1 ->> 'retried' is not null
                         and d.attempt_history -> -2 ->> 'status' = 'failed'
                       then d.attempt_history -> -3 ->> 'status' in ('accepted', 'unknown') end, false)`;

/** All ledger rows of jobs that are claimed again. */
export const ledgerOf = {
  name: 'ledger-of',
  text: `
  select d.job_id, d.id, d.channel, d.recipient, d.recipient_name, d.status, d.attempts, d.unknowns, d.first_attempt_at, d.next_attempt_at, d.reason, d.reason_code,
         d.reason_params, d.contact_id, d.through, ${hasFailedLate} as has_failed_late
    from unnest($1::uuid[], $2::timestamptz[]) as u (job_id, scheduled_for)
    join deliveries d on d.job_id = u.job_id and d.scheduled_for = u.scheduled_for`,
};

/** Locks the usage that has to be exact, so that one claim counts at a time. $1 workspaces, $2 month, $3 tiers. */
export const lockUsage = {
  name: 'lock-usage',
  text: `
  insert into monthly_usage (workspace_id, month)
  select id, $2 from workspaces where id = any ($1::uuid[]) and subscription_tier = any ($3::text[]) order by id
  on conflict (workspace_id, month) do update set occurrences = monthly_usage.occurrences`,
};

/** The rule for missed occurrences of workspace `w`. */
export const misfireRule = `case when w.settings ->> 'misfire' in ('skip', 'all') then w.settings ->> 'misfire' else 'latest' end`;

/** The channels for which workspace `w` requires a consent, as a JSON array. */
export const consentFor = `coalesce(w.settings -> 'consentFor', '[]')`;

export const workspaceFacts = {
  name: 'workspace-facts',
  text: `
  select w.id, w.company_name, w.avatar_url, w.subscription_tier as tier, w.trial_ends_at,
         case when w.subscription_tier = any ($3::text[]) then is_beyond_plan(w.id) else false end as is_beyond_plan, w.settings ->> 'unknownOutcomes' is not distinct from 'prefer_miss' as prefers_miss,
         ${misfireRule} as misfire,
         w.settings -> 'sendingHours' as sending_hours, w.settings -> 'frequencyCap' as frequency_cap, w.settings ->> 'mailColor' as mail_color, w.settings ->> 'postalLine' as postal_line, w.reminders_paused_until as paused_until, w.demo_until is not null as is_demo,
         case when w.demo_until is not null then jsonb_build_object('messages', w.demo_messages, 'hour_messages',
           case when w.demo_hour > $4::timestamptz - interval '1 hour' then w.demo_hour_messages else 0 end) end as demo_sent,
         exists (select from suppressions s where s.workspace_id = w.id) as has_suppressions, ${consentFor} as consent_for,
         (select coalesce(jsonb_object_agg(t.id, t.why), '{}') from topics t where t.workspace_id = w.id and t.kind = 'required') as required_topics,
         (select e.sealed_secret from erasure_secrets e where e.workspace_id = w.id) as erasure_secret,
         exists (select from contacts c where c.workspace_id = w.id) as has_contacts,
         exists (select from preferences p where p.workspace_id = w.id) as has_wishes,
         exists (select from contacts c where c.workspace_id = w.id and c.paused_until is not null)
           or exists (select from job_skips s where s.workspace_id = w.id) as has_exclusions,
         coalesce(u.occurrences, 0) as used,
         case when g.workspace_id is not null then to_jsonb(g) end as signing
    from workspaces w
    left join monthly_usage u on u.workspace_id = w.id and u.month = $2
    left join signing_secrets g on g.workspace_id = w.id
   where w.id = any ($1::uuid[])`,
};
