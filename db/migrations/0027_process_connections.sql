-- How many connections to the database a process may open: the start of another one compares the sum with what the server admits.

alter table processes add column connections integer check (connections > 0);
comment on column processes.connections is 'The most connections that it opens. Null for a process of an earlier version.';
