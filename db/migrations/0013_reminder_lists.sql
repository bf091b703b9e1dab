-- Reminders by name and by status, a page at a time; and reminders that are deleted, which a person may take back for a day.

-- A deleted reminder keeps its row, so that what was sent still belongs to it and nothing is sent twice when it comes back.
-- It is in no list, waits for no event and plans nothing: whoever asks for active ones does not find it.
alter table reminders drop constraint reminders_status_check;
alter table reminders
  add constraint reminders_status_check check (status in ('active', 'paused', 'draft', 'deleted')),
  add deleted_at timestamptz,
  add deleted_from text check (deleted_from in ('active', 'paused', 'draft')),
  -- What had not begun, whole rows of `jobs`: they leave the queue with the reminder and come back with it.
  add deleted_jobs jsonb,
  add check ((status = 'deleted') = (deleted_at is not null)),
  add check ((deleted_at is null) = (deleted_from is null) and (deleted_at is null) = (deleted_jobs is null));

alter table reminders
  add sort_key text not null generated always as (left(folded(name), 200)) stored,
  -- The higher, the more it needs somebody's eye.
  add status_rank smallint not null generated always as (case status when 'active' then 3 when 'paused' then 2 else 1 end) stored;
create index reminders_by_name on reminders (workspace_id, sort_key, id) where status <> 'deleted';
create index reminders_by_status on reminders (workspace_id, status_rank, id) where status <> 'deleted';
create index reminders_deleted on reminders (deleted_at) where status = 'deleted';

-- Reminders deleted before this, with their hooks and events; their jobs stay on record, and belong to no reminder any more.
create function forget_deleted_reminders(before timestamptz, batch integer) returns integer
  language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from reminders
     where id = any (array(select id from reminders
                            where status = 'deleted' and deleted_at < least(before, now() - interval '1 hour')
                            order by deleted_at limit batch
                              for update skip locked))
    returning 1
  )
  select count(*)::integer from gone
$$;
revoke all on function forget_deleted_reminders from public;
grant execute on function forget_deleted_reminders to cuebird_engine;

-- Forced policies bind the owner too, as whom the function runs.
do $$
begin
  execute format('create policy forget_the_deleted on reminders for delete to %I using (status = ''deleted'')', current_user);
  execute format('create policy lock_the_deleted on reminders for update to %I using (status = ''deleted'')', current_user);
end
$$;
