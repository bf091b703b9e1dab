-- Contacts are found by the beginnings of their values too, and rules ask for language, timezone and preferred channel.

-- The values of a contact that a search finds, after a blank: 40 characters of each, 200 of all.
create function searched_values(variables jsonb) returns text
  language sql immutable strict parallel safe
  return (select coalesce(' ' || left(string_agg(left(value, 40), ' ' order by key), 200), '') from jsonb_each_text(variables));

-- The fields of a contact by the names that rules have for them, as rules compare them.
create function field_keys_of(language text, timezone text, preferred_channel text) returns jsonb
  language sql immutable parallel safe
  return jsonb_strip_nulls(jsonb_build_object(
    'language', match_key(language), 'timezone', match_key(timezone), 'preferredchannel', match_key(preferred_channel)));

-- In one statement, so that the table is written once.
alter table contacts
  alter column search_text set expression as (folded(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || searched_values(variables))),
  alter column value_keys set expression as (value_keys_of(variables) || field_keys_of(language, timezone, preferred_channel));
