-- What a person got, and what the runs of a reminder came to.

-- Addresses are the same in any case and width. A hash, because the folded text can be too long for an index.
create function address_hash(address text) returns bigint
  language sql immutable strict parallel safe
  return hashtextextended(lower(normalize(address, nfkc)), 0);

create index deliveries_of_contact on deliveries (workspace_id, contact_id, id) where contact_id is not null;
create index deliveries_to_address on deliveries (workspace_id, address_hash(recipient), id)
  where channel not in ('slack', 'push') and recipient not like 'http%://%';

-- The deliveries to a person, newest first, before the one with this id: those of the contact, and those to one of these
-- addresses, unless they belong to another contact that is still there. Runs as the owner, because the policies of a request rule out the index on a
-- function; the workspace is that of the request.
create function deliveries_to_person(contact uuid, addresses text[], before uuid, only_over text, most integer)
  returns table (id uuid, job_id uuid, scheduled_for timestamptz, channel text, recipient text)
  language sql stable security definer set search_path = public, pg_temp rows 50
as $$
  select *
    from ((select d.id, d.job_id, d.scheduled_for, d.channel, d.recipient
             from deliveries d
            where d.workspace_id = current_workspace_id() and d.contact_id = contact
              and d.id < coalesce(before, 'ffffffff-ffff-ffff-ffff-ffffffffffff') and d.channel = coalesce(only_over, d.channel)
            order by d.id desc limit most)
          union all
          (select d.*
             from unnest(addresses) as own (address)
            cross join lateral (
              select d.id, d.job_id, d.scheduled_for, d.channel, d.recipient
                from deliveries d
               where d.workspace_id = current_workspace_id() and address_hash(d.recipient) = address_hash(own.address)
                 and lower(normalize(d.recipient, nfkc)) = lower(normalize(own.address, nfkc))
                 and d.channel not in ('slack', 'push') and d.recipient not like 'http%://%'
                 and (d.contact_id is null or d.contact_id <> contact and not exists (
                        select from contacts c where c.workspace_id = d.workspace_id and c.id = d.contact_id))
                 and d.id < coalesce(before, 'ffffffff-ffff-ffff-ffff-ffffffffffff') and d.channel = coalesce(only_over, d.channel)
               order by d.id desc limit most) d)) found
   order by id desc limit most
$$;
revoke all on function deliveries_to_person from public;
grant execute on function deliveries_to_person to cuebird_app;

-- In the order of their making, for the runs of a reminder that waits for events.
drop index jobs_of_reminder;
create index jobs_of_reminder on jobs (reminder_id, id) where type <> 'reminder';
