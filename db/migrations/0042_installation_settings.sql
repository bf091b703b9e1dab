-- The switches of the installation: every process is told when they change, whoever changes them.
create function announce_installation_settings() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  perform pg_notify('cuebird_settings', '');
  return null;
end
$$;
create trigger announce_installation_settings after insert or update on app_settings for each row
  when (new.key = 'engine.installation_settings') execute function announce_installation_settings();
