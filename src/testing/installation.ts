import type { Client } from 'pg';
import type { TestCuebird } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder } from '#testing/samples.ts';

const once = { type: 'scheduled', scheduleType: 'once', startDate: '2026-01-01T09:00:00', timezone: 'UTC' };
const ahead = { ...once, startDate: '2099-01-01T09:00:00' };
const ended = { ...once, scheduleType: 'daily', endDate: '2026-02-01T00:00:00' };
const daily = { ...once, scheduleType: 'daily' };
const event = { type: 'event-based', eventTrigger: 'user_signup', timezone: 'UTC' };

/** The reminders of each workspace, with what they are to everybody who counts them. */
export const reminders = [
  { status: 'active', schedule: daily, state: 'active' },
  { status: 'active', schedule: event, state: 'active' },
  { status: 'active', schedule: ahead, state: 'active', waits: true },
  { status: 'active', schedule: once, state: 'done' },
  { status: 'active', schedule: ended, state: 'done' },
  { status: 'active', schedule: once, state: 'done' },
  { status: 'paused', schedule: ahead, state: 'paused' },
  { status: 'draft', schedule: daily, state: 'draft' },
  { status: 'draft', schedule: once, state: 'draft' },
  { status: 'deleted', schedule: daily, state: null },
  { status: 'active', schedule: once, state: null, isOneOff: true },
] as const;

/** Its jobs, all of one time. The first of the reminders that wait has one more. */
export const jobs = [
  { status: 'completed', times: 5 },
  { status: 'completed', times: 2, isArchived: true },
  { status: 'failed', times: 2 },
  { status: 'cancelled', times: 1 },
  { status: 'paused', times: 1 },
  { status: 'completed', times: 3, type: 'test_reminder' },
  { status: 'failed', times: 1, type: 'test_reminder' },
] as const;

/** What became of the messages of each job that ran. */
export const outcomes = ['accepted', 'delivered', 'failed', 'skipped'] as const;

/** How many of these each workspace has. */
export const [templates, contacts, suppressions] = [2, 4, 3];

export const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
export const counted = (is: (job: (typeof jobs)[number]) => boolean) => sum(jobs.filter(is).map(({ times }) => times));
export const isTest = (job: (typeof jobs)[number]) => 'type' in job;
export const isArchived = (job: (typeof jobs)[number]) => 'isArchived' in job;
export const inState = (wanted: string) => reminders.filter(({ state }) => state === wanted).length;

/** Ann administers it; Dana owns the first two workspaces, the second of which is suspended; Finn's is being deleted, and he is a member of the first. */
export async function seedInstallation(cuebird: Pick<TestCuebird, 'owner' | 'signUp'>) {
  const { owner } = cuebird;
  const [ann, dana, finn] = [await cuebird.signUp('Ann'), await cuebird.signUp('Dana'), await cuebird.signUp('Finn')];
  await owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
  await owner.query('update profiles set suspended_at = now() where id = $1', [(await cuebird.signUp('Sue')).userId]);
  const elm = await dana.createWorkspace('Elm Street');
  const [oak, mill] = [await dana.createWorkspace('Oak Lane'), await finn.createWorkspace('Mill Road')];
  await addMember(owner, { workspace: elm, userId: finn.userId, role: 'member' });
  await owner.query('update workspaces set suspended_at = now() where id = $1', [oak]);
  await owner.query("update workspaces set delete_after = now() + interval '7 days' where id = $1", [mill]);
  const at = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
  for (const workspace of [elm, oak, mill, ...(await makeDemos(owner, 2))]) await furnish(owner, { workspace, at });
  return { ann, dana, elm, at };
}

/** Visitors of the demo with a workspace each. */
async function makeDemos(owner: Client, count: number): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    `with visitor as (
       insert into profiles (id, email, full_name, is_demo, demo_until)
       select uuidv7(), 'visitor' || n || '@demo.test', 'Visitor', true, now() + interval '1 hour' from generate_series(1, $1::int) n
       returning id
     ), workspace as (
       insert into workspaces (name, slug, demo_until) select 'Demo', id::text, now() + interval '1 hour' from visitor returning id, slug
     ), member as (
       insert into workspace_members (workspace_id, user_id, role) select id, slug::uuid, 'owner' from workspace
     )
     select id from workspace`,
    [count],
  );
  return rows.map(({ id }) => id);
}

async function furnish(owner: Client, { workspace, at }: { workspace: string; at: string }): Promise<void> {
  const { content, metadata } = sampleReminder;
  for (const { status, schedule, ...reminder } of reminders) {
    const { rows } = await owner.query(
      `insert into reminders (workspace_id, name, status, schedule_config, content, metadata, deleted_at, deleted_from, deleted_jobs)
       values ($1, 'Rent', $2, $3, $4, $5, case $2 when 'deleted' then now() end, case $2 when 'deleted' then 'active' end,
               case $2 when 'deleted' then '[]'::jsonb end) returning id`,
      [workspace, status, schedule, content, { ...metadata, ...('isOneOff' in reminder && { one_off: true }) }],
    );
    if ('waits' in reminder)
      await owner.query(
        `insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at)
         values ($1, $2, 'Rent', 'reminder', 'pending', '2099-01-01T09:00:00Z', '2099-01-01T09:00:00Z')`,
        [workspace, rows[0].id],
      );
  }
  await insertJobs(owner, { workspace, at });
  await owner.query(
    `with template as (
       insert into templates (workspace_id, name, content, variables) select $1, 'Rent ' || n, $2, '[]' from generate_series(1, $3::int) n
     )
     insert into suppressions (workspace_id, channel, recipient, reason)
     select $1, 'email', 'no' || n || '@example.com', 'manual' from generate_series(1, $4::int) n`,
    [workspace, JSON.stringify({ subject: 'Rent', message: 'It is due' }), templates, suppressions],
  );
  await owner.query(
    `insert into contacts (workspace_id, name, email, email_key) select $1, 'Anna', 'a' || n || '@example.com', 'a' || n || '@example.com'
       from generate_series(1, $2::int) n`,
    [workspace, contacts],
  );
}

/** Inserts the jobs above, as of this time. */
export async function insertJobs(owner: Client, { workspace, at }: { workspace: string; at: string }) {
  await owner.query(`select ensure_month_partitions($1::timestamptz::date, 1)`, [at]);
  for (const { status, times, ...job } of jobs)
    await owner.query(
      `with job as (
         insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, paused_at, archived_at, started_at)
         select $1, 'Rent', $2, $3, at, at, case when ran then at end, case $3 when 'paused' then at end, case when $4 then at end,
                case when ran then at end
           from generate_series(1, $5::int) n, lateral (select $7::timestamptz as at, $3 in ('completed', 'failed') as ran) t
         returning id, workspace_id, scheduled_for, status
       ), run as (
         insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms)
         select workspace_id, id, status, scheduled_for, scheduled_for, 200 from job where status in ('completed', 'failed')
       )
       insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, completed_at)
       select workspace_id, id, scheduled_for, 'email', outcome || '@example.com', outcome, 1, scheduled_for
         from job, unnest($6::text[]) outcome where status in ('completed', 'failed')`,
      [workspace, 'type' in job ? job.type : 'reminder', status, 'isArchived' in job, times, outcomes, at],
    );
}
