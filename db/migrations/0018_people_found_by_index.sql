-- Who belongs to an audience is found by an index, and no further than the most people of one occurrence.

----------------------------------------------------------------------------------------------------------------- terms

-- A tag or a value of a workspace, as the index of contacts has it. A hash: texts can be too long for an index, and whoever reads by it compares the texts too.
create function tag_term(workspace uuid, tag_key text) returns bigint
  language sql immutable strict parallel safe
  return hashtextextended(workspace::text || ' tag ' || tag_key, 0);

create function value_term(workspace uuid, name text, value text) returns bigint
  language sql immutable strict parallel safe
  return hashtextextended(workspace::text || ' value ' || name || ' ' || value, 0);

create function contact_terms(workspace uuid, tag_keys text[], value_keys jsonb) returns bigint[]
  language sql immutable strict parallel safe
  return array(select tag_term(workspace, tag) from unnest(tag_keys) as tag
               union all
               select value_term(workspace, key, value) from jsonb_each_text(value_keys));

create index contacts_by_term on contacts using gin (contact_terms(workspace_id, tag_keys, value_keys));

-- The functions below run as the owner: the policies of a request rule out an index on a function.
--
-- The workspace, for whoever may read it: a request reads its own, the engine every one. Null for others.
create function readable_workspace(asked uuid) returns uuid
  language sql stable set search_path = public, pg_temp
  return case when asked = current_workspace_id()
                or current_workspace_id() is null and pg_has_role(session_user, 'cuebird_engine', 'member') then asked end;

------------------------------------------------------------------------------------------------------------------ rules

-- Whether the values contain each of these texts, or any of them. $2 and $3 are pairs of a name and a text.
create function values_contain(value_keys jsonb, names text[], texts text[], any_of boolean) returns boolean
  language plpgsql immutable strict parallel safe
as $$
begin
  for at in 1 .. cardinality(names) loop
    if (coalesce(strpos(value_keys ->> names[at], texts[at]), 0) > 0) = any_of then
      return any_of;
    end if;
  end loop;
  return not any_of;
end
$$;

-- The contacts that meet a rule: at most `most` of them in no order, all where that is null. `among` narrows it to these contacts.
-- src/domain/contact-rule.ts says the same in TypeScript; a test compares them.
create function contacts_of_rule(workspace uuid, rule jsonb, among uuid[], most integer) returns table (id uuid)
  language plpgsql stable security definer set search_path = public, pg_temp
  -- A common tag is looked for from contact to contact, a rare one in the index.
  set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  own uuid := readable_workspace(workspace);
  any_of boolean := rule ->> 'match' = 'any';
  has text[];
  lacks text[];
  equal jsonb[];
  unequal jsonb[];
  names text[];
  texts text[];
  terms bigint[];
begin
  select coalesce(array_agg(k.tag) filter (where k.test = 'has_tag'), '{}'),
         coalesce(array_agg(k.tag) filter (where k.test = 'lacks_tag'), '{}'),
         coalesce(array_agg(jsonb_build_object(k.name, k.value)) filter (where k.test = 'is'), '{}'),
         coalesce(array_agg(jsonb_build_object(k.name, k.value)) filter (where k.test = 'is_not'), '{}'),
         coalesce(array_agg(k.name) filter (where k.test = 'contains'), '{}'),
         coalesce(array_agg(k.value) filter (where k.test = 'contains'), '{}'),
         array_agg(case k.test when 'has_tag' then tag_term(own, k.tag) else value_term(own, k.name, k.value) end)
           filter (where k.test in ('has_tag', 'is'))
    into has, lacks, equal, unequal, names, texts, terms
    from (select c ->> 'test' as test, match_key(c ->> 'tag') as tag, name_key(c ->> 'variable') as name, match_key(c ->> 'value') as value
            from jsonb_array_elements(rule -> 'conditions') as c) k;
  if any_of and among is null and terms is not null and lacks || names = '{}' and unequal = '{}' then
    return query
      select c.id from contacts c
       where c.workspace_id = own and contact_terms(c.workspace_id, c.tag_keys, c.value_keys) && terms
         and (c.tag_keys && has or c.value_keys @> any (equal))
       limit most;
  elsif any_of then
    return query
      select c.id from contacts c
       where c.workspace_id = own and (among is null or c.id = any (among))
         and (c.tag_keys && has or c.value_keys @> any (equal) or (lacks <> '{}' and not c.tag_keys @> lacks)
              or (unequal <> '{}' and not c.value_keys @> all (unequal))
              or case cardinality(names) when 0 then false when 1 then coalesce(strpos(c.value_keys ->> names[1], texts[1]), 0) > 0
              else values_contain(c.value_keys, names, texts, true) end)
       limit most;
  elsif among is null and terms is not null then
    return query
      select c.id from contacts c
       where c.workspace_id = own and contact_terms(c.workspace_id, c.tag_keys, c.value_keys) @> terms
         and c.tag_keys @> has and c.value_keys @> all (equal) and not c.tag_keys && lacks and not c.value_keys @> any (unequal)
         and case cardinality(names) when 0 then true when 1 then coalesce(strpos(c.value_keys ->> names[1], texts[1]), 0) > 0
              else values_contain(c.value_keys, names, texts, false) end
       limit most;
  else
    return query
      select c.id from contacts c
       where c.workspace_id = own and (among is null or c.id = any (among))
         and c.tag_keys @> has and c.value_keys @> all (equal) and not c.tag_keys && lacks and not c.value_keys @> any (unequal)
         and case cardinality(names) when 0 then true when 1 then coalesce(strpos(c.value_keys ->> names[1], texts[1]), 0) > 0
              else values_contain(c.value_keys, names, texts, false) end
       limit most;
  end if;
end
$$;
revoke all on function contacts_of_rule from public;
grant execute on function contacts_of_rule to cuebird_app, cuebird_engine;

-------------------------------------------------------------------------------------------------------------- audiences

drop function audience_of;

-- The contacts of an audience, each once, with the way in which they belong to it: the most particular one. `among` narrows it to these
-- contacts. A group or a contact that is gone adds nobody. With `most`, no way is followed further than to so many contacts: an audience that has
-- more is answered with at least so many of them, in no order.
create function audience_of(workspace uuid, everyone boolean, groups uuid[], tags text[], picked uuid[], among uuid[], most integer)
  returns table (id uuid, through text)
  language plpgsql stable security definer set search_path = public, pg_temp
  set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  own uuid := readable_workspace(workspace);
  keys text[] := array(select distinct match_key(named) from unnest(audience_of.tags) as named);
  terms bigint[] := array(select tag_term(own, key) from unnest(keys) as key);
begin
  return query
    with wanted as materialized (
      select match_key(named) as key, min(named) as tag from unnest(audience_of.tags) as named group by 1
    ), ways as (
      select c.id, 1 as rank, 'contact' as through
        from contacts c
       where c.workspace_id = own and c.id = any (picked) and (among is null or c.id = any (among))
      union all
      select m.id, 2, 'group ' || g.name
        from contact_groups g
       cross join lateral contacts_of_rule(own, g.rule, among, most) as m
       where g.workspace_id = own and g.id = any (groups)
      union all
      (select c.id, 3, 'tag ' || (select min(w.tag) from wanted w where w.key = any (c.tag_keys))
         from contacts c
        where among is null and terms <> '{}' and c.workspace_id = own
          and contact_terms(c.workspace_id, c.tag_keys, c.value_keys) && terms and c.tag_keys && keys
        limit most)
      union all
      select c.id, 3, 'tag ' || (select min(w.tag) from wanted w where w.key = any (c.tag_keys))
        from contacts c
       where c.workspace_id = own and c.id = any (among) and c.tag_keys && keys
      union all
      (select c.id, 4, 'everyone' from contacts c where everyone and among is null and c.workspace_id = own limit most)
      union all
      select c.id, 4, 'everyone' from contacts c where everyone and c.workspace_id = own and c.id = any (among)
    )
    select distinct on (w.id) w.id, w.through from ways w order by w.id, w.rank, w.through;
end
$$;
revoke all on function audience_of from public;
grant execute on function audience_of to cuebird_app, cuebird_engine;
