-- Why a delivery stands where it stands, and why a job was stopped or cancelled, as a code beside the sentence (src/contract/reason-codes.ts),
-- so that nothing has to read the sentence. Rows that are there keep none: the ledger is too large to be changed while a server starts, and
-- src/domain/uncoded-reasons.ts still knows their sentences.

alter table deliveries add column reason_code text;
comment on column deliveries.reason_code is 'What `reason` says, as a code; null without a reason, and in rows from before codes.';
alter table jobs add column reason_code text;
comment on column jobs.reason_code is 'Why it was stopped (`stop_reason`) or cancelled (`error_message`), as a code.';
grant update (reason_code) on deliveries, jobs to cuebird_app;

-- As in 0007_ledger.sql, with the code.
create or replace function attempt_history_of(d deliveries) returns jsonb
  language sql stable
as $$
  select case
    when d.status in ('queued', 'sending')
      or d.status = 'waiting' and d.attempts = coalesce((d.attempt_history -> -1 ->> 'attempt')::int, 0)
      or jsonb_array_length(d.attempt_history) >= 60 then d.attempt_history
    else coalesce(d.attempt_history, '[]') || jsonb_strip_nulls(jsonb_build_object(
      'attempt', d.attempts, 'status', d.status, 'began', d.last_attempt_at, 'answered', greatest(d.answered_at, d.completed_at),
      'reason', d.reason, 'code', d.reason_code, 'channel', d.channel_id, 'provider', d.provider, 'answer', d.provider_answer,
      'next', d.next_attempt_at))
    end
$$;

-- As in 0067_webhooks.sql, with the code.
create or replace function report_deliveries() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  listening uuid[] := workspaces_with_webhooks();
begin
  if cardinality(listening) = 0 then
    return null;
  end if;
  if tg_op = 'INSERT' then
    perform report_delivery(n.workspace_id, n.id, n.job_id, n.channel, n.recipient, n.status, n.reason, n.reason_code, n.attempts, n.completed_at)
       from changed n
      where n.workspace_id = any (listening) and n.status in ('accepted', 'delivered', 'failed', 'skipped', 'unknown');
  else
    perform report_delivery(n.workspace_id, n.id, n.job_id, n.channel, n.recipient, n.status, n.reason, n.reason_code, n.attempts, n.completed_at)
       from changed n
       join before o on o.job_id = n.job_id and o.scheduled_for = n.scheduled_for and o.channel = n.channel and o.recipient = n.recipient
      where n.workspace_id = any (listening) and n.status in ('accepted', 'delivered', 'failed', 'skipped', 'unknown')
        and o.status <> n.status;
  end if;
  return null;
end
$$;

drop function report_delivery(uuid, uuid, uuid, text, text, text, text, integer, timestamptz);
create function report_delivery(workspace uuid, delivery uuid, job uuid, channel text, recipient text, status text, reason text, reason_code text,
                                attempts integer, at timestamptz) returns void
  language sql security definer set search_path = public, pg_temp
as $$
  select store_webhook_event(workspace, 'delivery.' || report_delivery.status, coalesce(at, now()), json_build_object(
           'delivery_id', delivery, 'job_id', job, 'reminder_id', j.reminder_id, 'name', left(j.name, 200), 'channel', channel,
           'recipient', recipient, 'status', report_delivery.status, 'reason', left(reason, 500), 'reason_code', report_delivery.reason_code,
           'attempts', report_delivery.attempts, 'scheduled_for', instant_text(j.scheduled_for), 'is_test', j.type = 'test_reminder'))
    from jobs j
   where j.id = job and j.workspace_id = workspace
$$;
revoke all on function report_delivery from public;

create or replace function report_jobs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  listening uuid[] := workspaces_with_webhooks();
begin
  if cardinality(listening) = 0 then
    return null;
  end if;
  perform store_webhook_event(n.workspace_id, 'job.' || n.status, coalesce(n.completed_at, n.paused_at, n.updated_at), json_build_object(
            'job_id', n.id, 'reminder_id', n.reminder_id, 'name', left(n.name, 200), 'status', n.status,
            'reason', left(n.error_message, 500), 'reason_code', n.reason_code,
            'scheduled_for', instant_text(n.scheduled_for), 'is_test', n.type = 'test_reminder'))
     from changed n
     join before o on o.id = n.id
    where n.workspace_id = any (listening) and n.status in ('completed', 'failed', 'cancelled', 'paused') and o.status <> n.status;
  return null;
end
$$;
