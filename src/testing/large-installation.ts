import type { Client } from 'pg';

export type Size = { workspaces: number; people: number; jobs: number; deliveriesPerJob: number };

/** What administrators of a busy installation look at. */
export const largeSize: Size = { workspaces: 1_000, people: 5_000, jobs: 100_000, deliveriesPerJob: 11 };

const days = 60;
const channels = "(array['email', 'sms', 'whatsapp', 'webhook', 'slack', 'push'])";

/**
 * An installation with two months of history. Written as the owner, who has to be a superuser.
 * @returns the id of the workspace that has a tenth of all jobs; nobody is a member
 */
export async function writeInstallation(
  owner: Client,
  { workspaces, people, jobs, deliveriesPerJob }: Size,
): Promise<string> {
  for (let month = 0; month <= 3; month += 1)
    for (const table of ['deliveries', 'job_executions'])
      await owner.query(`select make_month_partition($1, (now() - $2 * interval '1 month')::date)`, [table, month]);
  await owner.query(
    `insert into profiles (email, full_name, email_verified, created_at)
     select 'person' || n || '@example.org', (array['Ada', 'Ben', 'Cleo', 'Dora', 'Emil'])[1 + n % 5] || ' Miller ' || n, n % 7 > 0,
            now() - n * interval '17 minutes'
       from generate_series(1, $1::int) n`,
    [people],
  );
  await owner.query(
    `insert into auth_sessions (user_id, token, expires_at, created_at, updated_at)
     select id, id::text, now() + interval '20 days', created_at, created_at from profiles where email like 'person%'`,
  );
  const {
    rows: [largest],
  } = await owner.query<{ id: string }>(
    "insert into workspaces (name, slug, created_at) values ('Main Street', 'main-street', now() - interval '80 days') returning id",
  );
  const workspaceId = largest?.id ?? '';
  await owner.query(
    `insert into workspaces (name, slug, description, created_at)
     select 'Office ' || n, 'office-' || n, 'Reminders of office ' || n, now() - n * interval '83 minutes' from generate_series(1, $1::int) n`,
    [workspaces - 1],
  );
  await owner.query(
    `with person as (select id, row_number() over (order by created_at) - 1 as n from profiles where email like 'person%'),
          workspace as (select id, row_number() over (order by created_at) - 1 as n, count(*) over () as count from workspaces)
     insert into workspace_members (workspace_id, user_id, role, joined_at)
     select w.id, p.id, case when p.n < w.count then 'owner' when p.n % 5 = 0 then 'admin' else 'member' end, now() - interval '30 days'
       from person p join workspace w on w.n = p.n % w.count
      where w.id <> $1`,
    [workspaceId],
  );
  await owner.query(
    `with listed as materialized (select array_agg(id) as ids, count(*)::int as count from workspaces where id <> $1)
     insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, started_at, completed_at, error_message)
     select case when n / 7 % 10 = 0 then $1 else ids[1 + n / 10 % count] end, 'Rent of ' || (1 + n % 400) || ' Elm Street',
            case when n % 40 = 7 then 'test_reminder' else 'reminder' end, status, due, due, ended, ended + interval '1 second',
            case status when 'failed' then '1 of 11 failed: No such mailbox' end
       from listed cross join generate_series(1, $2::int) n
      cross join lateral (select case when n % 20 = 3 then 'pending' when n % 50 = 9 then 'failed' else 'completed' end as status,
                                 n * interval '${days} days' / $2::int as ago) k
      cross join lateral (select now() - ago + case when status = 'pending' then interval '${days + 1} days' else interval '0' end as due) t
      cross join lateral (select case when status <> 'pending' then due end as ended) e`,
    [workspaceId, jobs],
  );
  await owner.query(
    `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms, error_message)
     select workspace_id, id, status, started_at, completed_at, 1000, error_message from jobs where started_at is not null`,
  );
  await owner.query(
    `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, reason, first_attempt_at, last_attempt_at, completed_at)
     select j.workspace_id, j.id, j.scheduled_for, ${channels}[1 + n % 6], 'r' || n || '@example.com', d.status, 1,
            case d.status when 'failed' then 'No such mailbox' when 'skipped' then 'Unsubscribed' end, j.started_at, j.started_at, j.completed_at
       from jobs j cross join generate_series(1, $1::int) n
      cross join lateral (select case when n = 9 and j.status = 'failed' then 'failed' when n = 8 then 'skipped' when n % 2 = 0 then 'delivered' else 'accepted' end as status) d
      where j.started_at is not null`,
    [deliveriesPerJob],
  );
  await owner.query(
    `insert into delivery_days (day, channel, outcome, count)
     select (completed_at at time zone 'UTC')::date, channel, case status when 'delivered' then 'accepted' else status end, count(*)
       from deliveries where completed_at is not null group by 1, 2, 3`,
  );
  await owner.query(
    `insert into minute_figures (minute, kind, counts)
     select date_trunc('minute', now()) - n * interval '1 minute', kind, array[40, 30, 20, 5, 2]
       from generate_series(1, 1440) n, unnest(array['responses', 'lateness', 'deliveries', 'sign_in_failures']) kind
     on conflict do nothing`,
  );
  await owner.query(
    `insert into audit_log (workspace_id, action, details, created_at)
     select null, 'sign_in.succeeded', '{"how": "with a password"}', now() - n * interval '4 minutes' from generate_series(1, 20000) n`,
  );
  await owner.query(
    `insert into log_entries (created_at, level, process, message, details)
     select now() - n * interval '5 seconds', (array['info', 'info', 'warn', 'error'])[1 + n % 4], 'worker 4711 on mail-2', 'The claim took long', jsonb_build_object('ms', n)
       from generate_series(20000, 1, -1) n`,
  );
  await owner.query('vacuum (analyze)');
  return workspaceId;
}
