-- What a reason is about, beside its code: the name of the value that a message lacks. Until now it was read out of the sentence.

alter table deliveries add column reason_params jsonb;
comment on column deliveries.reason_params is 'What `reason_code` is about: of a missing value its name. Null for codes without parameters.';
grant update (reason_params) on deliveries to cuebird_app;

-- Earlier rows, whose sentence may go on after the name.
update deliveries
   set reason_params = jsonb_build_object('name', substring(reason from '^missing variable ([^\s;(]+)'))
 where reason_code = 'missing_value' and reason ~ '^missing variable [^\s;(]';

create or replace function attempt_history_of(d deliveries) returns jsonb
  language sql stable
as $$
  select case
    when d.status in ('queued', 'sending')
      or d.status = 'waiting' and d.attempts = coalesce((d.attempt_history -> -1 ->> 'attempt')::int, 0)
      or jsonb_array_length(d.attempt_history) >= 60 then d.attempt_history
    else coalesce(d.attempt_history, '[]') || jsonb_strip_nulls(jsonb_build_object(
      'attempt', d.attempts, 'status', d.status, 'began', d.last_attempt_at, 'answered', greatest(d.answered_at, d.completed_at),
      'reason', d.reason, 'code', d.reason_code, 'params', d.reason_params, 'channel', d.channel_id, 'provider', d.provider, 'answer', d.provider_answer,
      'next', d.next_attempt_at))
    end
$$;

drop function report_delivery(uuid, uuid, uuid, text, text, text, text, text, integer, timestamptz);
create function report_delivery(d deliveries) returns void
  language sql security definer set search_path = public, pg_temp
as $$
  select store_webhook_activity(d.workspace_id, 'delivery.' || d.status, coalesce(d.completed_at, now()), json_build_object(
           'delivery_id', d.id, 'job_id', d.job_id, 'reminder_id', j.reminder_id, 'name', left(j.name, 200), 'channel', d.channel,
           'recipient', d.recipient, 'status', d.status, 'reason', left(d.reason, 500), 'reason_code', d.reason_code, 'reason_params', d.reason_params,
           'attempts', d.attempts, 'scheduled_for', instant_text(j.scheduled_for), 'is_test', j.type = 'test_reminder'),
           hops_of(j))
    from jobs j
   where j.id = d.job_id and j.workspace_id = d.workspace_id
$$;
revoke all on function report_delivery from public;

create or replace function report_deliveries() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if has_webhooks(new.workspace_id) then
    perform report_delivery(new);
  end if;
  return null;
end
$$;
