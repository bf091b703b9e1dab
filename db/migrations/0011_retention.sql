-- What is deleted with time. The engine may not read these tables: it asks these functions, which run as the owner and keep
-- what is young, whatever they are asked for. Each deletes at most `batch` rows, and returns how many.

-- By the age of the row or by its expiry. The policies `owner_deletes` of these tables let it.
create function delete_expired(source text, before timestamptz, batch integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  instant text;
  youngest timestamptz;
  gone integer;
begin
  select r.instant, now() - r.kept_for into instant, youngest
    from (values ('idempotency_keys', 'created_at', interval '1 day'),
                 ('audit_log', 'created_at', interval '365 days'),
                 ('received_reports', 'received_at', interval '365 days'),
                 ('auth_sessions', 'expires_at', interval '0'),
                 ('auth_verifications', 'expires_at', interval '0'),
                 ('request_counts', 'expires_at', interval '0')) as r (name, instant, kept_for)
   where r.name = source;
  if instant is null then
    raise exception '% is not deleted by age', source;
  end if;
  execute format('delete from %I where ctid = any (array(select ctid from %I where %I < $1 limit $2))', source, source, instant)
    using least(before, youngest), batch;
  get diagnostics gone = row_count;
  return gone;
end
$$;

-- Events of which nothing is left. Their keys can be used again from then on.
create function delete_old_events(workspace uuid, before timestamptz, batch integer) returns integer
  language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from events
     where ctid = any (array(select e.ctid from events e
                              where e.workspace_id = workspace and e.created_at < least(before, now() - interval '30 days')
                                and not exists (select from jobs j where j.event_id = e.id)
                                and not exists (select from event_payloads p where p.event_id = e.id)
                              limit batch))
    returning 1
  )
  select count(*)::integer from gone
$$;

-- Looks at the next payloads after this one, and deletes those that no job needs any more: neither one that is there, nor
-- one that left with its reminder and may be restored with it.
create function delete_unused_payloads(after uuid, page integer) returns table (seen integer, last uuid, gone integer)
  language sql security definer set search_path = public, pg_temp
as $$
  with page as (
    select event_id, workspace_id from event_payloads where event_id > after order by event_id limit page
  ), gone as (
    delete from event_payloads p
     using page
     where p.event_id = page.event_id
       and not exists (select from jobs j where j.event_id = p.event_id)
       and not exists (select from reminders r
                        where r.workspace_id = p.workspace_id and r.status = 'deleted'
                          and r.deleted_jobs @> jsonb_build_array(jsonb_build_object('event_id', p.event_id)))
    returning 1
  )
  select (select count(*)::integer from page), (select event_id from page order by event_id desc limit 1), (select count(*)::integer from gone)
$$;

-- Reminders deleted before this, with their hooks and events; their jobs stay on record, and belong to no reminder any more.
create function purge_deleted_reminders(before timestamptz, batch integer) returns integer
  language sql security definer set search_path = public, pg_temp
as $$
  with gone as (
    delete from reminders
     where id = any (array(select id from reminders
                            where status = 'deleted' and deleted_at < least(before, now() - interval '1 hour')
                            order by deleted_at limit batch
                              for update skip locked))
    returning 1
  )
  select count(*)::integer from gone
$$;

revoke all on function delete_expired, delete_old_events, delete_unused_payloads, purge_deleted_reminders from public;
grant execute on function delete_expired, delete_old_events, delete_unused_payloads, purge_deleted_reminders to cuebird_engine;
