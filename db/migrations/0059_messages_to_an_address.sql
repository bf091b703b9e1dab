-- What was sent to an address over a channel since a time, newest first, before the delivery with this id. For the address alone, whatever contact has it. Runs as
-- the owner, as deliveries_to_person does and for its reason; the workspace is that of the request.
create function deliveries_to_address(spellings text[], over_channel text, since timestamptz, before uuid, most integer)
  returns table (id uuid, job_id uuid, scheduled_for timestamptz, recipient text)
  language sql stable security definer set search_path = public, pg_temp rows 20
as $$
  select d.*
    from unnest(spellings) as own (address)
   cross join lateral (
     select d.id, d.job_id, d.scheduled_for, d.recipient
       from deliveries d
      where d.workspace_id = current_workspace_id() and address_hash(d.recipient) = address_hash(own.address)
        and lower(normalize(d.recipient, nfkc)) = lower(normalize(own.address, nfkc))
        and d.channel not in ('slack', 'push') and d.recipient not like 'http%://%'
        and d.channel = over_channel and d.scheduled_for >= since
        and d.id < coalesce(before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      order by d.id desc limit most) d
   order by d.id desc limit most
$$;
revoke all on function deliveries_to_address from public;
grant execute on function deliveries_to_address to cuebird_app;
