-- What people said about being written to: each word is kept, with the text that they agreed to. The suppression list says what is not sent now.

create table consent_texts (
  workspace_id uuid not null references workspaces on delete cascade,
  -- Of the text's hash, so that all words about one text share it.
  id uuid not null,
  text text not null check (btrim(text) <> '' and char_length(text) <= 4000),
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
comment on table consent_texts is 'Texts that people agreed to. Never changed.';

create table consents (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'webhook')),
  -- As the suppression list has it.
  recipient text not null check (recipient <> '' and char_length(recipient) <= 2000),
  covers text not null default 'everything' check (covers in ('everything', 'optional', 'topic')),
  topic_id uuid,
  kind text not null check (kind in ('asked', 'given', 'withdrawn', 'lifted')),
  method text not null check (method in ('import', 'form', 'api', 'reply', 'page', 'link', 'member')),
  -- 0: said to this workspace, 1: brought along in a workspace file, 2: imported with contacts. A lower one counts before a higher one, at whatever time.
  precedence smallint not null default 0 check (precedence in (0, 1, 2)),
  text_id uuid,
  source jsonb not null default '{}' check (jsonb_typeof(source) = 'object' and octet_length(source::text) <= 8000),
  said_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- Who told, as they were then; the recipients themselves where nobody else did. Filled in by the trigger below.
  actor_id uuid,
  actor_kind text not null default 'recipient' check (actor_kind in ('recipient', 'person', 'api_key')),
  actor_name text,
  actor_email text,
  client_address text check (char_length(client_address) <= 64),
  check ((covers = 'topic') = (topic_id is not null)),
  check (kind <> 'given' or precedence < 2 or text_id is not null),
  foreign key (workspace_id, topic_id) references topics (workspace_id, id) on delete cascade,
  foreign key (workspace_id, text_id) references consent_texts (workspace_id, id) on delete cascade
);
comment on table consents is 'What people said about being written to. It only grows: no row is ever changed.';
comment on column consents.kind is 'asked: a question was sent; given; withdrawn; lifted: an entry was taken off the suppression list by a member or a link, which is no consent.';
-- The newest word of a number. At one instant a withdrawal counts.
create index consents_latest on consents (workspace_id, channel, recipient, precedence, said_at desc, kind desc) include (covers, topic_id)
  where kind in ('given', 'withdrawn');
create index consents_of_recipient on consents (workspace_id, recipient, said_at desc, id desc);
create index consents_by_age on consents (workspace_id, created_at desc, id desc);
create index consents_of_topic on consents (workspace_id, topic_id) where topic_id is not null;
create index consents_of_text on consents (workspace_id, text_id) where text_id is not null;

create trigger name_actor before insert on consents for each row execute function name_actor();

do $$
declare
  grows text;
begin
  foreach grows in array array['consent_texts', 'consents'] loop
    execute format('alter table %I enable row level security, force row level security', grows);
    execute format('create policy app_read on %I for select to cuebird_app using (workspace_id = current_workspace_id())', grows);
    execute format('create policy engine_read on %I for select to cuebird_engine using (true)', grows);
    execute format('create policy follow_workspace on %I for delete to current_user using (is_workspace_over(workspace_id))', grows);
    execute format('grant select on %I to cuebird_app', grows);
  end loop;
end
$$;
create policy app_append on consent_texts for insert to cuebird_app with check (workspace_id = current_workspace_id());
-- Nobody writes in the name of another one.
create policy app_append on consents for insert to cuebird_app with check (
  workspace_id = current_workspace_id() and (actor_id is null or actor_id in (current_user_id(), current_api_key_id())));
grant insert on consent_texts to cuebird_app;
grant insert (id, workspace_id, channel, recipient, covers, topic_id, kind, method, precedence, text_id, source, said_at, created_at, actor_id)
  on consents to cuebird_app;
grant select on consents to cuebird_engine;

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
  foreach source in array array['jobs', 'webhook_activities', 'events', 'reminders', 'contact_import_changes', 'contacts', 'suppressions', 'consents',
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
