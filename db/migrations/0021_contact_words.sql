-- The tags and the names of values that a workspace's contacts have, counted as contacts are written: to read them off a million contacts takes seconds.

create table contact_words (
  workspace_id uuid not null references workspaces on delete cascade,
  kind text not null check (kind in ('tag', 'variable')),
  -- As it is written.
  word text not null,
  -- How many contacts have it.
  contacts integer not null check (contacts > 0),
  primary key (workspace_id, kind, word)
) with (fillfactor = 50);
comment on table contact_words is 'The tags and the names of values of a workspace''s contacts. Kept by triggers.';
alter table contact_words enable row level security, force row level security;
create policy app_workspace on contact_words for select to cuebird_app using (workspace_id = current_workspace_id());
create policy owner_counts on contact_words to current_user using (true) with check (true);
grant select on contact_words to cuebird_app;

create function words_of_contact(tags text[], variables jsonb) returns table (kind text, word text)
  language sql immutable strict parallel safe
as $$
  select 'tag', tag from unnest(tags) as tag union all select 'variable', name from jsonb_object_keys(variables) as name
$$;

-- The policies bind this file too.
alter table contacts no force row level security;
insert into contact_words (workspace_id, kind, word, contacts)
select c.workspace_id, w.kind, w.word, count(*) from contacts c cross join lateral words_of_contact(c.tags, c.variables) as w group by 1, 2, 3;
alter table contacts force row level security;

-- Changes by the statement, so that an import of ten thousand contacts counts each word once.
create function count_contact_words() returns trigger
  language plpgsql security definer set search_path = public, pg_temp
as $$
declare
  changes jsonb;
begin
  case tg_op
    when 'INSERT' then
      select jsonb_agg(t) into changes
        from (select c.workspace_id, w.kind, w.word, count(*) as change
                from added c cross join lateral words_of_contact(c.tags, c.variables) as w group by 1, 2, 3) t;
    when 'DELETE' then
      select jsonb_agg(t) into changes
        from (select c.workspace_id, w.kind, w.word, - count(*) as change
                from gone c cross join lateral words_of_contact(c.tags, c.variables) as w group by 1, 2, 3) t;
    when 'UPDATE' then
      -- Not joined by contact: the plan for a single one would be used for ten thousand too.
      select jsonb_agg(t) into changes
        from (select s.workspace_id, w.kind, w.word, sum(s.change) as change
                from (select workspace_id, tags, variables, -1 as change from gone
                      union all
                      select workspace_id, tags, variables, 1 from added) s
               cross join lateral words_of_contact(s.tags, s.variables) as w
               group by 1, 2, 3
              having sum(s.change) <> 0) t;
  end case;
  if changes is null then
    return null;
  end if;
  -- In one order, so that two writers do not wait for each other.
  perform from contact_words w
    join jsonb_to_recordset(changes) as c (workspace_id uuid, kind text, word text, change integer)
      on w.workspace_id = c.workspace_id and w.kind = c.kind and w.word = c.word
   order by w.workspace_id, w.kind, w.word
     for update of w;
  delete from contact_words w
   using jsonb_to_recordset(changes) as c (workspace_id uuid, kind text, word text, change integer)
   where w.workspace_id = c.workspace_id and w.kind = c.kind and w.word = c.word and w.contacts + c.change <= 0;
  update contact_words w set contacts = w.contacts + c.change
    from jsonb_to_recordset(changes) as c (workspace_id uuid, kind text, word text, change integer)
   where w.workspace_id = c.workspace_id and w.kind = c.kind and w.word = c.word and c.change < 0;
  insert into contact_words as w (workspace_id, kind, word, contacts)
  select c.workspace_id, c.kind, c.word, c.change
    from jsonb_to_recordset(changes) as c (workspace_id uuid, kind text, word text, change integer)
   where c.change > 0
   order by 1, 2, 3
      on conflict (workspace_id, kind, word) do update set contacts = w.contacts + excluded.contacts;
  return null;
end
$$;
revoke all on function count_contact_words from public;
create trigger contacts_add_words after insert on contacts
  referencing new table as added for each statement execute function count_contact_words();
create trigger contacts_change_words after update on contacts
  referencing old table as gone new table as added for each statement execute function count_contact_words();
create trigger contacts_remove_words after delete on contacts
  referencing old table as gone for each statement execute function count_contact_words();
