-- A request may change only the columns that some request changes: never a plan, an id, or the workspace of a row.
--
-- A right on a whole table includes its later columns and beats what is revoked of a column: it is revoked first. From here on a
-- migration that adds a column which requests write grants it to cuebird_app by name, on update, and on insert where that is listed too.

revoke insert, update on workspaces, workspace_members, workspace_invitations, api_keys from cuebird_app;
revoke update on request_counts, idempotency_keys, push_subscriptions, reminder_hooks, events, pictures from cuebird_app;
-- Nothing of these is ever changed by a request.
revoke update on suppressions, template_versions, job_executions from cuebird_app;

-- The plan has its default until whoever runs the installation sets it.
grant insert (id, name, slug, description) on workspaces to cuebird_app;
grant update (name, description, avatar_url, settings, reminders_paused_until, delete_after, updated_at) on workspaces to cuebird_app;
grant insert (workspace_id, user_id, role) on workspace_members to cuebird_app;
grant update (role) on workspace_members to cuebird_app;
grant insert (workspace_id, email, role, token_hash, invited_by, created_at, expires_at) on workspace_invitations to cuebird_app;
grant update (role, token_hash, invited_by, created_at, expires_at, declined_at) on workspace_invitations to cuebird_app;
-- A key is never given another role, nor another end: it is revoked.
grant insert (workspace_id, name, role, prefix, token_hash, created_by, created_at, expires_at) on api_keys to cuebird_app;
grant update (revoked_at, last_used_at) on api_keys to cuebird_app;
grant update (used, expires_at) on request_counts to cuebird_app;
grant update (status, answer) on idempotency_keys to cuebird_app;
grant update (user_id, p256dh, auth, created_at) on push_subscriptions to cuebird_app;
grant update (generation, sealed_secret, updated_at) on reminder_hooks to cuebird_app;
grant update (cancelled_at) on events to cuebird_app;
grant update (media_type, sha256, bytes, created_at) on pictures to cuebird_app;

-- What people write: everything but who made it when, and where it belongs.
do $$
declare
  name text;
begin
  foreach name in array array['channels', 'reminders', 'jobs', 'queue', 'deliveries', 'contacts', 'contact_groups', 'contact_imports',
                              'templates', 'template_categories', 'sandbox_simulated_failures']
  loop
    execute format('revoke update on %I from cuebird_app', name);
    execute format('grant update (%s) on %I to cuebird_app',
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
         from pg_attribute a
        where a.attrelid = name::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          and a.attname not in ('id', 'workspace_id', 'created_by', 'created_at')),
      name);
  end loop;
end
$$;

-- Sign-in changes sessions and how people sign in, never whose they are.
do $$
declare
  name text;
begin
  foreach name in array array['auth_sessions', 'auth_accounts']
  loop
    execute format('revoke update on %I from cuebird_auth', name);
    execute format('grant update (%s) on %I to cuebird_auth',
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
         from pg_attribute a
        where a.attrelid = name::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          and a.attname not in ('id', 'user_id', 'created_at')),
      name);
  end loop;
end
$$;

-- Nobody raises their own role, whatever a request asks for. Only the transfer changes one's own, from owner to admin; and a workspace has
-- its first owner from whoever creates it.
create function refuse_own_promotion() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  if tg_op = 'UPDATE' and not (old.role = 'owner' or (old.role = 'admin' and new.role = 'member') or old.role = new.role) then
    raise exception 'Nobody raises their own role' using errcode = 'insufficient_privilege';
  end if;
  if tg_op = 'INSERT' and new.role = 'owner' and exists (select from workspace_members m where m.workspace_id = new.workspace_id) then
    raise exception 'Only the first member of a workspace begins as its owner' using errcode = 'insufficient_privilege';
  end if;
  return new;
end
$$;
create trigger own_role_not_raised before update of role on workspace_members for each row
  when (new.user_id = current_user_id()) execute function refuse_own_promotion();
create trigger owner_begins_alone before insert on workspace_members for each row
  when (new.role = 'owner' and current_user_id() is not null) execute function refuse_own_promotion();
