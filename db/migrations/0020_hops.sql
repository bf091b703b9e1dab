-- An activity knows how many requests of Cuebird led to it, as the message that it tells of does. Its own request is one more.

alter table webhook_activities add column hops smallint not null default 0 check (hops >= 0);
comment on column webhook_activities.hops is 'How many requests of Cuebird, each sent because of the one before, led to what it tells of.';

drop function store_webhook_activity(uuid, text, timestamptz, json);
create function store_webhook_activity(workspace uuid, kind text, at timestamptz, data json, hops integer default 0) returns void
  language sql security definer set search_path = public, pg_temp
as $$
  insert into webhook_activities (workspace_id, webhook_id, type, body, occurred_at, next_attempt_at, expires_at, hops)
  select h.workspace_id, h.id, kind,
         json_build_object('type', kind, 'version', 1, 'timestamp', instant_text(at), 'data', data)::text,
         at, at, at + interval '3 days', store_webhook_activity.hops
    from webhooks h
   where h.workspace_id = workspace and h.is_active and h.disabled_at is null and kind = any (h.activity_types);
  select pg_notify('cuebird_webhooks', '');
$$;

-- A job of an event has them with the event's data, another one with its own.
create function hops_of(job jobs) returns integer
  language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce((select (p.payload ->> 'hops')::integer from event_payloads p where p.event_id = job.event_id),
                  (job.payload ->> 'hops')::integer, 0)
$$;
revoke all on function store_webhook_activity, hops_of from public;

create or replace function report_delivery(workspace uuid, delivery uuid, job uuid, channel text, recipient text, status text, reason text, reason_code text,
                                           attempts integer, at timestamptz) returns void
  language sql security definer set search_path = public, pg_temp
as $$
  select store_webhook_activity(workspace, 'delivery.' || report_delivery.status, coalesce(at, now()), json_build_object(
           'delivery_id', delivery, 'job_id', job, 'reminder_id', j.reminder_id, 'name', left(j.name, 200), 'channel', channel,
           'recipient', recipient, 'status', report_delivery.status, 'reason', left(reason, 500), 'reason_code', report_delivery.reason_code,
           'attempts', report_delivery.attempts, 'scheduled_for', instant_text(j.scheduled_for), 'is_test', j.type = 'test_reminder'),
           hops_of(j))
    from jobs j
   where j.id = job and j.workspace_id = workspace
$$;

create or replace function report_jobs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if has_webhooks(new.workspace_id) then
    perform store_webhook_activity(new.workspace_id, 'job.' || new.status, coalesce(new.completed_at, new.paused_at, new.updated_at),
              json_build_object(
                'job_id', new.id, 'reminder_id', new.reminder_id, 'name', left(new.name, 200), 'status', new.status,
                'reason', left(new.error_message, 500), 'reason_code', new.reason_code,
                'scheduled_for', instant_text(new.scheduled_for), 'is_test', new.type = 'test_reminder'),
              hops_of(new));
  end if;
  return null;
end
$$;
