-- The engine reads calendars that fail with only a part of its readers.
grant select (failures) on calendar_sources to cuebird_engine;
