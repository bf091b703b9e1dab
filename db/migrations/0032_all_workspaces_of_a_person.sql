-- What is asked of all workspaces of a person, in one statement each: somebody may belong to hundreds. Both functions run with the caller's
-- rights and enter one workspace after the other, as its requests do.

-- The workspaces that have no other owner, but for those that are being deleted. With `locks`, changes to the members of all workspaces
-- that the person owns wait from here on; in one order for everybody, so that two owners who leave at once wait for each other.
create function workspaces_owned_alone(locks boolean) returns table (id uuid, name text, other_members integer)
  language plpgsql set search_path = public, pg_temp
as $$
declare
  owned record;
begin
  for owned in
    select w.id, w.name from workspaces w join workspace_members m on m.workspace_id = w.id
     where m.user_id = current_user_id() and m.role = 'owner' and w.delete_after is null
     order by w.id
  loop
    perform set_config('app.workspace_id', owned.id::text, true);
    if locks then
      perform from workspaces w where w.id = owned.id for no key update;
    end if;
    return query
      select owned.id, owned.name, (count(*) - 1)::integer from workspace_members m where m.workspace_id = owned.id
      having count(*) filter (where m.role = 'owner') <= 1;
  end loop;
  perform set_config('app.workspace_id', '', true);
end
$$;
revoke all on function workspaces_owned_alone from public;
grant execute on function workspaces_owned_alone to cuebird_app;

-- What these workspaces store about the person: their newest acts, but for those on their account, which every workspace has; and the
-- browsers that get push messages.
create function own_records(workspace_ids uuid[], most integer) returns table (workspace_id uuid, acts jsonb, push_devices jsonb)
  language plpgsql set search_path = public, pg_temp
as $$
declare
  one uuid;
begin
  foreach one in array workspace_ids loop
    perform set_config('app.workspace_id', one::text, true);
    return query select one,
      (select coalesce(jsonb_agg(to_jsonb(a)), '[]')
         from (select created_at, action, target, details, client_address from audit_log l
                where l.workspace_id = one and l.actor_id = current_user_id() and l.account_id is null
                order by created_at desc, l.id desc limit most) a),
      (select coalesce(jsonb_agg(to_jsonb(p)), '[]')
         from (select endpoint, created_at from push_subscriptions s
                where s.workspace_id = one and s.user_id = current_user_id()
                order by created_at desc limit 100) p);
  end loop;
  perform set_config('app.workspace_id', '', true);
end
$$;
revoke all on function own_records from public;
grant execute on function own_records to cuebird_app;
