-- Jobs with an audience are claimed apart from all others, because who belongs to it can take seconds to find.

alter table queue add column awaits_audience boolean not null default false;
comment on column queue.awaits_audience is 'A claim has found that the job is due and has an audience: it is left to the claims that ask for audiences.';
create index queue_of_audiences on queue (workspace_id, run_at) where awaits_audience;
