-- What administrators search, list and count reads what it answers with, however many people and workspaces there are.

-- The parts of a text of these lengths. Whatever contains a text contains its parts, which a GIN index finds without reading every row.
create function parts_of(value text, lengths integer[]) returns text[]
  language sql immutable strict parallel safe
  return (
    select coalesce(array_agg(distinct substr(value, at, length)), '{}')
      from unnest(lengths) length, generate_series(1, char_length(value) - length + 1) at);

create function searched_parts_of(value text) returns text[]
  language sql immutable strict parallel safe
  return parts_of(value, array[least(3, char_length(value))]);

create index profiles_by_text on profiles using gin (parts_of(folded(full_name || ' ' || email), '{1, 2, 3}'));
create index workspaces_by_text on workspaces using gin (parts_of(folded(name || ' ' || description), '{1, 2, 3}'));

-- Newest first, each with at most 20 memberships. A search is looked for as it is.
drop function people_of_installation;
create function people_of_installation(wanted uuid, search text, before_at timestamptz, before_id uuid, page integer)
  returns table (id uuid, email text, full_name text, is_system_admin boolean, is_demo boolean, email_verified boolean,
                 has_two_factor boolean, suspended_at timestamptz, created_at timestamptz, sessions integer, last_seen_at timestamptz,
                 api_keys integer, memberships json, membership_count integer)
  language plpgsql stable security definer set search_path = public, pg_temp
  -- A common text is looked for among the newest, a rare one in its index.
  set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  last_at timestamptz := coalesce(before_at, 'infinity');
  last_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  most integer := least(page, 201);
  found_ids uuid[];
begin
  perform assert_administrator();
  if wanted is not null then
    found_ids := array[wanted];
  elsif search is null then
    found_ids := array(
      select p.id from profiles p where (p.created_at, p.id) < (last_at, last_id) order by p.created_at desc, p.id desc limit most);
  else
    found_ids := array(
      select p.id from profiles p
       where parts_of(folded(p.full_name || ' ' || p.email), '{1, 2, 3}') @> searched_parts_of(folded(search))
         and strpos(folded(p.full_name || ' ' || p.email), folded(search)) > 0
         and (p.created_at, p.id) < (last_at, last_id)
       order by p.created_at desc, p.id desc limit most);
  end if;
  return query
    select p.id, p.email, p.full_name, p.is_system_admin, p.is_demo, p.email_verified, p.two_factor_enabled, p.suspended_at, p.created_at,
           s.count, s.last_seen_at, live_api_keys_of(p.id), coalesce(m.memberships, '[]'),
           (select count(*)::integer from workspace_members m where m.user_id = p.id)
      from profiles p
     cross join lateral (select count(*)::integer as count, max(a.updated_at) as last_seen_at
                           from auth_sessions a where a.user_id = p.id and a.expires_at > now()) s
     cross join lateral (select json_agg(json_build_object('workspace_id', l.id, 'workspace', l.name, 'role', l.role)) as memberships
                           from (select w.id, w.name, m.role from workspace_members m join workspaces w on w.id = m.workspace_id
                                  where m.user_id = p.id order by m.joined_at desc, w.id limit 20) l) m
     where p.id = any (found_ids)
     order by p.created_at desc, p.id desc;
end
$$;

drop function workspaces_of_installation;
create function workspaces_of_installation(wanted uuid, search text, before_at timestamptz, before_id uuid, page integer)
  returns table (id uuid, name text, description text, created_at timestamptz, subscription_tier text, subscription_status text,
                 delete_after timestamptz, suspended_at timestamptz, member_count integer, owner_name text, owner_email text)
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  last_at timestamptz := coalesce(before_at, 'infinity');
  last_id uuid := coalesce(before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  most integer := least(page, 201);
  found_ids uuid[];
begin
  perform assert_administrator();
  if wanted is not null then
    found_ids := array[wanted];
  elsif search is null then
    found_ids := array(
      select w.id from workspaces w where (w.created_at, w.id) < (last_at, last_id) order by w.created_at desc, w.id desc limit most);
  else
    found_ids := array(
      select w.id from workspaces w
       where parts_of(folded(w.name || ' ' || w.description), '{1, 2, 3}') @> searched_parts_of(folded(search))
         and strpos(folded(w.name || ' ' || w.description), folded(search)) > 0
         and (w.created_at, w.id) < (last_at, last_id)
       order by w.created_at desc, w.id desc limit most);
  end if;
  return query
    select e.* from unnest(found_ids) with ordinality as f (id, place) cross join lateral workspace_entry(f.id) e order by f.place;
end
$$;

-- Found by the memberships, not among all workspaces.
create or replace function own_administered() returns table (id uuid)
  language sql stable set search_path = public, pg_temp
as $$
  select w.id
    from (select m.workspace_id from workspace_members m where m.user_id = current_user_id() and m.role <> 'member' offset 0) o
   cross join lateral (select * from workspaces where id = o.workspace_id offset 0) w
   order by w.created_at desc, w.id desc
$$;

drop function own_workspaces;
create function own_workspaces(search text, before_at timestamptz, before_id uuid, page integer)
  returns table (id uuid, name text, description text, created_at timestamptz, subscription_tier text, subscription_status text,
                 delete_after timestamptz, suspended_at timestamptz, member_count integer, owner_name text, owner_email text)
  language plpgsql set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  one uuid;
begin
  for one in
    select w.id from own_administered() o cross join lateral (select * from workspaces where id = o.id offset 0) w
     where (search is null or strpos(folded(w.name || ' ' || w.description), folded(search)) > 0)
       and (before_id is null or (w.created_at, w.id) < (before_at, before_id))
     order by w.created_at desc, w.id desc limit least(page, 201)
  loop
    perform set_config('app.workspace_id', one::text, true);
    return query select e.* from workspace_entry(one) e;
  end loop;
  perform set_config('app.workspace_id', '', true);
end
$$;

revoke all on function people_of_installation, workspaces_of_installation, own_workspaces from public;
grant execute on function people_of_installation, workspaces_of_installation, own_workspaces to cuebird_app;

-- Everybody counts, as in the number of all people.
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
              from profiles p where p.created_at >= starts and p.created_at < ends
            union all
            select (w.created_at at time zone 'UTC')::date, false
              from workspaces w where w.created_at >= starts and w.created_at < ends) n
     group by n.day
     order by n.day;
end
$$;
