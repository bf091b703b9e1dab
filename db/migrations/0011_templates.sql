-- Texts that a workspace writes once and uses again, their coloured categories, and what each text said before.

create table template_categories (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null check (btrim(name) <> '' and char_length(name) <= 100),
  description text not null default '' check (char_length(description) <= 500),
  color text not null check (color ~ '^#[0-9a-f]{6}$'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id)
);
create index template_categories_by_name on template_categories (workspace_id, folded(name), id);

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
  -- How often it was used; what counts is told in docs/templates.md.
  usage_count integer not null default 0 check (usage_count >= 0),
  -- The newest of its versions, which says what this row says.
  version integer not null default 1 check (version > 0),
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id),
  foreign key (workspace_id, category_id) references template_categories (workspace_id, id) on delete set null (category_id)
);
create index templates_by_change on templates (workspace_id, updated_at desc, id desc);
create index templates_of_category on templates (workspace_id, category_id) where category_id is not null;
create index templates_public on templates (folded(name), id) where is_public;

-- What a template said after each time it was written.
create table template_versions (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null,
  template_id uuid not null,
  version integer not null check (version > 0),
  name text not null,
  description text not null,
  content json not null,
  variables json not null,
  -- The older version that was taken back with this one.
  restored_from integer,
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  unique (workspace_id, template_id, version),
  foreign key (workspace_id, template_id) references templates (workspace_id, id) on delete cascade
);

-- Which reminders were begun from a template.
create index reminders_of_template on reminders (workspace_id, (metadata ->> 'template_id'), id)
  where metadata ->> 'template_id' is not null;

do $$
declare
  name text;
begin
  foreach name in array array['template_categories', 'templates', 'template_versions'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy app_workspace on %I to cuebird_app using (workspace_id = current_workspace_id())
      with check (workspace_id = current_workspace_id())', name);
    execute format('grant select, insert, update, delete on %I to cuebird_app', name);
  end loop;
  -- Forced policies bind the owner too, as whom the function below runs.
  execute format('create policy show_public on templates for select to %I using (is_public)', current_user);
  execute format('create policy show_public on workspaces for select to %I using (settings -> ''allowPublicTemplates'' = ''true'')', current_user);
end
$$;

-- All that a request may see of another workspace: the public templates of those that allow it, in the order of their
-- names, and the workspace's name. `wanted` asks for one of them. `pattern` is what LIKE takes.
create function public_templates(wanted uuid, pattern text, after_key text, after_id uuid, page integer)
  returns table (id uuid, name text, description text, content json, variables json, workspace_name text, sort_key text)
  language sql stable security definer set search_path = public, pg_temp
as $$
  select t.id, t.name, t.description, t.content, t.variables, w.name, folded(t.name)
    from templates t
    join workspaces w on w.id = t.workspace_id
   where t.is_public and w.settings -> 'allowPublicTemplates' = 'true'
     and (wanted is null or t.id = wanted)
     and (pattern is null or folded(t.name || ' ' || t.description) like folded(pattern))
     and (after_key is null or (folded(t.name), t.id) > (after_key, after_id))
   order by folded(t.name), t.id
   limit least(page, 201)
$$;
revoke all on function public_templates from public;
grant execute on function public_templates to cuebird_app;
