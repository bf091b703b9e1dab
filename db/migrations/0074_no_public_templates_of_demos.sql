-- What a stranger writes in a demo is shown to nobody else.
create or replace function public_templates(wanted uuid, pattern text, after_key text, after_id uuid, page integer)
  returns table (id uuid, name text, description text, content json, variables json, workspace_name text, sort_key text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select t.id, t.name, t.description, t.content, t.variables, w.name, folded(t.name)
    from templates t
    join workspaces w on w.id = t.workspace_id
   where t.is_public and w.settings -> 'allowPublicTemplates' = 'true' and w.delete_after is null and w.suspended_at is null
     and w.demo_until is null
     and (wanted is null or t.id = wanted)
     and (pattern is null or folded(t.name || ' ' || t.description) like folded(pattern))
     and (after_key is null or (folded(t.name), t.id) > (after_key, after_id))
   order by folded(t.name), t.id
   limit least(page, 201)
$$;
