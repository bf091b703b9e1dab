-- What people write: reminders, the texts that they had when they were sent, and the addresses of their hooks.

create table reminders (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (btrim(name) <> '' and char_length(name) <= 100),
  description text check (char_length(description) <= 500),
  status text not null check (status in ('active', 'paused', 'draft', 'deleted')),
  -- Read whole with every claim and never searched: json is returned as it was written, jsonb would be written anew.
  schedule_config json not null,
  content json not null,
  metadata json not null,
  -- Raised by every edit: what was prepared from an older revision does not go out.
  revision integer not null default 1,
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- A deleted reminder keeps its row, so that what was sent still belongs to it and nothing is sent twice when it is restored.
  -- It is in no list, waits for no event and plans nothing.
  deleted_at timestamptz,
  deleted_from text check (deleted_from in ('active', 'paused', 'draft')),
  -- What had not begun, whole rows of `jobs`: they leave the queue with the reminder and are restored with it.
  deleted_jobs jsonb,
  sort_key text not null generated always as (left(folded(name), 200)) stored,
  -- The higher, the more it needs attention.
  status_rank smallint not null generated always as (case status when 'active' then 3 when 'paused' then 2 else 1 end) stored,
  -- Null: paused until somebody resumes it.
  paused_until timestamptz,
  -- What the file of a workspace called it that it was imported from. Not unique: a deleted reminder keeps its own for a day.
  external_id uuid,
  unique (workspace_id, id),
  check ((status = 'deleted') = (deleted_at is not null)),
  check ((deleted_at is null) = (deleted_from is null) and (deleted_at is null) = (deleted_jobs is null)),
  -- Without a trigger it would be shown as active and could never send.
  constraint active_has_trigger check (
    coalesce(deleted_from, status) <> 'active' or schedule_config ->> 'type' <> 'event-based' or schedule_config ->> 'eventTrigger' is not null
  ),
  constraint only_a_pause_has_an_end check (paused_until is null or coalesce(deleted_from, status) = 'paused')
);
comment on table reminders is 'What a person wrote, when it is sent and to whom. A deleted one stays for a day, to be restored.';
create index reminders_by_age on reminders (workspace_id, created_at desc, id desc);
create index reminders_by_name on reminders (workspace_id, sort_key, id) where status <> 'deleted';
create index reminders_by_status on reminders (workspace_id, status_rank, id) where status <> 'deleted';
create index reminders_deleted on reminders (deleted_at) where status = 'deleted';
create index reminders_paused_until on reminders (paused_until, id) where status = 'paused' and paused_until is not null;
create index reminders_by_trigger on reminders (workspace_id, (schedule_config ->> 'eventTrigger'))
  where status = 'active' and schedule_config ->> 'type' = 'event-based';
create index reminders_of_template on reminders (workspace_id, (metadata ->> 'template_id'), id)
  where metadata ->> 'template_id' is not null;
create index reminders_imported on reminders (workspace_id, external_id) where external_id is not null;
-- Deleting an account empties this column, here and in other tables that hold much.
create index on reminders (created_by) where created_by is not null;
alter table reminders enable row level security, force row level security;
create policy app_workspace on reminders to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on reminders for select to cuebird_engine using (true);
create policy owner_deletes on reminders for delete to current_user using (status = 'deleted');
create policy owner_locks on reminders for update to current_user using (status = 'deleted');
grant select, insert, delete on reminders to cuebird_app;
grant update (name, description, status, schedule_config, content, metadata, revision, updated_at, deleted_at, deleted_from, deleted_jobs,
              paused_until) on reminders to cuebird_app;
grant select on reminders to cuebird_engine;

create table reminder_texts (
  workspace_id uuid not null,
  reminder_id uuid not null,
  revision integer not null,
  -- Without the recipients, who are in the ledger.
  content jsonb not null,
  timezone text not null,
  primary key (workspace_id, reminder_id, revision),
  foreign key (workspace_id, reminder_id) references reminders (workspace_id, id) on delete cascade
);
comment on table reminder_texts is 'What a reminder said before an edit, where an occurrence was sent with it. Written by a trigger alone.';
alter table reminder_texts enable row level security, force row level security;
create policy app_workspace on reminder_texts to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, delete on reminder_texts to cuebird_app;

-- An edit keeps what was sent; texts of which nothing is left in the ledger go with the next edit.
create function keep_reminder_text() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  -- Apart, because each has an index of its own.
  if exists (select from jobs j where j.reminder_id = old.id and j.type = 'reminder' and j.revision = old.revision and j.started_at is not null)
    or exists (select from jobs j where j.reminder_id = old.id and j.type <> 'reminder' and j.revision = old.revision and j.started_at is not null)
  then
    insert into reminder_texts (workspace_id, reminder_id, revision, content, timezone)
    values (old.workspace_id, old.id, old.revision, old.content::jsonb - 'recipients', coalesce(old.schedule_config ->> 'timezone', 'UTC'))
    on conflict do nothing;
  end if;
  delete from reminder_texts t
   where t.workspace_id = old.workspace_id and t.reminder_id = old.id and t.revision < old.revision
     and not exists (select from jobs j where j.reminder_id = old.id and j.type = 'reminder' and j.revision = t.revision)
     and not exists (select from jobs j where j.reminder_id = old.id and j.type <> 'reminder' and j.revision = t.revision);
  return null;
end
$$;
create trigger reminders_keep_texts after update of revision on reminders for each row
  when (old.revision <> new.revision) execute function keep_reminder_text();

create table reminder_hooks (
  workspace_id uuid not null,
  reminder_id uuid not null,
  -- Raised to make the addresses before it worthless.
  generation integer not null default 0 check (generation >= 0),
  sealed_secret text,
  updated_at timestamptz not null default now(),
  calls bigint not null default 0 check (calls >= 0),
  primary key (workspace_id, reminder_id),
  foreign key (workspace_id, reminder_id) references reminders (workspace_id, id) on delete cascade
);
comment on table reminder_hooks is 'The address of a reminder''s hook is derived from these numbers and the installation''s key. No row: the first address, no secret.';
comment on column reminder_hooks.calls is 'How many calls were answered; numbers the rows of hook_calls.';
alter table reminder_hooks enable row level security, force row level security;
create policy app_workspace on reminder_hooks to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy owner_reseals on reminder_hooks for update to current_user using (true);
grant select, insert on reminder_hooks to cuebird_app;
grant update (generation, sealed_secret, updated_at, calls) on reminder_hooks to cuebird_app;
