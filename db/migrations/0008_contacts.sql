-- Whom a workspace writes to again and again: their name, how they are reached, their zone, and their own values for
-- messages. A reminder still names addresses and numbers; a contact is found by them at the moment of sending.

-- As people compare text: neither case nor accents count.
create function folded(value text) returns text
  language sql immutable strict parallel safe
  return lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g'));

create table contacts (
  id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspaces on delete cascade,
  name text check (btrim(name) <> '' and char_length(name) <= 200),
  -- Both as the ledger compares recipients: an address in lower case, a number as it is dialled (E.164).
  email text check (email = lower(email) and char_length(email) between 3 and 320),
  phone text check (phone ~ '^\+[0-9]{3,15}$'),
  -- An IANA name.
  timezone text check (char_length(timezone) between 1 and 64),
  -- The contact's own values by their names, each a text.
  variables jsonb not null default '{}' check (jsonb_typeof(variables) = 'object' and octet_length(variables::text) <= 65536),
  created_by uuid references profiles on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sort_key text not null generated always as (left(folded(coalesce(name, email, phone)), 200)) stored,
  search_text text not null generated always as (folded(coalesce(name, '') || ' ' || coalesce(email, '') || ' ' || coalesce(phone, ''))) stored,
  unique (workspace_id, id),
  unique (workspace_id, email),
  unique (workspace_id, phone),
  check (num_nonnulls(name, email, phone) > 0)
);
create index contacts_by_name on contacts (workspace_id, sort_key, id);

alter table contacts enable row level security;
alter table contacts force row level security;
create policy app_workspace on contacts to cuebird_app using (workspace_id = current_workspace_id())
  with check (workspace_id = current_workspace_id());
grant select, insert, update, delete on contacts to cuebird_app;
create policy engine_read on contacts for select to cuebird_engine using (true);
grant select on contacts to cuebird_engine;

-- The suppression list as its screen shows it, the newest first.
create index suppressions_by_age on suppressions (workspace_id, created_at desc, id desc);
