-- What became of a recipient before the row's last word, and the text that an occurrence was sent with after its reminder was
-- edited. Neither is written where nothing is tried twice and nothing is edited.

alter table deliveries
  -- When the outcome came of an attempt that was not the last word; of every other one that is `completed_at`.
  add answered_at timestamptz,
  -- Oldest first: what the row said before it said something else.
  add past jsonb;

-- The history of a row that is about to say something else. What only waits, and was not tried since, has nothing to tell;
-- who retries without end keeps the beginning.
create function past_of(d deliveries) returns jsonb
  language sql stable
as $$
  select case
    when d.status in ('queued', 'sending')
      or d.status = 'waiting' and d.attempts = coalesce((d.past -> -1 ->> 'attempt')::int, 0)
      or jsonb_array_length(d.past) >= 60 then d.past
    else coalesce(d.past, '[]') || jsonb_strip_nulls(jsonb_build_object(
      'attempt', d.attempts, 'status', d.status, 'began', d.last_attempt_at, 'answered', greatest(d.answered_at, d.completed_at),
      'reason', d.reason, 'channel', d.channel_id, 'provider', d.provider, 'answer', d.provider_answer, 'next', d.next_attempt_at))
    end
$$;

create table reminder_texts (
  workspace_id uuid not null,
  reminder_id uuid not null,
  revision integer not null,
  -- Without the recipients, who stand in the ledger.
  content jsonb not null,
  timezone text not null,
  primary key (workspace_id, reminder_id, revision),
  foreign key (workspace_id, reminder_id) references reminders (workspace_id, id) on delete cascade
);

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

alter table reminder_texts enable row level security;
alter table reminder_texts force row level security;
create policy app_workspace on reminder_texts to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, delete on reminder_texts to cuebird_app;
