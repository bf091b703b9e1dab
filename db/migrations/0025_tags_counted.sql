-- How many contacts have a tag, or lack it, is known without reading them.

-- The spellings of a tag.
create index contact_words_by_key on contact_words (workspace_id, match_key(word)) where kind = 'tag';

-- How many contacts have the tag, in any spelling: no contact has it twice. Runs as the owner: the policies of a request rule out an index on a function.
create function tagged_contacts(workspace uuid, tag text) returns integer
  language sql stable security definer set search_path = public, pg_temp
as $$
  select coalesce(sum(w.contacts), 0)::integer
    from contact_words w
   where w.workspace_id = readable_workspace(workspace) and w.kind = 'tag' and match_key(w.word) = match_key(tag)
$$;
revoke all on function tagged_contacts from public;
grant execute on function tagged_contacts to cuebird_app;

-- How many contacts meet a rule. A rule of one tag is answered from the counts of tags.
create function count_of_rule(workspace uuid, rule jsonb) returns integer
  language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare
  own uuid := readable_workspace(workspace);
  test text := case jsonb_array_length(rule -> 'conditions') when 1 then rule #>> '{conditions,0,test}' else '' end;
  tag text := rule #>> '{conditions,0,tag}';
begin
  return case test
    when 'has_tag' then tagged_contacts(own, tag)
    when 'lacks_tag' then (select count(*) from contacts c where c.workspace_id = own) - tagged_contacts(own, tag)
    else (select count(*) from contacts_of_rule(own, rule, null, null))
  end;
end
$$;
revoke all on function count_of_rule from public;
grant execute on function count_of_rule to cuebird_app;
