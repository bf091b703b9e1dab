-- Over which channel somebody was written to before others because they prefer it.

alter table deliveries add column by_preference boolean not null default false;
comment on column deliveries.by_preference is 'Whether the channel came before the order of the reminder, because the person preferred it when the run began with it.';
