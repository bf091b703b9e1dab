import { endUnsent } from '#engine/unsent.sql.ts';

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
