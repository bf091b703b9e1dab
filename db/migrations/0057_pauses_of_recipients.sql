-- Somebody pauses optional messages until a day: an entry of the suppression list that ends.

alter table suppressions add column ends_at timestamptz;
comment on column suppressions.ends_at is 'When a pause ends, from when on the entry covers nothing; null for what does not end. Ended ones are deleted.';

alter table suppressions
  drop constraint suppressions_reason_check,
  add constraint suppressions_reason_check check (reason in ('unsubscribed', 'paused', 'stopped', 'bounced', 'complained', 'manual', 'erased')),
  -- Under this name stands what the list may cover for each reason.
  drop constraint suppressions_check1,
  add constraint suppressions_check1 check (covers = 'everything' or reason in ('unsubscribed', 'paused', 'manual')),
  add constraint only_pauses_end check ((reason = 'paused') = (ends_at is not null)),
  -- Nobody pauses what is required.
  add constraint pauses_cover_optional check (reason <> 'paused' or covers = 'optional');

-- A pause stands beside what somebody has left: when that is taken back, the pause goes on.
create unique index one_entry on suppressions (workspace_id, channel, recipient, covers, topic_id, (ends_at is not null)) nulls not distinct;
drop index one_suppression;
alter index one_entry rename to one_suppression;
create index suppressions_ended on suppressions (ends_at) where ends_at is not null;
grant update (ends_at, created_at) on suppressions to cuebird_app;
create policy owner_deletes on suppressions for delete to current_user using (ends_at < now());

create or replace function expiring_tables() returns table (name text, instant text, kept_for interval)
  language sql immutable set search_path = public, pg_temp
as $$
  values ('idempotency_keys', 'created_at', interval '1 day'),
         ('contact_import_changes', 'imported_at', interval '1 day'),
         ('received_reports', 'received_at', interval '400 days'),
         ('billing_events', 'received_at', interval '60 days'),
         ('suppressions', 'ends_at', interval '0'),
         ('auth_sessions', 'expires_at', interval '0'),
         ('auth_verifications', 'expires_at', interval '0'),
         ('auth_email_changes', 'expires_at', interval '0'),
         ('request_counts', 'expires_at', interval '0')
$$;

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
            case when n.reason in ('unsubscribed', 'stopped') then 'recipient.unsubscribed'
                 when n.reason = 'paused' then 'recipient.paused' else 'recipient.suppressed' end,
            case when tg_op = 'INSERT' then n.created_at else now() end, json_build_object('channel', n.channel, 'recipient', n.recipient, 'reason', n.reason, 'covers', n.covers,
                                            'topic_id', n.topic_id, 'topic_name', t.name, 'ends_at', instant_text(n.ends_at)))
     from added n
     left join topics t on t.workspace_id = n.workspace_id and t.id = n.topic_id
    where n.workspace_id = any (listening) and (tg_op = 'INSERT' or n.reason = 'paused');
  return null;
end
$$;
-- A pause that somebody moves to another day.
create trigger pauses_reported after update on suppressions
  referencing new table as added for each statement execute function report_suppressions();
