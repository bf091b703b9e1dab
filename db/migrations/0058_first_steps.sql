-- The list of first steps on a member's dashboard goes when they are done, or when the member dismisses it.
alter table workspace_members add column first_steps_dismissed_at timestamptz;
comment on column workspace_members.first_steps_dismissed_at is 'Since when the member does not want to see the first steps of the workspace; null until then.';
grant update (first_steps_dismissed_at) on workspace_members to cuebird_app;
