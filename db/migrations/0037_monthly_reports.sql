-- An address that gets a report of the last month at the beginning of each month: of a workspace, of one of its reminders, or of a group of its people.
create table monthly_reports (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null,
  reminder_id uuid,
  group_id uuid,
  address text not null check (address <> '' and octet_length(address) <= 320),
  -- The key of its mailbox, which tells two spellings of one address.
  address_key text not null,
  created_by uuid not null,
  created_at timestamptz not null,
  -- The first day of the last month whose report is mailed, or is not to be: of a new subscription the month before the last.
  reported_month date not null,
  -- Until when one process alone mails the next report, or nobody tries it again.
  next_attempt_at timestamptz,
  unique (workspace_id, id),
  unique nulls not distinct (workspace_id, reminder_id, group_id, address_key),
  check (reminder_id is null or group_id is null),
  -- It ends with whom it is about, and with the membership of who made it.
  foreign key (workspace_id, created_by) references workspace_members (workspace_id, user_id) on delete cascade,
  foreign key (workspace_id, reminder_id) references reminders (workspace_id, id) on delete cascade,
  foreign key (workspace_id, group_id) references contact_groups (workspace_id, id) on delete cascade
);
comment on table monthly_reports is 'Who gets a monthly report by mail.';
create index on monthly_reports (reported_month, id);
create index on monthly_reports (workspace_id, created_by);
create index on monthly_reports (workspace_id, reminder_id) where reminder_id is not null;
create index on monthly_reports (workspace_id, group_id) where group_id is not null;
alter table monthly_reports enable row level security, force row level security;
create policy app_workspace on monthly_reports to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_all on monthly_reports to cuebird_engine using (true) with check (true);
grant select, insert, delete on monthly_reports to cuebird_app;
grant update (address, address_key) on monthly_reports to cuebird_app;
grant select, delete on monthly_reports to cuebird_engine;
grant update (reported_month, next_attempt_at) on monthly_reports to cuebird_engine;

-- Whether whoever made a subscription may still have reports mailed: they are an owner or admin, and not suspended.
create function may_mail_reports(workspace uuid, person uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  select exists (select from workspace_members m join profiles p on p.id = m.user_id
                  where m.workspace_id = workspace and m.user_id = person and m.role in ('owner', 'admin') and p.suspended_at is null)
$$;
revoke all on function may_mail_reports from public;
grant execute on function may_mail_reports to cuebird_engine;

-- What a run came to for some of its people, each counted as `counts_of_run` does.
create function counts_of_people(workspace uuid, job uuid, at timestamptz, among uuid[])
  returns table (outcome text, reason_code text, reason_params jsonb, count integer)
  language sql stable rows 5
as $$
  with people as (
    select distinct on (d.contact_id)
           case when d.status in ('accepted', 'delivered') then 'reached' when d.status in ('queued', 'sending', 'waiting') then 'waiting'
                when d.status = 'skipped' then 'skipped' else 'failed' end as outcome,
           d.reason_code, d.reason_params
      from deliveries d
     where d.workspace_id = workspace and d.job_id = job and d.scheduled_for = at and d.contact_id = any (among)
     order by d.contact_id, d.status in ('accepted', 'delivered') desc, d.status in ('queued', 'sending', 'waiting') desc,
              d.completed_at desc nulls last, d.status = 'skipped', d.id desc
  )
  select outcome, unreached.reason_code, unreached.reason_params, count(*)::integer
    from people
   cross join lateral (
     select case when outcome in ('failed', 'skipped') then people.reason_code end as reason_code,
            case when outcome in ('failed', 'skipped') then people.reason_params end as reason_params) unreached
   group by outcome, unreached.reason_code, unreached.reason_params
$$;
revoke all on function counts_of_people from public;
grant execute on function counts_of_people to cuebird_app;
