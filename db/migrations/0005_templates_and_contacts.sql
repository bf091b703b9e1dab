-- What a workspace writes once and uses again: texts, their coloured categories, and the people to whom it writes.

-------------------------------------------------------------------------------------------------------------- templates

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
comment on table template_categories is 'A name and a colour by which templates are grouped.';
create index template_categories_by_name on template_categories (workspace_id, folded(name), id);
alter table template_categories enable row level security, force row level security;
create policy app_workspace on template_categories to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, update, delete on template_categories to cuebird_app;

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
  unique (workspace_id, id),
  foreign key (workspace_id, category_id) references template_categories (workspace_id, id) on delete set null (category_id)
);
comment on table templates is 'A text to be used again.';
create index templates_by_change on templates (workspace_id, updated_at desc, id desc);
create index templates_of_category on templates (workspace_id, category_id) where category_id is not null;
create index templates_public on templates (folded(name), id) where is_public;
alter table templates enable row level security, force row level security;
create policy app_workspace on templates to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy show_public on templates for select to current_user using (is_public);
grant select, insert, update, delete on templates to cuebird_app;

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
alter table template_versions enable row level security, force row level security;
create policy app_workspace on template_versions to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, update, delete on template_versions to cuebird_app;

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

--------------------------------------------------------------------------------------------------------------- contacts

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
  unique (workspace_id, id),
  unique (workspace_id, phone),
  unique (workspace_id, email_key),
  check (num_nonnulls(name, email, phone) > 0),
  check ((email is null) = (email_key is null))
);
comment on table contacts is 'A person to whom a workspace writes: name, how to reach them, zone, and values for messages. A reminder names addresses and numbers; the contact is found by them when it is sent.';
create index contacts_by_name on contacts (workspace_id, sort_key, id);
alter table contacts enable row level security, force row level security;
create policy app_workspace on contacts to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on contacts for select to cuebird_engine using (true);
grant select, insert, update, delete on contacts to cuebird_app;
grant select on contacts to cuebird_engine;

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
alter table suppressions enable row level security, force row level security;
create policy app_workspace on suppressions to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
create policy engine_read on suppressions for select to cuebird_engine using (true);
grant select, insert, update, delete on suppressions to cuebird_app;
grant select on suppressions to cuebird_engine;
