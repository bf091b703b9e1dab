-- What a demo has sent, so that a visitor cannot fill the database with occurrences. Each claim counts in the row of its workspace.

alter table workspaces add column demo_messages integer not null default 0,
                       add column demo_hour timestamptz,
                       add column demo_hour_messages integer not null default 0,
                       add column demo_spent_at timestamptz;
comment on column workspaces.demo_messages is 'What a demo has used of all that it may send: the messages of each occurrence, and one for an occurrence without any.';
comment on column workspaces.demo_hour is 'When the hour began in which `demo_hour_messages` were sent; null until a demo sends.';
comment on column workspaces.demo_spent_at is 'Since when a demo sends nothing more, because it has sent all that a demo may send. What is due waits in the queue until the demo is deleted.';
grant update (demo_messages, demo_hour, demo_hour_messages, demo_spent_at) on workspaces to cuebird_engine;

-- Each claim leaves these out.
drop index workspaces_closed;
create index workspaces_closed on workspaces (id) where delete_after is not null or suspended_at is not null or demo_spent_at is not null;
