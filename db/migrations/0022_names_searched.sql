-- A text that few or no names contain is found without reading every row.

------------------------------------------------------------------------------------------------------------------- jobs

-- With their names, so that these are searched in the index alone.
drop index jobs_by_age;
create index jobs_by_age on jobs (workspace_id, id) include (name) where archived_at is null;
drop index jobs_archived;
create index jobs_archived on jobs (workspace_id, id) include (name) where archived_at is not null;

--------------------------------------------------------------------------------------------------------------- contacts

-- The parts of a text with three letters, each with its workspace. A hash: whoever reads by it compares the text too. In PL/pgSQL, where it takes a
-- third of the time.
create function part_terms(workspace uuid, value text) returns bigint[]
  language plpgsql immutable strict parallel safe
as $$
declare
  seed bigint := hashtextextended(workspace::text, 0);
begin
  return array(select hashtextextended(substr(value, at, 3), seed) from generate_series(1, char_length(value) - 2) as at);
end
$$;

create index contacts_by_part on contacts using gin (part_terms(workspace_id, search_text));

-- The contacts of the request's workspace with this text in name, address or number, with these digits in their number, or with this
-- address; at most `most` of them, in no order. Text and digits have three characters or more, or are null. Runs as the owner: the policies of a
-- request rule out an index on a function.
create function contacts_with_text(folded_text text, digits text, address_key text, most integer) returns table (id uuid)
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  own uuid := current_workspace_id();
begin
  return query
    (select c.id from contacts c
      where c.workspace_id = own and part_terms(c.workspace_id, c.search_text) @> part_terms(own, folded_text) and strpos(c.search_text, folded_text) > 0
      limit most)
    union
    (select c.id from contacts c
      where c.workspace_id = own and part_terms(c.workspace_id, c.search_text) @> part_terms(own, digits) and strpos(c.phone, digits) > 0
      limit most)
    union
    select c.id from contacts c where c.workspace_id = own and c.email_key = address_key
    limit most;
end
$$;
revoke all on function contacts_with_text from public;
grant execute on function contacts_with_text to cuebird_app;
