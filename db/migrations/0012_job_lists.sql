-- Lists and counts of jobs by what they are found by. The status itself can be in no index: a claim and its result change
-- it, and would have to touch that index twice for each job. What ends badly is rare enough to be entered in one.

alter table jobs add failed_at timestamptz, add cancelled_at timestamptz;

-- Whoever ends a job, without knowing of it; those that end well do not come here.
create function note_bad_end() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  new.failed_at := case when new.status = 'failed' then coalesce(new.failed_at, new.completed_at, now()) end;
  new.cancelled_at := case when new.status = 'cancelled' then coalesce(new.cancelled_at, new.completed_at, now()) end;
  return new;
end
$$;
create trigger jobs_begin_badly before insert on jobs for each row
  when (new.status in ('failed', 'cancelled')) execute function note_bad_end();
create trigger jobs_end_badly before update on jobs for each row
  when (old.status is distinct from new.status and (new.status in ('failed', 'cancelled') or old.status in ('failed', 'cancelled')))
  execute function note_bad_end();

alter table jobs no force row level security;
update jobs set failed_at = coalesce(completed_at, updated_at) where status = 'failed';
update jobs set cancelled_at = coalesce(completed_at, updated_at) where status = 'cancelled';
alter table jobs force row level security;

alter table jobs
  add check ((status = 'failed') = (failed_at is not null)),
  add check ((status = 'cancelled') = (cancelled_at is not null));
create index jobs_failed on jobs (workspace_id, id) where failed_at is not null;
create index jobs_cancelled on jobs (workspace_id, id) where cancelled_at is not null;
create index jobs_held_back on jobs (workspace_id, id) where paused_at is not null;

-- What workers have in hand. A claim spans workspaces, so a request sees its own through this alone.
create function running_jobs() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
as $$
  select j.id
    from claims c
   cross join lateral unnest(c.job_ids) as taken (id)
    join jobs j on j.id = taken.id
   where j.workspace_id = current_workspace_id() and j.status = 'running' and j.claim_id = c.id
$$;
revoke all on function running_jobs from public;
grant execute on function running_jobs to cuebird_app;
