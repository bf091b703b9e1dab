-- Contacts in the order of their last names or languages.

-- Kept by triggers, and only where there is a last name: a computed column would write every row anew under the lock.
alter table contacts add column last_name_key text;
comment on column contacts.last_name_key is 'The last name without case and accents, by which lists are sorted; null without one.';

create function set_last_name_key() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  new.last_name_key := left(folded(new.last_name), 200);
  return new;
end
$$;
create trigger key_of_last_name before insert on contacts for each row
  when (new.last_name is not null) execute function set_last_name_key();
create trigger key_of_changed_last_name before update of last_name on contacts for each row
  when (new.last_name is distinct from old.last_name) execute function set_last_name_key();

alter table contacts no force row level security;
update contacts set last_name_key = left(folded(last_name), 200) where last_name is not null;
alter table contacts force row level security;

-- With all contacts, by name within one last name or language: those without one follow the others, and are found by the same index.
create index contacts_by_last_name on contacts (workspace_id, last_name_key, sort_key, id);
create index contacts_by_language on contacts (workspace_id, language, sort_key, id);
