-- Each job of a claim is found by its key, and few are expected: with a plain join, and a thousand expected, all jobs of the workspace were read.
create or replace function running_jobs() returns setof uuid
  language sql stable security definer set search_path = public, pg_temp rows 50
as $$
  select j.id
    from claims c
   cross join lateral unnest(c.job_ids) as taken (id)
   cross join lateral (select id, workspace_id, status, claim_id from jobs where id = taken.id offset 0) j
   where j.workspace_id = current_workspace_id() and j.status = 'running' and j.claim_id = c.id
$$;
