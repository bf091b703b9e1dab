-- What every other file uses: the three roles, the settings that name a request's workspace and user, and common functions.
--
-- Files 0001 to 0012 are the baseline: the whole schema, by noun, each table with its policies, rights, indexes and triggers.
-- They are never edited; a change is a new file with the next number.
--
-- Three roles, none of which owns a table or passes row-level security:
--   cuebird_app     what HTTP requests run as; sees the workspace and user that the transaction names, nothing else
--   cuebird_engine  what the delivery actors run as; crosses workspaces, on the tables it needs only
--   cuebird_auth    what sign-in runs as; people and their sessions only
-- They are NOLOGIN groups, created before this file runs; each database has login roles of its own that belong to one of them.
--
-- Row-level security is forced on every table, so that it binds the owner as well. Functions that are `security definer` run
-- as the owner: the policies `to current_user` are for them.
--
-- A request may change only the columns that some request changes: never a plan, an id, or the workspace of a row. Update is granted
-- by column, and insert too where the listed columns are fewer than all. A right on a whole table would include its later columns:
-- a migration that adds a column which requests write grants it to cuebird_app by name.

-- PostgreSQL 18 has uuidv7(); 17 gets the same: 48 bits of milliseconds, then random bits (RFC 9562, section 5.7).
do $$
begin
  if current_setting('server_version_num')::integer < 180000 then
    create function uuidv7() returns uuid language sql volatile parallel safe as $f$
      select encode(
        set_bit(set_bit(
          overlay(uuid_send(gen_random_uuid())
            placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
          52, 1), 53, 1), 'hex')::uuid
    $f$;
  end if;
end
$$;

create function current_workspace_id() returns uuid
  language sql stable parallel safe
  -- After a transaction that set it, an unset setting reads as '' and not as null.
  return nullif(current_setting('app.workspace_id', true), '')::uuid;

create function current_user_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.user_id', true), '')::uuid;

create function current_api_key_id() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.api_key_id', true), '')::uuid;

------------------------------------------------------------------------------------------------------------------- text

-- As people compare text: neither case nor accents count.
create function folded(value text) returns text
  language sql immutable strict parallel safe
  return lower(regexp_replace(normalize(value, nfkd), '[\u0300-\u036f]', '', 'g'));

-- What is compared: neither case, accents nor blanks around it count.
create function match_key(value text) returns text
  language sql immutable strict parallel safe
  return btrim(folded(value));

-- The name of a value is the same name in any case, with and without underscores.
create function name_key(value text) returns text
  language sql immutable strict parallel safe
  return replace(lower(value), '_', '');

-- Addresses are the same in any case and width. A hash, because the folded text can be too long for an index.
create function address_hash(address text) returns bigint
  language sql immutable strict parallel safe
  return hashtextextended(lower(normalize(address, nfkc)), 0);

-- The parts of a text of these lengths. Whatever contains a text contains its parts, which a GIN index finds without reading every row.
create function parts_of(value text, lengths integer[]) returns text[]
  language sql immutable strict parallel safe
  return (
    select coalesce(array_agg(distinct substr(value, at, length)), '{}')
      from unnest(lengths) length, generate_series(1, char_length(value) - length + 1) at);

create function searched_parts_of(value text) returns text[]
  language sql immutable strict parallel safe
  return parts_of(value, array[least(3, char_length(value))]);

create function instant_text(at timestamptz) returns text
  language sql immutable parallel safe
  return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

--------------------------------------------------------------------------------------------------------------- settings

create table app_settings (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);
comment on table app_settings is 'What the installation remembers about itself; never tenant data. The engine sees the keys that begin with "engine.".';
alter table app_settings enable row level security, force row level security;
create policy engine_settings on app_settings to cuebird_engine using (key like 'engine.%') with check (key like 'engine.%');
-- `npm run rotate-key` seals every secret again as the owner of the database, to whom row-level security applies.
create policy owner_settings on app_settings to current_user using (true) with check (true);
create policy auth_all on app_settings to cuebird_auth using (true) with check (true);
grant select, insert, update on app_settings to cuebird_engine;
grant select, insert, update, delete on app_settings to cuebird_auth;

-- The switches of the installation: every process is told when they change, whoever changes them.
create function announce_installation_settings() returns trigger
  language plpgsql set search_path = public, pg_temp
as $$
begin
  perform pg_notify('cuebird_settings', '');
  return null;
end
$$;

create trigger announce_installation_settings after insert or update on app_settings for each row
  when (new.key = 'engine.installation_settings') execute function announce_installation_settings();

---------------------------------------------------------------------------------------------------------------- backups

-- Without a policy of its own the owner, where it is no superuser, sees no row of a table that forces row-level security.
-- Called after every migration, so that a backup misses no table.
create function allow_owner_reads() returns void
  language plpgsql set search_path = public, pg_temp
as $$
declare
  name text;
begin
  for name in
    select c.relname from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relforcerowsecurity
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'owner_reads')
  loop
    execute format('create policy owner_reads on %I for select to %I using (true)', name, current_user);
  end loop;
end
$$;
revoke all on function allow_owner_reads from public;
