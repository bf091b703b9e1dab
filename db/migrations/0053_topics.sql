-- What a message is about. People may leave an optional topic; a required one reaches them for a contract, a law or their safety.

create table topics (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  external_id uuid,
  name text not null check (btrim(name) <> '' and char_length(name) <= 60),
  kind text not null check (kind in ('optional', 'required')),
  why text check (why in ('contract', 'law', 'safety')),
  is_default boolean not null default false,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id),
  check ((kind = 'required') = (why is not null)),
  -- Who accepts what is preselected sends nothing that people cannot leave.
  check (not is_default or (kind = 'optional' and archived_at is null))
);
comment on table topics is 'Topics of messages. Never deleted: reminders, jobs and suppressions go on naming them.';
comment on column topics.why is 'Why a required topic cannot be left; its messages say so.';
create unique index one_topic_of_a_name on topics (workspace_id, match_key(name)) where archived_at is null;
create unique index one_default_topic on topics (workspace_id) where is_default;
create index topics_imported on topics (workspace_id, external_id) where external_id is not null;
alter table topics enable row level security, force row level security;
create policy app_workspace on topics to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on topics for select to cuebird_engine using (true);
grant select, insert on topics to cuebird_app;
grant update (name, kind, why, is_default, archived_at, updated_at) on topics to cuebird_app;
grant select on topics to cuebird_engine;

-- What people could leave never becomes something that they cannot.
create function keep_topic_optional() returns trigger
  language plpgsql
as $$
begin
  raise exception 'an optional topic never becomes required' using errcode = 'check_violation';
end
$$;
create trigger topics_stay_optional before update of kind on topics
  for each row when (old.kind = 'optional' and new.kind = 'required') execute function keep_topic_optional();

create index reminders_of_topic on reminders (workspace_id, (content ->> 'topic_id')) where content ->> 'topic_id' is not null;

-- Without a rewrite: what is there covers everything, as it did.
alter table suppressions
  add column covers text not null default 'everything' check (covers in ('everything', 'optional', 'topic')),
  add column topic_id uuid,
  add check ((covers = 'topic') = (topic_id is not null)),
  -- Who stopped a number, cannot be reached or complained gets nothing at all.
  add check (covers = 'everything' or reason in ('unsubscribed', 'manual')),
  add foreign key (workspace_id, topic_id) references topics (workspace_id, id) on delete cascade;
comment on column suppressions.covers is 'What is not sent: everything, the messages of optional topics, or those of one topic. A required topic is covered by everything alone.';
alter table suppressions drop constraint suppressions_workspace_id_channel_recipient_key;
create unique index one_suppression on suppressions (workspace_id, channel, recipient, covers, topic_id) nulls not distinct;
create index suppressions_of_topic on suppressions (workspace_id, topic_id) where topic_id is not null;
grant update (covers, topic_id) on suppressions to cuebird_app;

create or replace function report_suppressions() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  listening uuid[] := workspaces_with_webhooks();
begin
  if cardinality(listening) = 0 then
    return null;
  end if;
  perform store_webhook_activity(n.workspace_id,
            case when n.reason in ('unsubscribed', 'stopped') then 'recipient.unsubscribed' else 'recipient.suppressed' end,
            n.created_at, json_build_object('channel', n.channel, 'recipient', n.recipient, 'reason', n.reason, 'covers', n.covers,
                                            'topic_id', n.topic_id, 'topic_name', t.name))
     from added n
     left join topics t on t.workspace_id = n.workspace_id and t.id = n.topic_id
    where n.workspace_id = any (listening);
  return null;
end
$$;
