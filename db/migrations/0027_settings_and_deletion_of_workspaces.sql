-- The company's name apart from the workspace's, and the deletion of a workspace with a week in which it can be restored.

-- What messages and pages for recipients call the sender.
alter table workspaces add column company_name text not null
  generated always as (coalesce(nullif(btrim(settings ->> 'companyName'), ''), name)) stored;

-- From when on its data is deleted; null unless an owner has deleted it. Until then nothing of it is sent, and an owner can restore it.
alter table workspaces add column delete_after timestamptz;
create index workspaces_to_delete on workspaces (delete_after) where delete_after is not null;
grant update (delete_after) on workspaces to cuebird_app;

-- A request never deletes the row: `delete_workspace` does.
revoke delete on workspaces from cuebird_app;

-- The public templates of a workspace that is being deleted are shown to nobody.
alter policy show_public on workspaces using (settings -> 'allowPublicTemplates' = 'true' and delete_after is null);
create or replace function public_templates(wanted uuid, pattern text, after_key text, after_id uuid, page integer)
  returns table (id uuid, name text, description text, content json, variables json, workspace_name text, sort_key text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select t.id, t.name, t.description, t.content, t.variables, w.name, folded(t.name)
    from templates t
    join workspaces w on w.id = t.workspace_id
   where t.is_public and w.settings -> 'allowPublicTemplates' = 'true' and w.delete_after is null
     and (wanted is null or t.id = wanted)
     and (pattern is null or folded(t.name || ' ' || t.description) like folded(pattern))
     and (after_key is null or (folded(t.name), t.id) > (after_key, after_id))
   order by folded(t.name), t.id
   limit least(page, 201)
$$;

-- An hour later than the last restore: whoever began to restore it in time has committed by then.
create function is_workspace_over(workspace uuid) returns boolean
  language sql stable set search_path = public, pg_temp
as $$
  select exists (select from workspaces w where w.id = workspace and w.delete_after < now() - interval '1 hour')
$$;

create policy owner_deletes on workspaces for delete to current_user using (delete_after < now() - interval '1 hour');
do $$
declare
  name text;
begin
  foreach name in array array['events', 'reminders', 'contact_import_changes', 'contacts', 'suppressions', 'templates', 'sandbox_messages',
                              'received_reports', 'idempotency_keys']
  loop
    execute format('create policy follow_workspace on %I for delete to current_user using (is_workspace_over(workspace_id))', name);
  end loop;
end
$$;

-- One step of the deletion: at most `batch` rows of one table, what may be many first; at last the workspace, with all that refers to it.
-- Whether there is more; null where the workspace is not to be deleted. It can stop after any step and go on later.
create function delete_workspace(workspace uuid, batch integer) returns boolean
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  source text;
  gone integer;
begin
  if not is_workspace_over(workspace) then
    return null;
  end if;
  -- The ledger and the queue go with their jobs, payloads with their events, texts and hooks with their reminders.
  foreach source in array array['jobs', 'events', 'reminders', 'contact_import_changes', 'contacts', 'suppressions', 'templates',
                                'sandbox_messages', 'received_reports', 'idempotency_keys']
  loop
    execute format('delete from %I where workspace_id = $1 and ctid = any (array(select ctid from %I where workspace_id = $1 limit $2))',
                   source, source)
      using workspace, batch;
    get diagnostics gone = row_count;
    if gone > 0 then
      return true;
    end if;
  end loop;
  delete from workspaces where id = workspace;
  return false;
end
$$;
revoke all on function is_workspace_over, delete_workspace from public;
grant execute on function delete_workspace to cuebird_engine;
