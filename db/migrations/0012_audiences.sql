-- Whom a reminder reaches beside the addresses that it lists: tags and groups of contacts.

------------------------------------------------------------------------------------------------------------------- tags

-- What is compared: neither case, accents nor blanks around it count.
create function match_key(value text) returns text
  language sql immutable strict parallel safe
  return btrim(folded(value));

-- The name of a value is the same name in any case, with and without underscores.
create function name_key(value text) returns text
  language sql immutable strict parallel safe
  return replace(lower(value), '_', '');

create function tag_keys_of(tags text[]) returns text[]
  language sql immutable strict parallel safe
  return array(select match_key(tag) from unnest(tags) as tag order by 1);

create function value_keys_of(variables jsonb) returns jsonb
  language sql immutable strict parallel safe
  return (select coalesce(jsonb_object_agg(name_key(key), match_key(value) order by key), '{}') from jsonb_each_text(variables));

-- At most 20 tags of 1 to 50 characters, none twice.
create function are_tags(tags text[]) returns boolean
  language sql immutable strict parallel safe
  return cardinality(tags) <= 20
     and not exists (select from unnest(tags) as tag where tag is null or match_key(tag) = '' or char_length(tag) > 50)
     and cardinality(tags) = (select count(distinct match_key(tag)) from unnest(tags) as tag);

alter table contacts
  add column tags text[] not null default '{}' check (are_tags(tags)),
  add column tag_keys text[] not null generated always as (tag_keys_of(tags)) stored,
  -- The contact's values as rules compare them.
  add column value_keys jsonb not null generated always as (value_keys_of(variables)) stored;

----------------------------------------------------------------------------------------------------------------- groups

create table contact_groups (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (btrim(name) <> '' and char_length(name) <= 100),
  -- {"match": "all" | "any", "conditions": [{"test": …}]}, as in src/contract/contact-groups.ts.
  rule jsonb not null check (jsonb_typeof(rule -> 'conditions') = 'array' and jsonb_array_length(rule -> 'conditions') between 1 and 10
                             and rule ->> 'match' in ('all', 'any')),
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sort_key text not null generated always as (match_key(name)) stored,
  unique (workspace_id, id),
  unique (workspace_id, sort_key)
);
comment on table contact_groups is 'Contacts that meet a rule over tags and values. Who that is, is asked whenever it matters; nobody is stored.';
alter table contact_groups enable row level security, force row level security;
create policy app_workspace on contact_groups to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on contact_groups for select to cuebird_engine using (true);
grant select, insert, update, delete on contact_groups to cuebird_app;
grant select on contact_groups to cuebird_engine;

-- The contacts that meet each of these rules, by the rule's position from 1. One pass over the contacts, whose values are
-- decompressed once each. src/domain/contact-rule.ts says the same in TypeScript; a test compares them.
create function contacts_by_rules(workspace uuid, rules jsonb) returns table (id uuid, rule integer)
  language sql stable
as $$
  with conditions as materialized (
    select r.at::integer as rule, r.value ->> 'match' as match, k ->> 'test' as test, match_key(k ->> 'tag') as tag,
           name_key(k ->> 'variable') as variable, match_key(k ->> 'value') as value
      from jsonb_array_elements(rules) with ordinality as r (value, at)
     cross join lateral jsonb_array_elements(r.value -> 'conditions') as k
  )
  select c.id, met.rule
    from contacts c
   cross join lateral (select c.value_keys || '{}' as values offset 0) as own
   cross join lateral (
     select k.rule
       from conditions k
      cross join lateral (
        select case k.test when 'has_tag' then array[k.tag] <@ c.tag_keys
                           when 'lacks_tag' then not array[k.tag] <@ c.tag_keys
                           when 'is' then coalesce(own.values ->> k.variable = k.value, false)
                           when 'is_not' then own.values ->> k.variable is distinct from k.value
                           when 'contains' then coalesce(strpos(own.values ->> k.variable, k.value) > 0, false)
                           else false end as is_met
      ) as judged
      group by k.rule, k.match
     having case k.match when 'any' then bool_or(judged.is_met) else bool_and(judged.is_met) end
   ) as met
   where c.workspace_id = workspace
$$;

-- The people of an audience, each once, with the way in which they belong to it: the most particular one. `among` narrows
-- it to these contacts. A group or a contact that is gone adds nobody.
create function audience_of(workspace uuid, everyone boolean, groups uuid[], tags text[], picked uuid[], among uuid[])
  returns table (id uuid, name text, email text, phone text, through text)
  language sql stable
as $$
  with wanted as materialized (
    select match_key(tag) as key, min(tag) as tag from unnest(tags) as tag group by 1
  ), ways as (
    select c.id, 1 as rank, 'contact' as through
      from contacts c
     where c.workspace_id = workspace and c.id = any (picked)
    union all
    select m.id, 2, 'group ' || chosen.names[m.rule]
      from (select array_agg(g.name order by g.id) as names, jsonb_agg(g.rule order by g.id) as rules
              from contact_groups g
             where g.workspace_id = workspace and g.id = any (groups)) as chosen
     cross join lateral contacts_by_rules(workspace, chosen.rules) as m
    union all
    select c.id, 3, 'tag ' || (select min(w.tag) from wanted w where array[w.key] <@ c.tag_keys)
      from contacts c
     where c.workspace_id = workspace and cardinality(tags) > 0 and c.tag_keys && array(select key from wanted)
    union all
    select c.id, 4, 'everyone'
      from contacts c
     where c.workspace_id = workspace and everyone
  ), people as (
    select distinct on (w.id) w.id, w.through from ways w where among is null or w.id = any (among) order by w.id, w.rank, w.through
  )
  select c.id, c.name, c.email, c.phone, p.through
    from people p
    join contacts c on c.workspace_id = workspace and c.id = p.id
$$;

----------------------------------------------------------------------------------------------------------------- ledger

alter table deliveries
  -- Whose address this was, for people of an audience. Kept when the contact is deleted.
  add column contact_id uuid,
  -- The way in which they belonged to it: 'contact', 'group …', 'tag …' or 'everyone'. Null for a recipient that the reminder lists.
  add column through text;
