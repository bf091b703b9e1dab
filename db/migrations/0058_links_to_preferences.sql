-- A recipient asks for a link to their preferences: a message of its own, which figures leave out as they leave out tests.
alter table jobs
  drop constraint jobs_type_check,
  add constraint jobs_type_check check (type in ('reminder', 'event_reminder', 'test_reminder', 'api_notification', 'preferences_link'));

create index jobs_uncounted on jobs (workspace_id, id) where type in ('test_reminder', 'preferences_link');
drop index jobs_tests;

-- Each function that leaves out tests leaves out these, too. Whether a message is a test ('is_test') stays what it was.
do $$
declare
  reading record;
begin
  for reading in
    select pg_get_functiondef(oid) as text from pg_proc
     where pronamespace = 'public'::regnamespace and prokind = 'f' and prosrc ~ 'type <> ''test_reminder'''
  loop
    execute replace(replace(reading.text,
      'type <> ''test_reminder''', 'type not in (''test_reminder'', ''preferences_link'')'),
      'and type = ''test_reminder'')', 'and type in (''test_reminder'', ''preferences_link''))');
  end loop;
end
$$;
