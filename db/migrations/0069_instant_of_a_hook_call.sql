-- As every other instant at which something came in is named.
alter table hook_calls rename column called_at to received_at;
