-- Deliveries and jobs report to webhooks (0067_webhooks.sql) row by row. The tables of changed rows that a statement's trigger reads copy
-- each row, before and after, also while no workspace has a webhook. Who writes many rows asks once for all of them whether a workspace
-- has a webhook, and sets `cuebird.has_no_webhooks` for its transaction if none has.

drop trigger deliveries_inserted_reported on deliveries;
drop trigger deliveries_updated_reported on deliveries;
drop trigger jobs_reported on jobs;

create function has_webhooks(workspace uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from webhooks where workspace_id = workspace and is_active and disabled_at is null)
$$;

create or replace function report_deliveries() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if has_webhooks(new.workspace_id) then
    perform report_delivery(new.workspace_id, new.id, new.job_id, new.channel, new.recipient, new.status, new.reason, new.reason_code,
                            new.attempts, new.completed_at);
  end if;
  return null;
end
$$;
create trigger deliveries_inserted_reported after insert on deliveries
  for each row
  when (new.status in ('accepted', 'delivered', 'failed', 'skipped', 'unknown')
        and coalesce(current_setting('cuebird.has_no_webhooks', true), '') <> 'on')
  execute function report_deliveries();
create trigger deliveries_updated_reported after update on deliveries
  for each row
  when (new.status in ('accepted', 'delivered', 'failed', 'skipped', 'unknown') and old.status <> new.status
        and coalesce(current_setting('cuebird.has_no_webhooks', true), '') <> 'on')
  execute function report_deliveries();

create or replace function report_jobs() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if has_webhooks(new.workspace_id) then
    perform store_webhook_event(new.workspace_id, 'job.' || new.status, coalesce(new.completed_at, new.paused_at, new.updated_at),
              json_build_object(
                'job_id', new.id, 'reminder_id', new.reminder_id, 'name', left(new.name, 200), 'status', new.status,
                'reason', left(new.error_message, 500), 'reason_code', new.reason_code,
                'scheduled_for', instant_text(new.scheduled_for), 'is_test', new.type = 'test_reminder'));
  end if;
  return null;
end
$$;
create trigger jobs_reported after update on jobs
  for each row
  when (new.status in ('completed', 'failed', 'cancelled', 'paused') and old.status <> new.status
        and coalesce(current_setting('cuebird.has_no_webhooks', true), '') <> 'on')
  execute function report_jobs();

revoke all on function report_deliveries, report_jobs, has_webhooks from public;
