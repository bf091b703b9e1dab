export const insertClaim = {
  name: 'insert-claim',
  text: 'insert into claims (id, worker, lease_until, job_ids, begun, created_at) values ($1, $2, $3, $4, $5, $6)',
};

/** Jobs that the claim leaves in the queue, as they were, to the claims that ask for audiences. $1 jobs, $2 now. */
export const leaveJobs = {
  name: 'leave-jobs',
  text: `
  with untaken as (
    update jobs
       set status = 'pending', attempts = attempts - 1, claim_id = null, started_at = case when attempts > 1 then started_at else nullif(started_at, $2) end
     where id = any ($1::uuid[])
    returning id, workspace_id, run_at, type, attempts, reminder_id
  )
  insert into queue (job_id, workspace_id, run_at, reminder_id, awaits_audience)
  select id, workspace_id, run_at, case when type = 'reminder' and attempts = 0 then reminder_id end, true from untaken`,
};

/** Rows of recipients whose attempt does not begin with the claim. */
export const insertRows = {
  name: 'insert-rows',
  text: `
  insert into deliveries (id, workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, reason, reason_code, reason_params, next_attempt_at, completed_at, contact_id, through, by_preference)
  select u.id, u.workspace_id, u.job_id, u.scheduled_for, u.channel, u.recipient, u.recipient_name, u.status, u.reason, u.reason_code, u.reason_params, u.next_attempt_at,
         case u.status when 'skipped' then $11::timestamptz end, u.contact_id, u.through, u.by_preference
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[],
                $12::uuid[], $13::text[], $14::text[], $15::jsonb[], $16::boolean[])
      as u (id, workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, reason, next_attempt_at, contact_id, through, reason_code, reason_params, by_preference)`,
};

/** Rows that end with the claim, unsent. */
export const closeRows = {
  name: 'close-rows',
  text: `
  update deliveries d
     set status = u.status, reason = u.reason, reason_code = u.reason_code, reason_params = u.reason_params, completed_at = $7, next_attempt_at = null, attempt_history = attempt_history_of(d)
    from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $8::text[], $9::jsonb[])
      as u (job_id, scheduled_for, channel, recipient, status, reason, reason_code, reason_params)
   where d.job_id = u.job_id and d.scheduled_for = u.scheduled_for and d.channel = u.channel and d.recipient = u.recipient
     and d.status in ('queued', 'waiting')`,
};

/** Rows that were skipped because another channel had the message, which has failed since. */
export const reopenRows = {
  name: 'reopen-rows',
  text: `
  update deliveries d
     set status = 'queued', attempts = 0, unknowns = 0, reason = null, reason_code = null, reason_params = null, completed_at = null,
         next_attempt_at = null, attempt_history = attempt_history_of(d)
    from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[]) as u (job_id, scheduled_for, channel, recipient)
   where d.job_id = u.job_id and d.scheduled_for = u.scheduled_for and d.channel = u.channel and d.recipient = u.recipient
     and d.status = 'skipped'`,
};

/** Rows that failed by a report, or that the suppression list has ended: their reason now says over which channel the message continues, or that none is left. */
export const continueRows = {
  name: 'continue-rows',
  text: `
  update deliveries d
     set reason = u.reason, reason_params = u.reason_params
    from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::jsonb[])
      as u (job_id, scheduled_for, channel, recipient, reason, reason_params)
   where d.job_id = u.job_id and d.scheduled_for = u.scheduled_for and d.channel = u.channel and d.recipient = u.recipient
     and d.status in ('failed', 'skipped')`,
};

/** Open rows that were due and are deferred. A reason that an earlier attempt left stays. */
export const deferRows = {
  name: 'defer-rows',
  text: `
  update deliveries d
     set status = 'waiting', next_attempt_at = u.at, reason = case when d.attempts > 0 then coalesce(d.reason, u.reason) else u.reason end,
         reason_code = case when d.attempts > 0 and d.reason is not null then d.reason_code else u.reason_code end,
         reason_params = case when d.attempts > 0 and d.reason is not null then d.reason_params end
    from unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::timestamptz[], $6::text[], $7::text[])
      as u (job_id, scheduled_for, channel, recipient, at, reason, reason_code)
   where d.job_id = u.job_id and d.scheduled_for = u.scheduled_for and d.channel = u.channel and d.recipient = u.recipient
     and d.status in ('queued', 'waiting')`,
};

/** Jobs that expire later than usual. */
export const extendJobs = {
  name: 'extend-jobs',
  text: `
  update jobs j set expires_at = u.expires_at from unnest($1::uuid[], $2::timestamptz[]) as u (id, expires_at) where j.id = u.id`,
};

export const countUsage = {
  name: 'count-usage',
  text: `
  insert into monthly_usage (workspace_id, month, occurrences)
  select u.workspace_id, $2, u.occurrences from unnest($1::uuid[], $3::int[]) as u (workspace_id, occurrences) order by 1
  on conflict (workspace_id, month) do update set occurrences = monthly_usage.occurrences + excluded.occurrences`,
};

/** What demos have sent, in all and in an hour that begins with its first message. */
export const countDemoUse = {
  name: 'count-demo-use',
  text: `
  with locked as (
    select id, demo_hour > $5::timestamptz - interval '1 hour' as is_same_hour
      from workspaces where id = any ($1::uuid[]) order by id for no key update
  )
  update workspaces w
     set demo_messages = w.demo_messages + u.counted,
         demo_hour_messages = case when l.is_same_hour then w.demo_hour_messages else 0 end + u.sent,
         demo_hour = case when l.is_same_hour then w.demo_hour else $5 end,
         demo_spent_at = case when u.is_spent then $5 else w.demo_spent_at end
    from locked l
    join unnest($1::uuid[], $2::int[], $3::int[], $4::boolean[]) as u (workspace_id, counted, sent, is_spent) on u.workspace_id = l.id
   where w.id = l.id`,
};

/** Notices for the owners. */
export const insertNotices = {
  name: 'insert-notices',
  text: `
  insert into notices (workspace_id, job_id, name, scheduled_for, timezone, reason, kind, created_at)
  select u.*, $8 from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[]) as u`,
};
