-- What a workspace's plan includes: a trial that a person has once, and how many workspaces of an owner may send.

alter table profiles add column trial_ends_at timestamptz;
comment on column profiles.trial_ends_at is 'When the trial ends that began with the first workspace of the person; null before it.';
alter table workspaces add column trial_ends_at timestamptz;
comment on column workspaces.trial_ends_at is 'Until when it has everything: the end of the trial of whoever created it.';

alter table workspaces no force row level security;
alter table profiles no force row level security;
update profiles p set trial_ends_at = (
  select min(w.created_at) + interval '14 days'
    from workspace_members m join workspaces w on w.id = m.workspace_id
   where m.user_id = p.id and m.role = 'owner');
update workspaces w set trial_ends_at = coalesce(
  (select min(p.trial_ends_at) from workspace_members m join profiles p on p.id = m.user_id where m.workspace_id = w.id and m.role = 'owner'),
  w.created_at + interval '14 days');
alter table workspaces force row level security;
alter table profiles force row level security;
alter table workspaces alter column trial_ends_at set not null;

grant select (trial_ends_at) on profiles to cuebird_app;

create policy owner_begins_trial on profiles for update to current_user using (trial_ends_at is null) with check (trial_ends_at is not null);

create function begin_trial() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
begin
  -- Of two first workspaces at once the second waits here, and finds the trial begun.
  update profiles set trial_ends_at = new.created_at + interval '14 days' where id = current_user_id() and trial_ends_at is null;
  new.trial_ends_at := coalesce(
    new.trial_ends_at,
    (select p.trial_ends_at from profiles p where p.id = current_user_id()),
    new.created_at + interval '14 days');
  return new;
end
$$;
revoke all on function begin_trial from public;
create trigger begin_trial before insert on workspaces for each row execute function begin_trial();

-- Whether the plan of its owner includes other workspaces only. Premium and Enterprise of one workspace include all of its owner; else it is
-- one: a paid one before a free one, an older one before a newer one. A workspace with several owners is included for any of them.
create function is_beyond_plan(wanted uuid) returns boolean
  language sql stable security definer set search_path = public, pg_temp
as $$
  with owned as (
    select m.user_id, w.id, w.subscription_tier, w.created_at
      from workspace_members m
      join workspace_members o on o.user_id = m.user_id and o.role = 'owner'
      join workspaces w on w.id = o.workspace_id and w.delete_after is null
     where m.workspace_id = wanted and m.role = 'owner'
  ), included as (
    select bool_or(subscription_tier in ('premium', 'enterprise'))
           or (array_agg(id order by subscription_tier = 'free', created_at, id))[1] = wanted as is_included
      from owned group by user_id
  )
  select exists (select from included) and not exists (select from included where is_included)
$$;
revoke all on function is_beyond_plan from public;
grant execute on function is_beyond_plan to cuebird_app, cuebird_engine;
