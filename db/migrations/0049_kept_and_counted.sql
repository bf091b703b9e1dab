-- What providers reported is kept for 400 days: a reply of more than a year ago must not count as new. The list is otherwise that of before.
create or replace function expiring_tables() returns table (name text, instant text, kept_for interval)
  language sql immutable set search_path = public, pg_temp
as $$
  values ('idempotency_keys', 'created_at', interval '1 day'),
         ('contact_import_changes', 'imported_at', interval '1 day'),
         ('received_reports', 'received_at', interval '400 days'),
         ('billing_events', 'received_at', interval '60 days'),
         ('auth_sessions', 'expires_at', interval '0'),
         ('auth_verifications', 'expires_at', interval '0'),
         ('auth_email_changes', 'expires_at', interval '0'),
         ('request_counts', 'expires_at', interval '0')
$$;

-- Quarters with messages over WhatsApp are added up again: whoever is listed by one number for both channels is one person by now.
insert into totals_marks (workspace_id, quarter)
  select workspace_id, quarter from totals_misses where channel = 'whatsapp'
   union
  select workspace_id, quarter from totals_channels where channel = 'whatsapp';
