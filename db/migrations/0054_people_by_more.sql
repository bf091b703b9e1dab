-- Contacts are found by the beginnings of their values too, rules ask for language, timezone and preferred channel, and lists have letters without a
-- decomposition with those that they are written for: the order in which people look names up.

-- The values of a contact that a search finds, after a blank: 40 characters of each, 200 of all.
create function searched_values(variables jsonb) returns text
  language sql immutable strict parallel safe
  return (select coalesce(' ' || left(string_agg(left(value, 40), ' ' order by key), 200), '') from jsonb_each_text(variables));

-- The fields of a contact by the names that rules have for them, as rules compare them.
create function field_keys_of(language text, timezone text, preferred_channel text) returns jsonb
  language sql immutable parallel safe
  return jsonb_strip_nulls(jsonb_build_object(
    'language', match_key(language), 'timezone', match_key(timezone), 'preferredchannel', match_key(preferred_channel)));

-- As text is sorted in lists. Not by a collation of ICU: an index in its order is wrong after an upgrade of that library, until it is built anew.
create function sorted_as(value text) returns text
  language sql immutable strict parallel safe
  return translate(replace(replace(replace(replace(folded(value), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th'), 'łøđðħıŧŋ', 'loddhitn');

-- In one statement, so that the table is written once, and the indexes in the new order are built with it.
alter table contacts
  alter column search_text set expression as (folded(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || searched_values(variables))),
  alter column value_keys set expression as (value_keys_of(variables) || field_keys_of(language, timezone, preferred_channel)),
  alter column sort_key set expression as (left(sorted_as(coalesce(name, email, phone)), 200));

create or replace function set_last_name_key() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  new.last_name_key := left(sorted_as(new.last_name), 200);
  return new;
end
$$;

alter table contacts no force row level security;
update contacts set last_name_key = left(sorted_as(last_name), 200)
 where last_name is not null and last_name_key is distinct from left(sorted_as(last_name), 200);
alter table contacts force row level security;
