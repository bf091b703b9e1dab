-- The demo of whoever started the installation has no end and counts in the figures, as any workspace does: the console names it as a demo, as it does its account.
create or replace function workspace_entry(wanted uuid)
  returns table (id uuid, name text, description text, created_at timestamptz, subscription_tier text, subscription_status text,
                 delete_after timestamptz, suspended_at timestamptz, member_count integer, owner_name text, owner_email text, is_demo boolean)
  language sql stable set search_path = public, pg_temp
as $$
  select w.id, w.name, w.description, w.created_at, w.subscription_tier, w.subscription_status, w.delete_after, w.suspended_at,
         (select count(*)::integer from workspace_members m where m.workspace_id = w.id), o.full_name, o.email,
         w.demo_until is not null or o.is_demo is true
    from workspaces w
    left join lateral (select p.full_name, p.email, p.is_demo from workspace_members m join profiles p on p.id = m.user_id
                        where m.workspace_id = w.id and m.role = 'owner' order by m.joined_at, p.id limit 1) o on true
   where w.id = wanted
$$;
