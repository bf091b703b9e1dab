-- What a workspace writes once and uses again: texts, their coloured categories, and the people to whom it writes.
--
-- `external_id` is what the file of a workspace called a row that was imported from it: a second import makes nothing twice, and an export
-- calls it the same again.

-------------------------------------------------------------------------------------------------------------- templates

create table template_categories (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (btrim(name) <> '' and char_length(name) <= 100),
  description text not null default '' check (char_length(description) <= 500),
  color text not null check (color ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  external_id uuid,
  unique (workspace_id, id)
);
comment on table template_categories is 'A name and a colour by which templates are grouped.';
create index template_categories_by_name on template_categories (workspace_id, folded(name), id);
create index template_categories_imported on template_categories (workspace_id, external_id) where external_id is not null;
alter table template_categories enable row level security, force row level security;
create policy app_workspace on template_categories to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, delete on template_categories to cuebird_app;
grant update (name, description, color, updated_at) on template_categories to cuebird_app;

create table templates (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (btrim(name) <> '' and char_length(name) <= 100),
  description text not null default '' check (char_length(description) <= 500),
  category_id uuid,
  -- Shown to everybody on the installation, as long as the workspace allows that.
  is_public boolean not null default false,
  content json not null check (octet_length(content::text) <= 1048576),
  variables json not null check (octet_length(variables::text) <= 1048576),
  -- How often it was used; docs/templates.md says what counts.
  usage_count integer not null default 0 check (usage_count >= 0),
  -- The newest of its versions, which says what this row says.
  version integer not null default 1 check (version > 0),
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  external_id uuid,
  unique (workspace_id, id),
  foreign key (workspace_id, category_id) references template_categories (workspace_id, id) on delete set null (category_id)
);
comment on table templates is 'A text to be used again.';
create index templates_by_change on templates (workspace_id, updated_at desc, id desc);
create index templates_of_category on templates (workspace_id, category_id) where category_id is not null;
create index templates_public on templates (folded(name), id) where is_public;
create index templates_imported on templates (workspace_id, external_id) where external_id is not null;
create index on templates (created_by) where created_by is not null;
alter table templates enable row level security, force row level security;
create policy app_workspace on templates to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy show_public on templates for select to current_user using (is_public);
grant select, insert, delete on templates to cuebird_app;
grant update (name, description, category_id, is_public, content, variables, usage_count, version,
              updated_at) on templates to cuebird_app;

create table template_versions (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null,
  template_id uuid not null,
  version integer not null check (version > 0),
  name text not null,
  description text not null,
  content json not null,
  variables json not null,
  -- The older version that was restored with this one.
  restored_from integer,
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  unique (workspace_id, template_id, version),
  foreign key (workspace_id, template_id) references templates (workspace_id, id) on delete cascade
);
comment on table template_versions is 'What a template said after each time it was written.';
create index on template_versions (created_by) where created_by is not null;
alter table template_versions enable row level security, force row level security;
create policy app_workspace on template_versions to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, delete on template_versions to cuebird_app;

-- All that a request may see of another workspace: the public templates of those that allow it, in the order of their
-- names, and the workspace's name. `wanted` asks for one of them. `pattern` is what LIKE takes. What a stranger writes in a demo is shown to
-- nobody else.
create function public_templates(wanted uuid, pattern text, after_key text, after_id uuid, page integer)
  returns table (id uuid, name text, description text, content json, variables json, workspace_name text, sort_key text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select t.id, t.name, t.description, t.content, t.variables, w.name, folded(t.name)
    from templates t
    join workspaces w on w.id = t.workspace_id
   where t.is_public and w.settings -> 'allowPublicTemplates' = 'true' and w.delete_after is null and w.suspended_at is null
     and w.demo_until is null
     and (wanted is null or t.id = wanted)
     and (pattern is null or folded(t.name || ' ' || t.description) like folded(pattern))
     and (after_key is null or (folded(t.name), t.id) > (after_key, after_id))
   order by folded(t.name), t.id
   limit least(page, 201)
$$;
revoke all on function public_templates from public;
grant execute on function public_templates to cuebird_app;

--------------------------------------------------------------------------------------------------------------- contacts

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

create table contacts (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  name text check (btrim(name) <> '' and char_length(name) <= 200),
  email text check (char_length(email) between 3 and 320),
  -- As it is dialled (E.164).
  phone text check (phone ~ '^\+[0-9]{3,15}$'),
  -- An IANA name.
  timezone text check (char_length(timezone) between 1 and 64),
  -- The contact's own values by their names, each a text.
  variables jsonb not null default '{}' check (jsonb_typeof(variables) = 'object' and octet_length(variables::text) <= 1048576),
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sort_key text not null generated always as (left(folded(coalesce(name, email, phone)), 200)) stored,
  search_text text not null generated always as (folded(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, ''))) stored,
  -- What tells mailboxes apart, computed by src/contract/email-address.ts: two spellings of one mailbox have one key.
  email_key text,
  tags text[] not null default '{}' check (are_tags(tags)),
  tag_keys text[] not null generated always as (tag_keys_of(tags)) stored,
  -- The contact's values as rules compare them.
  value_keys jsonb not null generated always as (value_keys_of(variables)) stored,
  external_id uuid,
  unique (workspace_id, id),
  unique (workspace_id, phone),
  unique (workspace_id, email_key),
  check (num_nonnulls(name, email, phone) > 0),
  check ((email is null) = (email_key is null))
);
comment on table contacts is 'A person to whom a workspace writes: name, how to reach them, zone, and values for messages. A reminder names addresses and numbers; the contact is found by them when it is sent.';
create index contacts_by_name on contacts (workspace_id, sort_key, id);
create index contacts_imported on contacts (workspace_id, external_id) where external_id is not null;
create index on contacts (created_by) where created_by is not null;
alter table contacts enable row level security, force row level security;
create policy app_workspace on contacts to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on contacts for select to cuebird_engine using (true);
grant select, insert, delete on contacts to cuebird_app;
grant update (name, email, phone, timezone, variables, updated_at, email_key, tags) on contacts to cuebird_app;
grant select on contacts to cuebird_engine;

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
  external_id uuid,
  unique (workspace_id, id),
  unique (workspace_id, sort_key)
);
comment on table contact_groups is 'Contacts that meet a rule over tags and values. Who that is, is asked whenever it matters; nobody is stored.';
create index contact_groups_imported on contact_groups (workspace_id, external_id) where external_id is not null;
alter table contact_groups enable row level security, force row level security;
create policy app_workspace on contact_groups to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on contact_groups for select to cuebird_engine using (true);
grant select, insert, delete on contact_groups to cuebird_app;
grant update (name, rule, updated_at) on contact_groups to cuebird_app;
grant select on contact_groups to cuebird_engine;

-- The contacts that meet each of these rules, by the rule's position from 1. Neither contact nor condition is judged against
-- every other: tags and values are joined to the conditions that name them, and a condition that is to be lacking counts
-- as met until it is found. src/domain/contact-rule.ts says the same in TypeScript; a test compares them.
create function contacts_by_rules(workspace uuid, rules jsonb) returns table (id uuid, rule integer)
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

---------------------------------------------------------------------------------------------------------------- imports

create table contact_imports (
  id uuid primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  -- Null for an import by a program.
  imported_by uuid references profiles on delete set null,
  file_name text check (char_length(file_name) between 1 and 255),
  default_country text check (default_country ~ '^[A-Z]{2}$'),
  imported_at timestamptz not null,
  -- An import writes all or nothing. One that no longer reports its progress has died with its process.
  status text not null default 'running' check (status in ('running', 'completed', 'failed')),
  lines integer not null check (lines >= 0),
  lines_done integer not null default 0 check (lines_done between 0 and lines),
  reported_at timestamptz not null,
  -- Of lines, as in ImportCounts of src/contract/contacts.ts.
  counts jsonb check (octet_length(counts::text) <= 1000),
  undone_at timestamptz,
  undone_by uuid references profiles on delete set null,
  -- Of contacts: {"deleted", "restored", "kept"}.
  undo jsonb check (octet_length(undo::text) <= 1000),
  check ((status = 'completed') = (counts is not null)),
  check ((undone_at is null) = (undo is null))
);
comment on table contact_imports is 'The latest imports of contacts.';
create index contact_imports_of_workspace on contact_imports (workspace_id, id);
alter table contact_imports enable row level security, force row level security;
create policy app_workspace on contact_imports to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, delete on contact_imports to cuebird_app;
grant update (imported_by, file_name, default_country, imported_at, status, lines, lines_done, reported_at, counts, undone_at, undone_by,
              undo) on contact_imports to cuebird_app;

create table contact_import_changes (
  workspace_id uuid not null references workspaces on delete cascade,
  import_id uuid not null,
  -- The contact may be gone since.
  contact_id uuid not null,
  -- The contact as it was before; null where the import added it.
  before jsonb check (octet_length(before::text) <= 2097152),
  -- What the import wrote into `contacts.updated_at`: a later one was changed since.
  imported_at timestamptz not null,
  primary key (workspace_id, import_id, contact_id)
);
comment on table contact_import_changes is 'The contacts that an import added or changed, as they were before.';
create index contact_import_changes_by_age on contact_import_changes (imported_at);
alter table contact_import_changes enable row level security, force row level security;
create policy app_workspace on contact_import_changes to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy owner_deletes on contact_import_changes for delete to current_user using (true);
grant select, insert, delete on contact_import_changes to cuebird_app;

create table workspace_imports (
  workspace_id uuid primary key references workspaces on delete cascade,
  import_id uuid not null,
  began_at timestamptz not null,
  -- An import writes all or nothing. One that no longer reports its progress has died with its process.
  status text not null default 'running' check (status in ('running', 'completed', 'failed')),
  items integer not null check (items >= 0),
  items_done integer not null default 0 check (items_done between 0 and items),
  reported_at timestamptz not null
);
comment on table workspace_imports is 'How far the latest import of a workspace file is.';
alter table workspace_imports enable row level security, force row level security;
create policy app_workspace on workspace_imports to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert on workspace_imports to cuebird_app;
grant update (import_id, began_at, status, items, items_done, reported_at) on workspace_imports to cuebird_app;

----------------------------------------------------------------------------------------------------------- suppressions

create table suppressions (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'webhook', 'slack', 'push')),
  -- As the ledger compares recipients: the key of a mailbox, a number as it is dialled.
  recipient text not null check (recipient <> '' and octet_length(recipient) <= 2048),
  reason text not null check (reason in ('unsubscribed', 'stopped', 'bounced', 'complained', 'manual')),
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  unique (workspace_id, channel, recipient)
);
comment on table suppressions is 'Who does not want messages of a workspace, or cannot be reached.';
create index suppressions_by_age on suppressions (workspace_id, created_at desc, id desc);
create index on suppressions (created_by) where created_by is not null;
alter table suppressions enable row level security, force row level security;
create policy app_workspace on suppressions to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on suppressions for select to cuebird_engine using (true);
grant select, insert, delete on suppressions to cuebird_app;
grant select on suppressions to cuebird_engine;
