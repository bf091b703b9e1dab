-- Subscriptions are payments, and events come in: browsers that take push messages and what webhooks send have names of their own.

alter table push_subscriptions rename to push_browsers;
alter table webhook_events rename to webhook_activities;
alter table webhooks rename column event_types to activity_types;
comment on table webhook_activities is 'An activity for a webhook: it waits to be sent, and then stays as the log. Written with what it tells of, in one transaction.';
alter function store_webhook_event(uuid, text, timestamptz, json) rename to store_webhook_activity;
alter function delete_events_of_webhooks() rename to delete_activities_of_webhooks;
alter trigger webhook_events_follow_webhooks on webhooks rename to webhook_activities_follow_webhooks;

-- Functions, constraints and indexes name the tables.
do $$
declare
  found record;
begin
  for found in
    select pg_get_functiondef(oid) as definition from pg_proc
     where pronamespace = 'public'::regnamespace and prokind = 'f'
       and prosrc ~ '\m(push_subscriptions|webhook_events|store_webhook_event|event_types)\M'
  loop
    execute regexp_replace(regexp_replace(regexp_replace(regexp_replace(found.definition,
      '\mpush_subscriptions\M', 'push_browsers', 'g'), '\mwebhook_events\M', 'webhook_activities', 'g'),
      '\mstore_webhook_event\M', 'store_webhook_activity', 'g'), '\mevent_types\M', 'activity_types', 'g');
  end loop;
  for found in
    select c.relname as table_name, k.conname as name, replace(replace(replace(k.conname,
             'push_subscriptions', 'push_browsers'), 'webhook_events', 'webhook_activities'), 'event_types', 'activity_types') as plain_name
      from pg_constraint k
      join pg_class c on c.oid = k.conrelid
     where c.relname in ('push_browsers', 'webhook_activities', 'webhooks')
  loop
    continue when found.name = found.plain_name;
    execute format('alter table %I rename constraint %I to %I', found.table_name, found.name, found.plain_name);
  end loop;
  for found in
    select i.relname as name, replace(replace(i.relname, 'push_subscriptions', 'push_browsers'), 'webhook_events', 'webhook_activities') as plain_name
      from pg_index x
      join pg_class i on i.oid = x.indexrelid
      join pg_class c on c.oid = x.indrelid
     where c.relname in ('push_browsers', 'webhook_activities')
  loop
    continue when found.name = found.plain_name;
    execute format('alter index %I rename to %I', found.name, found.plain_name);
  end loop;
end
$$;
