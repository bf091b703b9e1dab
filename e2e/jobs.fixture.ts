import type { Client } from 'pg';
import { jobStatuses, type JobStatus } from '#contract/job-states.ts';

export type JobsInstalled = { jobs: Record<JobStatus, string>; long: string; farRun: string };

/**
 * Renews the lease of the running job, as the worker does that holds it: one that has not changed for 90 s is taken over, which ends the job and adds
 * a run. Returns what ends the renewals.
 */
export function keepRunning(owner: Client, { jobs }: JobsInstalled): () => void {
  const renew = () =>
    owner.query("update claims set lease_until = lease_until + interval '1 second' where job_ids @> array[$1::uuid]", [
      jobs.running,
    ]);
  const heartbeat = setInterval(() => void renew(), 15_000);
  return () => clearInterval(heartbeat);
}

/** A job in every status, of which the failed one has a history; one with 120 recipients; and a run from years ago. */
export async function installJobs(owner: Client, workspace: string): Promise<JobsInstalled> {
  const { rows } = await owner.query<{ id: string; status: JobStatus }>(
    `with made as (
       insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, claim_id, paused_at, completed_at, started_at, attempts, error_message, payload)
       select $1, 'Rent, ' || status, 'api_notification', status, now() + interval '1 hour', '2099-01-01Z',
              case status when 'running' then uuidv7() end, case status when 'paused' then now() end,
              case when status in ('completed', 'failed', 'cancelled') then now() end, case when status <> 'pending' then now() - interval '75 seconds' end,
              case when status = 'pending' then 0 else 2 end, case status when 'failed' then '1 of 2 failed: HTTP 503 (gave up after 2 attempts)' end,
              '{"channels": ["email"], "recipients": ["Ann <ann@example.com>", "bob@example.com"], "content": {"subject": "Rent of {{recipient_name}}", "message": "Dear {{recipient_name}},\\nhttps://example.com/pay"}}'
         from unnest($2::text[]) as u (status)
       returning id, status, claim_id
     ), claimed as (
       insert into claims (id, worker, lease_until, job_ids, begun)
       select claim_id, 'another', '2099-01-01Z', array[id], '[]' from made where claim_id is not null
     )
     select id, status from made`,
    [workspace, jobStatuses],
  );
  const idOf = (status: JobStatus) => rows.find((row) => row.status === status)?.id ?? '';
  const jobs = {
    pending: idOf('pending'),
    running: idOf('running'),
    completed: idOf('completed'),
    failed: idOf('failed'),
    cancelled: idOf('cancelled'),
    paused: idOf('paused'),
  };
  await owner.query(
    `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts, reason, reason_code, provider, provider_id,
                             provider_answer, first_attempt_at, last_attempt_at, completed_at, attempt_history)
     select $1::uuid, id, scheduled_for, 'email', 'ann@example.com', 'Ann', 'delivered', 1, null::text, null::text, 'smtp', '4Xk2', null::text,
            '2026-03-02T09:00:00Z'::timestamptz, '2026-03-02T09:00:00Z'::timestamptz, '2026-03-02T09:00:31Z'::timestamptz,
            '[{"attempt": 1, "status": "accepted", "began": "2026-03-02T09:00:00Z", "answered": "2026-03-02T09:00:01.2Z", "provider": "smtp", "answer": "250 2.0.0 Ok: queued as 4Xk2"}]'::jsonb
       from jobs where id = $2
     union all
     select $1::uuid, id, scheduled_for, 'webhook', 'https://hooks.example.com/rent', null, 'failed', 2, 'HTTP 503 (gave up after 2 attempts)', 'receiver_error', 'http', null,
            'HTTP 503: maintenance', '2026-03-02T09:00:00Z', '2026-03-02T09:05:00Z', '2026-03-02T09:05:02Z',
            '[{"attempt": 1, "status": "waiting", "began": "2026-03-02T09:00:00Z", "answered": "2026-03-02T09:00:02Z", "provider": "http", "reason": "HTTP 503", "answer": "HTTP 503: busy", "next": "2026-03-02T09:05:00Z"}]'
       from jobs where id = $2`,
    [workspace, jobs.failed],
  );
  const [long] = (
    await owner.query<{ id: string }>(
      `with made as (
         insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, started_at)
         values ($1, 'Newsletter', 'api_notification', 'completed', '2026-03-02T09:00:00Z', '2026-03-02T09:00:00Z', now(), now())
         returning id, scheduled_for
       ), sent as (
         insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, provider, provider_answer,
                                 first_attempt_at, last_attempt_at, completed_at)
         select $1, id, scheduled_for, 'email', 'reader' || n || '@example.com', 'accepted', 1, 'smtp', '250 Ok', scheduled_for, scheduled_for,
                scheduled_for + interval '1 second'
           from made, generate_series(1, 120) n
       )
       select id from made`,
      [workspace],
    )
  ).rows;
  await owner.query(
    `with made as (
       insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, started_at, error_message)
       values ($1, 'Summer party', 'api_notification', 'failed', '2026-03-02T09:00:00Z', '2026-03-02T09:00:00Z', now(), now(),
               '4 of 193 failed: 550 5.1.1 User unknown')
       returning id, scheduled_for
     )
     insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, reason, reason_code, provider,
                             first_attempt_at, last_attempt_at, completed_at)
     select $1, id, scheduled_for, 'email', case when n <= 4 then 'nobody' else 'guest' end || n || '@example.com',
            case when n <= 4 then 'failed' else 'accepted' end, 1, case when n <= 4 then '550 5.1.1 User unknown' end,
            case when n <= 4 then 'no_such_address' end, 'smtp',
            scheduled_for, scheduled_for, scheduled_for + interval '1 second'
       from made, generate_series(1, 193) n`,
    [workspace],
  );
  const [farRun] = (
    await owner.query<{ id: string }>(
      `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms, error_message, logs)
       values ($1, $2, 'failed', '2024-02-02T09:00:00Z', '2024-02-02T09:01:01Z', 61000, 'The mail server refused',
               '{"attempt": 2, "attempted": 3, "late_seconds": 125, "accepted": 2, "failed": 1}')
       returning id`,
      [workspace, jobs.failed],
    )
  ).rows;
  await owner.query(
    `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms)
     select $1, $2, 'completed', now() - n * interval '1 minute', now(), 400 from generate_series(1, 101) n`,
    [workspace, jobs.completed],
  );
  return { jobs, long: long?.id ?? '', farRun: farRun?.id ?? '' };
}
