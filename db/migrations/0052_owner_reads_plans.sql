-- `is_beyond_plan` runs as the owner of the database, whom row-level security binds where that is no superuser. Without this it found no
-- workspace there, and no limit.
create policy find_plans on workspaces for select to current_user using (true);
