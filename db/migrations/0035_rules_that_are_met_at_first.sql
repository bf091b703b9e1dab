-- The contacts are read for rules that are met without any tag or value only: before, every contact was tried against every rule.
create or replace function contacts_by_rules(workspace uuid, rules jsonb) returns table (id uuid, rule integer)
  language sql stable
  -- The engine's connections look rows up by key, and have it off.
  set enable_hashjoin = on
as $$
  with conditions as materialized (
    select distinct r.at::integer as rule, k ->> 'test' as test, match_key(k ->> 'tag') as tag,
           name_key(k ->> 'variable') as variable, match_key(k ->> 'value') as value,
           case when k ->> 'test' in ('lacks_tag', 'is_not') then -1 else 1 end as change
      from jsonb_array_elements(rules) with ordinality as r (value, at)
     cross join lateral jsonb_array_elements(r.value -> 'conditions') as k
  ), wanted as materialized (
    select k.rule, count(*) filter (where k.change = -1) as met_at_first,
           case rules -> (k.rule - 1) ->> 'match' when 'any' then 1 else count(*) end as needed
      from conditions k group by k.rule
  ), found as (
    select c.id, k.rule, k.change
      from contacts c
     cross join lateral unnest(c.tag_keys) as own (tag)
      join conditions k on k.tag = own.tag
     where c.workspace_id = workspace and k.test in ('has_tag', 'lacks_tag')
    union all
    select c.id, k.rule, k.change
      from contacts c
     cross join lateral jsonb_each_text(c.value_keys) as own (variable, value)
      join conditions k on k.variable = own.variable and k.value = own.value
     where c.workspace_id = workspace and k.test in ('is', 'is_not')
    union all
    select c.id, k.rule, k.change
      from contacts c
     cross join lateral jsonb_each_text(c.value_keys) as own (variable, value)
      join conditions k on k.variable = own.variable
     where c.workspace_id = workspace and k.test = 'contains' and strpos(own.value, k.value) > 0
  ), changed as materialized (
    select f.id, f.rule, sum(f.change) as change from found f group by f.id, f.rule
  )
  select d.id, d.rule
    from changed d
    join wanted w on w.rule = d.rule
   where w.met_at_first + d.change >= w.needed
   union all
  select c.id, w.rule
    from wanted w
   cross join lateral (select id from contacts where workspace_id = workspace and w.met_at_first >= w.needed offset 0) as c
   where not exists (select from changed d where d.id = c.id and d.rule = w.rule)
$$;
