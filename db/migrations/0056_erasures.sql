-- Erasing what is kept about a person: their address and number, in every table of a workspace.

create table erasures (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  -- The addresses and numbers, and the contacts that had them; null once they are erased.
  sealed_people text,
  -- In whose place they stand, from then on, in the ledger and on the suppression list: '#' and a keyed hash.
  hashes text[] not null check (cardinality(hashes) between 1 and 100),
  -- How the person asked for it, as a member wrote it down.
  asked_how text not null check (char_length(asked_how) between 1 and 200),
  asked_by uuid references profiles on delete set null,
  asked_at timestamptz not null,
  -- First attempts are only in a claim until their outcome: what was under way is erased once those claims have ended.
  first_pass_at timestamptz,
  done_at timestamptz,
  -- How many rows of which table.
  counts jsonb not null default '{}' check (octet_length(counts::text) <= 4000),
  -- Reminders and templates whose own text names the person, which only their author can mend.
  named_in jsonb not null default '[]' check (octet_length(named_in::text) <= 8000),
  check ((done_at is null) = (sealed_people is not null)),
  check (done_at is null or first_pass_at is not null)
);
comment on table erasures is 'Requests to erase what is kept about a person. Without their address, once that is done.';
create index erasures_of_workspace on erasures (workspace_id, id);
create index erasures_under_way on erasures (asked_at) where done_at is null;

create table erasure_secrets (
  workspace_id uuid primary key references workspaces on delete cascade,
  sealed_secret text not null
);
comment on table erasure_secrets is 'The key of the hashes in place of erased addresses. Without it nobody can try numbers until one fits.';

alter table erasures enable row level security, force row level security;
alter table erasure_secrets enable row level security, force row level security;
create policy app_workspace on erasures to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy app_workspace on erasure_secrets to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy owner_erases on erasures to current_user using (true) with check (true);
create policy owner_erases on erasure_secrets to current_user using (true) with check (true);
create policy engine_read on erasure_secrets for select to cuebird_engine using (true);
grant select (id, workspace_id, hashes, asked_how, asked_by, asked_at, first_pass_at, done_at, counts, named_in), insert on erasures to cuebird_app;
create policy engine_read on erasures for select to cuebird_engine using (true);
grant select (id, workspace_id, done_at) on erasures to cuebird_engine;
grant select, insert on erasure_secrets to cuebird_app;
grant select on erasure_secrets to cuebird_engine;

alter table suppressions drop constraint suppressions_reason_check;
alter table suppressions add constraint suppressions_reason_check
  check (reason in ('unsubscribed', 'stopped', 'bounced', 'complained', 'manual', 'erased')) not valid;

-- The workspace of whose data the owner erases some, in this transaction; null in every other.
create function erasing_workspace() returns uuid
  language sql stable
  return nullif(current_setting('app.erasing_workspace', true), '')::uuid;

do $$
declare
  name text;
begin
  foreach name in array array['contacts', 'contact_import_changes', 'reminders', 'reminder_texts', 'templates', 'events', 'event_payloads',
                              'webhook_activities', 'idempotency_keys', 'sandbox_messages', 'received_reports', 'suppressions', 'monthly_reports',
                              'notices', 'deliveries', 'totals_misses', 'jobs', 'job_executions', 'consents'] loop
    execute format('create policy owner_erases_person on %I to current_user using (workspace_id = erasing_workspace())
                    with check (workspace_id = erasing_workspace())', name);
  end loop;
end
$$;
