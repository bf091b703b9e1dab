import { durationMs } from '#engine/postgres/duration.sql.ts';

/**
 * Ends jobs whose run was one attempt with a final outcome, and writes their ledger rows. Where the job's row can hold all of the run (it began
 * within a minute of the scheduled time, by which such runs are found), it is kept there, else as an execution. A job that the claim no longer owns
 * is left alone, and so is its ledger: the row is inserted from the job's update. Columns that are equal for most rows are sent once for each group;
 * a row without a recipient, name or content of its own has those of its group.
 * A stop that was requested meanwhile does not change the code, which is that of the delivery. $1 now.
 */
export const endRuns = {
  name: 'end-runs',
  text: `
  with ended as (
    update jobs j
       set status = g.job_status, error_message = g.message, reason_code = null, claim_id = null,
           completed_at = $1, updated_at = $1,
           run_outcome = case when j.started_at = g.began_at and g.began_at >= j.scheduled_for
                               and g.began_at < j.scheduled_for + interval '1 minute' then g.on_row end
      from unnest($2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[])
             as u (job_id, id, of_group, recipient, recipient_name, provider_id, content_hash)
      join unnest($9::uuid[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::uuid[],
                  $18::int[], $19::timestamptz[], $20::jsonb[], $21::text[], $22::text[], $23::jsonb[], $24::text[], $25::text[],
                  $26::text[]) with ordinality
             as g (claim_id, job_status, message, channel, status, reason, provider, provider_answer, channel_id, unknowns, began_at, logs,
                   code, on_row, params, recipient, recipient_name, content_hash, number)
        on g.number = u.of_group
     where j.id = u.job_id and j.claim_id = g.claim_id and j.status = 'running'
    returning j.workspace_id, j.scheduled_for, j.run_outcome, u.job_id, u.id, u.provider_id, coalesce(u.recipient, g.recipient) as recipient,
              coalesce(u.recipient_name, g.recipient_name) as recipient_name, coalesce(u.content_hash, g.content_hash) as content_hash,
              g.job_status, g.message, g.channel, g.status, g.reason, g.provider, g.provider_answer, g.channel_id, g.unknowns, g.began_at, g.logs, g.code,
              g.params
  ), executed as (
    insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms, error_message, logs)
    select workspace_id, job_id, case job_status when 'completed' then 'completed' else 'failed' end, began_at, $1,
           ${durationMs({ from: 'began_at', to: '$1' })}, message, logs
      from ended
     where run_outcome is null
  )
  insert into deliveries (id, workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, attempts, unknowns,
                          reason, reason_code, reason_params, channel_id, provider, provider_id, provider_answer, content_hash, first_attempt_at,
                          last_attempt_at, completed_at)
  select id, workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, 1, unknowns, reason, code, params, channel_id, provider,
         provider_id, provider_answer, content_hash, began_at, began_at, $1
    from ended`,
};
