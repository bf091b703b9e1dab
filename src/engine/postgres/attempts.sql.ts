import { suppressibleChannels } from '#contract/suppressions.ts';
import { workspaceWasDeleted, workspaceWasSuspended } from '#domain/ledger-reasons.ts';
import { reasonOfSkip, type SkipCode } from '#domain/may-be-sent.ts';
import { consentFor } from '#engine/postgres/queue.sql.ts';
import { endUnsent } from '#engine/postgres/unsent.sql.ts';
import { newestConsent } from '#platform/newest-consent.ts';

/**
 * SQL of the code for why a workspace sends nothing. Asked at each attempt: the process that deletes a workspace may end before it has stopped its
 * runs, and a suspension stops none.
 */
const closedBecause = (workspaceId: string) =>
  `(select case when w.delete_after is not null then '${workspaceWasDeleted.code}' else '${workspaceWasSuspended.code}' end
      from workspaces w where w.id = ${workspaceId} and (w.delete_after is not null or w.suspended_at is not null))`;

/** Jobs that the claim still owns and nobody stopped. The workspaces that send nothing are few, and read once. $1 claim, $2 jobs. */
export const stillOwned = {
  name: 'still-owned',
  text: `
  select id from jobs
   where id = any ($2::uuid[]) and claim_id = $1 and status = 'running' and stop_reason is null
     and workspace_id <> all (array(select id from workspaces where delete_after is not null or suspended_at is not null))`,
};

/** Those of these workspaces that have suppressions, or require consents. */
export const suppressing = {
  name: 'suppressing',
  text: `
  select s.* from (
    select w.id as workspace_id, exists (select from suppressions s where s.workspace_id = w.id) as has_suppressions, ${consentFor} as consent_for
      from workspaces w where w.id = any ($1::uuid[])) s
   where s.has_suppressions or s.consent_for <> '[]'`,
};

/** Those of these recipients of one job whose rows have ended. */
export const endedAmong = {
  name: 'ended-among',
  text: `
  select d.channel, d.recipient, d.status, d.reason, d.reason_code
    from unnest($3::text[], $4::text[]) as u (channel, recipient)
    join deliveries d on d.job_id = $1 and d.scheduled_for = $2 and d.channel = u.channel and d.recipient = u.recipient
   where d.status not in ('queued', 'waiting', 'sending')`,
};

/**
 * Whether entry `s` forbids a message, as `mayBeSent` says it, by what the topic is now. The topic is read only where an entry is found.
 * @param message the parameters of workspace, topic, occasion and time
 */
const forbids = (message: { workspace: string; topic: string; occasion: string; now: string }) => `
  (s.covers = 'everything' and not (${message.occasion}::text = 'requested' and s.reason = 'unsubscribed')
     or ${message.occasion}::text = 'reminder' and (s.covers = 'optional' or s.topic_id = ${message.topic}::uuid)
     and (s.ends_at is null or s.ends_at > ${message.now})
     and (select t.kind from topics t where t.workspace_id = ${message.workspace} and t.id = ${message.topic}::uuid) is distinct from 'required')`;

/** Whether the workspace requires a consent to recipient `u` and none is on record, as `mayBeSent` says it. The setting is read once. */
const lacksConsent = (message: { workspace: string; topic: string; occasion: string }) => `
  (${message.occasion}::text = 'reminder' and (select w.settings -> 'consentFor' from workspaces w where w.id = ${message.workspace}) ? u.channel
     and ${newestConsent({ ...message, channel: 'u.channel', key: 'u.key', topic: `${message.topic}::uuid` })} is distinct from 'given')`;

/** What keeps a message back, in the order of `mayBeSent`, which is that of the letters. */
const skipCodes = {
  everything: 'suppressed',
  lacking: 'no_consent',
  optional: 'left_topics',
  topic: 'left_topic',
  until: 'paused_by_recipient',
} as const satisfies Record<string, SkipCode>;

const because = (of: 'code' | 'reason') => `
  case f.entry || ' ' || f.channel ${Object.entries(skipCodes)
    .flatMap(([entry, code]) =>
      suppressibleChannels.map((channel) => `when '${entry} ${channel}' then '${reasonOfSkip(code, channel)[of]}'`),
    )
    .join(' ')} end`;

/** Skips recipients whom the suppression list, or a consent that is lacking, forbids since they wait. Of several entries the first is the reason. */
export const skipSuppressed = {
  name: 'skip-suppressed',
  text: `
  update deliveries d
     set ${endUnsent({ code: because('code'), reason: because('reason') }, '$6')}
    from (select e.channel, e.recipient, min(e.entry collate "C") as entry
            from (select u.channel, u.recipient, case when s.ends_at is null then s.covers else 'until' end as entry
                    from unnest($3::text[], $4::text[], $5::text[]) as u (channel, recipient, key)
                    join suppressions s on s.workspace_id = $7 and s.channel = u.channel and s.recipient = u.key
                     and ${forbids({ workspace: '$7', topic: '$8', occasion: '$9', now: '$6' })}
                   union all
                  select u.channel, u.recipient, 'lacking'
                    from unnest($3::text[], $4::text[], $5::text[]) as u (channel, recipient, key)
                   where ${lacksConsent({ workspace: '$7', topic: '$8', occasion: '$9' })}) e
           group by e.channel, e.recipient) f
   where d.job_id = $1 and d.scheduled_for = $2 and d.channel = f.channel and d.recipient = f.recipient
     and d.status in ('queued', 'waiting')`,
};

/**
 * Starts the next attempt of deliveries of one job that this worker still owns. Locking the job's row decides the race
 * against a pause, an edit or a cancel: after their commit nothing is returned. A row that has this very attempt under
 * way is returned too, because an earlier answer was lost. A recipient who was suppressed since then is not returned
 * again; its row ends with our lease.
 */
export const beginAttempts = {
  name: 'begin-attempts',
  text: `
  with owned as (
    select id, scheduled_for from jobs
     where id = $1 and claim_id = $2 and status = 'running' and stop_reason is null
       and ${closedBecause('jobs.workspace_id')} is null
       for no key update
  )
  update deliveries d
     set status = 'sending', attempts = u.attempts + 1, first_attempt_at = coalesce(d.first_attempt_at, $6), last_attempt_at = $6,
         next_attempt_at = null, answered_at = null, attempt_history = attempt_history_of(d)
    from owned, unnest($3::text[], $4::text[], $5::int[], $7::text[]) as u (channel, recipient, attempts, key)
   where d.job_id = owned.id and d.scheduled_for = owned.scheduled_for and d.channel = u.channel and d.recipient = u.recipient
     and (d.status in ('queued', 'waiting') and d.attempts = u.attempts
          or d.status = 'sending' and d.attempts = u.attempts + 1
             and not exists (select from suppressions s
                              where s.workspace_id = $8 and s.channel = u.channel and s.recipient = u.key
                                and ${forbids({ workspace: '$8', topic: '$9', occasion: '$10', now: '$6' })})
             and not ${lacksConsent({ workspace: '$8', topic: '$9', occasion: '$10' })})
  returning d.channel, d.recipient, d.attempts`,
};

/** The state of a job, for when it has no attempt to begin. */
export const jobState = {
  name: 'job-state',
  text: `
  select status, claim_id, error_message, stop_reason, reason_code, ${closedBecause('jobs.workspace_id')} as closed
    from jobs where id = $1`,
};

/** Ends a job's open rows that will intentionally not be attempted. */
export const skipOpen = {
  name: 'skip-open',
  text: `
  update deliveries d
     set ${endUnsent({ code: '$5', reason: '$3' }, '$4')}
   where d.job_id = $1 and d.scheduled_for = $2 and d.status in ('queued', 'waiting')
  returning d.channel, d.recipient, d.status, d.reason, d.reason_code`,
};
