-- Reminders over Slack or push alone that named people: nobody of them ever got anything, and no edit of such a reminder was accepted any more. What they named is
-- removed; the other fields stay as they were written.
alter table reminders no force row level security;
update reminders
   set content = (select json_object_agg(key, case key when 'recipients' then '[]'::json else value end order by n)
                    from json_each(content) with ordinality as field (key, value, n)),
       metadata = (select json_object_agg(key, value order by n)
                     from json_each(metadata) with ordinality as field (key, value, n)
                    where key not in ('audience', 'event_recipients'))
 where json_typeof(metadata -> 'channels') = 'array' and json_array_length(metadata -> 'channels') > 0
   and not exists (select from json_array_elements_text(metadata -> 'channels') channel where channel not in ('slack', 'push'))
   and (json_array_length(content -> 'recipients') > 0
        or (metadata -> 'audience') is not null or (metadata -> 'event_recipients') is not null);
-- A cron expression beside a schedule of another type: it was never followed, and is refused from now on.
update reminders
   set schedule_config = (select json_object_agg(key, value order by n)
                            from json_each(schedule_config) with ordinality as field (key, value, n) where key <> 'customCron')
 where (schedule_config -> 'customCron') is not null
   and not (schedule_config ->> 'type' = 'scheduled' and schedule_config ->> 'scheduleType' is not distinct from 'custom');
alter table reminders force row level security;
