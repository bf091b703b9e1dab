-- Finding jobs by the people to whom they went.

-- The jobs that went to these contacts, and to these addresses; newest first. An address with an owner counts as that contact's: a
-- delivery to another contact that is still there is not found by it. Reads the latest `each` deliveries per contact and address. Runs
-- as the owner, as deliveries_to_person does and for its reason; the workspace is that of the request.
create function jobs_to_people(contacts uuid[], addresses text[], owners uuid[], since timestamptz, until timestamptz, each integer,
                               most integer)
  returns setof uuid
  language sql stable security definer set search_path = public, pg_temp rows 200
as $$
  select job_id
    from (select d.job_id
            from unnest(contacts) as own (id)
           cross join lateral (
             select d.job_id
               from deliveries d
              where d.workspace_id = current_workspace_id() and d.contact_id = own.id
                and d.scheduled_for >= coalesce(since, '-infinity') and d.scheduled_for < coalesce(until, 'infinity')
              order by d.id desc limit each) d
           union
          select d.job_id
            from unnest(addresses, owners) as own (address, owner)
           cross join lateral (
             select d.job_id
               from deliveries d
              where d.workspace_id = current_workspace_id() and address_hash(d.recipient) = address_hash(own.address)
                and lower(normalize(d.recipient, nfkc)) = lower(normalize(own.address, nfkc))
                and d.channel not in ('slack', 'push') and d.recipient not like 'http%://%'
                and (own.owner is null or d.contact_id is null or d.contact_id <> own.owner and not exists (
                       select from contacts c where c.workspace_id = d.workspace_id and c.id = d.contact_id))
                and d.scheduled_for >= coalesce(since, '-infinity') and d.scheduled_for < coalesce(until, 'infinity')
              order by d.id desc limit each) d) found
   order by job_id desc limit most
$$;
revoke all on function jobs_to_people from public;
grant execute on function jobs_to_people to cuebird_app;
