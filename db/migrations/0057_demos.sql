-- Demos that are entered from the landing page without an account: a person and a workspace for a day. Such a workspace sends into the
-- sandbox only. The account behind the demo link of the terminal is none of these: it stays.

alter table profiles add column demo_until timestamptz, add check (demo_until is null or is_demo);
comment on column profiles.demo_until is 'When the demo of this visitor ends, with the account; null for everybody else.';
create index on profiles (demo_until) where demo_until is not null;
grant select (demo_until) on profiles to cuebird_app;

alter table workspaces add column demo_until timestamptz;
comment on column workspaces.demo_until is 'When the demo ends, with its data; null unless a visitor of the demo created it. It sends into the sandbox only.';
create index on workspaces (demo_until) where demo_until is not null;

-- What a visitor of the demo creates is a demo: no request says so, and none can say otherwise.
create function begin_demo() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  new.demo_until := coalesce(new.demo_until, (select p.demo_until from profiles p where p.id = current_user_id()));
  return new;
end
$$;
revoke all on function begin_demo from public;
create trigger begin_demo before insert on workspaces for each row execute function begin_demo();

-- A visitor belongs to demos only, and nobody else to a demo: neither would otherwise end with the day.
create function keep_demos_apart() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  if exists (select from profiles p join workspaces w on w.id = new.workspace_id
              where p.id = new.user_id and (p.demo_until is null) <> (w.demo_until is null)) then
    raise exception 'A visitor of the demo belongs to demos only, and nobody else to a demo' using errcode = 'check_violation';
  end if;
  return new;
end
$$;
revoke all on function keep_demos_apart from public;
create trigger keep_demos_apart before insert on workspace_members for each row execute function keep_demos_apart();

-- Ends what is over: the accounts at once, with their sessions; of the workspaces the deletion begins, as of any other.
create policy owner_ends_demo on profiles for delete to current_user using (demo_until < now());
create policy owner_ends_demo on workspaces for update to current_user using (demo_until < now()) with check (demo_until < now());
create function end_demos(before timestamptz, batch integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  gone integer;
begin
  -- Nobody waits to restore them, so the time for that has passed already.
  update workspaces set delete_after = demo_until - interval '1 hour'
   where demo_until < least(before, now()) and delete_after is distinct from demo_until - interval '1 hour';
  delete from profiles
   where id = any (array(select id from profiles where demo_until < least(before, now()) order by demo_until limit batch));
  get diagnostics gone = row_count;
  return gone;
end
$$;
revoke all on function end_demos from public;
grant execute on function end_demos to cuebird_engine;

-- The figures of an installation are about its people: demos, and what was made up for them, are left out.
create or replace function installation_figures(day_begin timestamptz, day_end timestamptz, since timestamptz)
  returns table (users integer, workspaces integer, sent integer, failed integer, completed_jobs integer, failed_jobs integer)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  perform assert_administrator();
  return query
    -- Two counts of indexes, where a condition would read every account.
    select (select count(*) from profiles)::integer - (select count(*) from profiles where demo_until is not null)::integer, count(*)::integer, coalesce(sum(f.sent), 0)::integer,
           coalesce(sum(f.failed), 0)::integer, coalesce(sum(f.completed_jobs), 0)::integer, coalesce(sum(f.failed_jobs), 0)::integer
      from workspaces w cross join lateral figures_of_workspace(w.id, day_begin, day_end, since) f
     where w.demo_until is null;
end
$$;

create or replace function installation_growth(first_day date, last_day date) returns table (day date, people integer, workspaces integer)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare
  starts timestamptz := first_day::timestamp at time zone 'UTC';
  ends timestamptz := (last_day + 1)::timestamp at time zone 'UTC';
begin
  perform assert_administrator();
  return query
    select n.day, count(*) filter (where n.is_person)::integer, count(*) filter (where not n.is_person)::integer
      from (select (p.created_at at time zone 'UTC')::date as day, true as is_person
              from profiles p where p.created_at >= starts and p.created_at < ends and p.demo_until is null
            union all
            select (w.created_at at time zone 'UTC')::date, false
              from workspaces w where w.created_at >= starts and w.created_at < ends and w.demo_until is null) n
     group by n.day
     order by n.day;
end
$$;

create or replace function executions_of_installation(since timestamptz, most integer)
  returns table (id uuid, workspace_id uuid, workspace text, job_id uuid, job text, type text, status text, started_at timestamptz,
                 duration_ms integer, error_message text)
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  perform assert_administrator();
  return query
    select e.id, e.workspace_id, e.workspace, j.id, j.name, j.type, e.status, e.started_at, e.duration_ms, e.error_message
      from (select l.*, w.name as workspace
              from workspaces w cross join lateral latest_executions(w.id, since, most) l
             where w.demo_until is null
             order by l.started_at desc, l.id desc limit least(most, 100)) e
     cross join lateral (select * from jobs where id = e.job_id offset 0) j
     order by e.started_at desc, e.id desc;
end
$$;
