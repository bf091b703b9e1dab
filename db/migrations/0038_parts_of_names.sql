-- What a workspace knows of a person beside the name: its parts, how they are addressed, their language, and a note.

-- Without defaults, no row is written; the checks need not be tried on rows that have no value yet, which would hold the lock for as long as all are read.
alter table contacts
  add column first_name text,
  add column last_name text,
  add column salutation text,
  -- A tag of BCP 47, such as de-AT.
  add column language text,
  -- For the team: no message has it.
  add column note text,
  add constraint contacts_parts check (
    (first_name is null or btrim(first_name) <> '' and char_length(first_name) <= 99)
    and (last_name is null or btrim(last_name) <> '' and char_length(last_name) <= 99)
    and (salutation is null or btrim(salutation) <> '' and char_length(salutation) <= 50)
    and (language is null or char_length(language) between 2 and 35)
    and (note is null or btrim(note) <> '' and char_length(note) <= 2000)) not valid;
comment on column contacts.name is 'The whole name, by which lists are sorted and searched: first and last name unless it is written otherwise.';
grant update (first_name, last_name, salutation, language, note) on contacts to cuebird_app;
