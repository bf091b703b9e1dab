-- Whether a person got another message is looked up among the messages to this person alone. The planner began with the jobs of the workspace, for
-- each of thousands of people: OFFSET 0 keeps the two apart.
create or replace function has_other_message(contact uuid, over text, address text, since timestamptz, until timestamptz) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
begin
  if contact is not null then
    return exists (
      select from (select d.job_id, d.scheduled_for
                     from deliveries d
                    where d.workspace_id = current_workspace_id() and d.contact_id = contact
                      and d.scheduled_for >= since and d.scheduled_for < until
                      and d.status not in ('failed', 'unknown', 'skipped')
                   offset 0) d
       where exists (select from jobs j where j.id = d.job_id and j.scheduled_for = d.scheduled_for and j.type <> 'test_reminder' offset 0));
  end if;
  return exists (
    select from (select d.job_id, d.scheduled_for
                   from deliveries d
                  where d.workspace_id = current_workspace_id() and address_hash(d.recipient) = address_hash(address)
                    and d.channel not in ('slack', 'push') and d.recipient not like 'http%://%'
                    and d.channel = over and d.recipient = address and d.contact_id is null
                    and d.scheduled_for >= since and d.scheduled_for < until
                    and d.status not in ('failed', 'unknown', 'skipped')
                 offset 0) d
     where exists (select from jobs j where j.id = d.job_id and j.scheduled_for = d.scheduled_for and j.type <> 'test_reminder' offset 0));
end
$$;
