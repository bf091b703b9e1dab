-- Who is no contact is found by the key of the ledger: the index of addresses would read all messages to the address.
create or replace function missed_message(contact uuid, over text, address text, due timestamptz)
  returns table (channel text, recipient text, name text, reason text)
  language plpgsql stable security definer set search_path = public, pg_temp rows 1
as $$
#variable_conflict use_column
begin
  if contact is not null then
    return query
      select d.channel, d.recipient, d.recipient_name, d.reason
        from deliveries d join jobs j on j.id = d.job_id and j.scheduled_for = d.scheduled_for
       where d.workspace_id = current_workspace_id() and d.contact_id = contact and d.scheduled_for = due
         and d.status in ('failed', 'unknown', 'skipped') and j.type <> 'test_reminder'
       order by d.id desc limit 1;
  else
    return query
      select d.channel, d.recipient, d.recipient_name, d.reason
        from jobs j join deliveries d on d.job_id = j.id and d.scheduled_for = j.scheduled_for
       where j.workspace_id = current_workspace_id() and j.scheduled_for = due and j.type <> 'test_reminder'
         and d.scheduled_for = due and d.channel = over and d.recipient = address and d.contact_id is null
         and d.status in ('failed', 'unknown', 'skipped')
       order by d.id desc limit 1;
  end if;
end
$$;
