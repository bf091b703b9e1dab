-- How many messages that people can leave a workspace sends to one address, by day and week.

create table sent_counts (
  workspace_id uuid not null references workspaces on delete cascade,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'webhook')),
  -- As the suppression list has it.
  recipient text not null,
  -- The Monday with which the week begins, in the timezone of the workspace's cap.
  week date not null,
  -- One count for each day from Monday on.
  days smallint[] not null check (cardinality(days) = 7),
  -- How many of them the newest claim counted: PostgreSQL 17 does not return the row as it was before.
  newest smallint not null,
  primary key (workspace_id, channel, recipient, week)
) with (fillfactor = 70);
comment on table sent_counts is 'How many messages to each address were begun on each day of a week, in workspaces that cap them. Deleted two weeks later.';
create index sent_counts_by_week on sent_counts (week);
alter table sent_counts enable row level security, force row level security;
create policy app_read on sent_counts for select to cuebird_app using (workspace_id = current_workspace_id());
create policy engine_all on sent_counts to cuebird_engine using (true) with check (true);
create policy owner_deletes on sent_counts for delete to current_user using (week < now() - interval '14 days');
create policy owner_erases_person on sent_counts to current_user using (workspace_id = erasing_workspace())
  with check (workspace_id = erasing_workspace());
create policy follow_workspace on sent_counts for delete to current_user using (is_workspace_over(workspace_id));
grant select on sent_counts to cuebird_app;
grant select, insert, update on sent_counts to cuebird_engine;

create or replace function expiring_tables() returns table (name text, instant text, kept_for interval)
  language sql immutable set search_path = public, pg_temp
as $$
  values ('idempotency_keys', 'created_at', interval '1 day'),
         ('contact_import_changes', 'imported_at', interval '1 day'),
         ('received_reports', 'received_at', interval '400 days'),
         ('billing_events', 'received_at', interval '60 days'),
         ('suppressions', 'ends_at', interval '0'),
         ('sent_counts', 'week', interval '14 days'),
         ('auth_sessions', 'expires_at', interval '0'),
         ('auth_verifications', 'expires_at', interval '0'),
         ('auth_email_changes', 'expires_at', interval '0'),
         ('request_counts', 'expires_at', interval '0')
$$;

create or replace function delete_workspace(workspace uuid, batch integer) returns boolean
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
  foreach source in array array['jobs', 'webhook_activities', 'events', 'reminders', 'contact_import_changes', 'contacts', 'suppressions', 'sent_counts', 'consents',
                                'consent_texts', 'templates', 'sandbox_messages', 'received_reports', 'idempotency_keys']
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
