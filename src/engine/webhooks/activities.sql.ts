/** Webhooks of workspaces that may send. Those of a workspace that is being deleted or suspended wait, as its jobs do. */
const usable = `
  webhooks h
    join workspaces w on w.id = h.workspace_id and w.delete_after is null and w.suspended_at is null`;

const isOn = 'h.is_active and h.disabled_at is null';

/**
 * Takes due activities, a few of each webhook and workspace, and one of a webhook that failed the last times. An attempt counts before it is sent;
 * one that is not reported by $4 is lost, and the activity is due again. $1 now, $2 webhooks to leave out, $3 the most activities, $5 the most of one
 * webhook, $6 failures from which on a webhook is probed with one activity, $7 and $8 how many each workspace has in flight, $9 the most of one
 * workspace.
 */
export const claimActivities = {
  name: 'claim-webhook-activities',
  text: `
  with shares as (
    select u.workspace_id, u.count from unnest($7::uuid[], $8::integer[]) as u (workspace_id, count)
  ), candidates as (
    select e.id, e.next_attempt_at, h.workspace_id,
           row_number() over (partition by h.workspace_id order by e.next_attempt_at) + coalesce(s.count, 0) as nth
      from ${usable}
      left join shares s on s.workspace_id = h.workspace_id
     cross join lateral (
       select e.id, e.next_attempt_at from webhook_activities e
        where e.webhook_id = h.id and e.workspace_id = h.workspace_id and e.status = 'waiting' and e.next_attempt_at <= $1
        order by e.next_attempt_at
        limit case when h.failures >= $6 then 1 else $5 end
          for no key update skip locked) e
     where ${isOn} and h.id <> all ($2::uuid[]) and (h.backoff_until is null or h.backoff_until <= $1)
       and coalesce(s.count, 0) < $9
  ), due as (
    select id from candidates where nth <= $9 order by next_attempt_at limit $3
  ), taken as (
    update webhook_activities set attempts = attempts + 1, next_attempt_at = $4, last_attempt_at = $1
     where id = any (array(select id from due)) and status = 'waiting'
    returning id, workspace_id, webhook_id, body, attempts, unknowns, hops, expires_at
  )
  select t.*, h.url, case when g.workspace_id is not null then to_jsonb(g) end as signing
    from taken t
    join webhooks h on h.id = t.webhook_id and h.workspace_id = t.workspace_id
    left join signing_secrets g on g.workspace_id = t.workspace_id`,
};

/** When the next activity is due, leaving out the webhooks of $1, and the workspaces of $2 that have $4 or more in flight by $3. */
export const nextActivityDue = {
  name: 'next-webhook-activity-due',
  text: `
  select min(greatest(e.next_attempt_at, h.backoff_until)) as due
    from ${usable}
   cross join lateral (
     select e.next_attempt_at from webhook_activities e
      where e.webhook_id = h.id and e.status = 'waiting' order by e.next_attempt_at limit 1) e
   where ${isOn} and h.id <> all ($1::uuid[])
     and not exists (select from unnest($2::uuid[], $3::integer[]) as u (workspace_id, count)
                      where u.workspace_id = h.workspace_id and u.count >= $4)`,
};

/** The result of an attempt, unless a later one has begun. */
export const recordAttempt = {
  name: 'record-webhook-attempt',
  text: `
  update webhook_activities
     set status = $3, answer = $4, next_attempt_at = $5, completed_at = case when $3 <> 'waiting' then $6::timestamptz end, unknowns = unknowns + $7
   where id = $1 and attempts = $2 and status = 'waiting'`,
};

/** Notes that the webhook has accepted an activity. $2 its answer, $3 now. */
export const acceptedOf = {
  name: 'webhook-accepted',
  text: `
  update webhooks
     set failing_since = null, failures = 0, backoff_until = null, last_outcome = 'accepted', last_answer = $2, last_answered_at = $3
   where id = $1`,
};

/**
 * Notes that the webhook has failed, and defers it after $6 failures in a row, for a time that doubles from $7 to $8 milliseconds. $2 its answer, $3
 * now, $4 the outcome; it is disabled if it has failed since before $5.
 */
export const failedOf = {
  name: 'webhook-failed',
  text: `
  with before as (select id, disabled_at from webhooks where id = $1 for no key update)
  update webhooks h
     set failing_since = coalesce(h.failing_since, $3::timestamptz), last_outcome = $4, last_answer = $2, last_answered_at = $3,
         -- Those that were in flight when it was held back do not hold it any longer.
         failures = case when h.backoff_until > $3 then h.failures else h.failures + 1 end,
         backoff_until = case when h.backoff_until > $3 then h.backoff_until
           when h.failures + 1 >= $6::integer
           then $3::timestamptz + make_interval(secs => least($8::float8, $7::float8 * 2 ^ least(h.failures + 1 - $6::integer, 10)) / 1000) end,
         disabled_at = case when h.failing_since <= $5 then coalesce(h.disabled_at, $3::timestamptz) else h.disabled_at end,
         owners_notified_at = case when h.disabled_at is null then null else h.owners_notified_at end
    from before
   where h.id = before.id
  returning h.workspace_id, h.url, h.disabled_at is not null and before.disabled_at is null as was_disabled`,
};

/** Drops the oldest activities where more than $1 of a webhook wait. $2 now. */
export const dropBeyond = {
  name: 'drop-webhook-activities',
  text: `
  with dropped as (
    update webhook_activities e
       set status = 'dropped', next_attempt_at = null, completed_at = $2, answer = 'Not sent: too many events waited'
     where e.id = any (array(
       select old.id
         from webhooks h
        cross join lateral (select e.id from webhook_activities e where e.webhook_id = h.id and e.status = 'waiting'
                             order by e.occurred_at desc, e.id desc offset $1) old))
       and e.status = 'waiting'
    returning e.webhook_id
  )
  update webhooks h set dropped = h.dropped + d.count, dropped_at = $2
    from (select webhook_id, count(*)::integer as count from dropped group by webhook_id) d
   where h.id = d.webhook_id
  returning h.id, h.workspace_id, d.count`,
};

/** Ends activities that have waited past their time, such as those of a webhook that is off. $1 now. */
export const endExpired = {
  name: 'end-expired-webhook-activities',
  text: `
  update webhook_activities
     set status = case when unknowns > 0 then 'unknown' else 'failed' end, next_attempt_at = null, completed_at = $1,
         answer = coalesce(answer, 'Not sent: its time has passed')
   where status = 'waiting' and expires_at <= $1 and next_attempt_at <= $1`,
};

/** Deletes activities that have ended, beyond the newest $1 of each webhook. */
export const forgetBeyond = {
  name: 'forget-webhook-activities-beyond',
  text: `
  delete from webhook_activities e
   where e.id = any (array(
     select old.id
       from webhooks h
      cross join lateral (select e.id from webhook_activities e
                           where e.workspace_id = h.workspace_id and e.webhook_id = h.id and e.status <> 'waiting'
                           order by e.occurred_at desc, e.id desc offset $1) old))`,
};

/** Deletes activities that ended before $1, and those whose webhook is deleted. */
export const forgetOld = {
  name: 'forget-old-webhook-activities',
  text: `
  delete from webhook_activities e
   where e.completed_at < $1 or not exists (select from webhooks h where h.id = e.webhook_id)`,
};
