import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder } from '#testing/samples.ts';

const once = { type: 'scheduled', scheduleType: 'once', startDate: '2026-01-01T09:00:00', timezone: 'UTC' };
const ahead = { ...once, startDate: '2099-01-01T09:00:00' };
const ended = { ...once, scheduleType: 'daily', endDate: '2026-02-01T00:00:00' };
const daily = { ...once, scheduleType: 'daily' };
const event = { type: 'event-based', eventTrigger: 'user_signup', timezone: 'UTC' };

/** The reminders of each workspace, with what they are to everybody who counts them. */
const reminders = [
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

/** Its jobs, all of today. The first of the reminders that wait has one more. */
const jobs = [
  { status: 'completed', times: 5 },
  { status: 'completed', times: 2, isArchived: true },
  { status: 'failed', times: 2 },
  { status: 'cancelled', times: 1 },
  { status: 'paused', times: 1 },
  { status: 'completed', times: 3, type: 'test_reminder' },
  { status: 'failed', times: 1, type: 'test_reminder' },
] as const;

/** What became of the messages of each job that ran. */
const outcomes = ['accepted', 'delivered', 'failed', 'skipped'] as const;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const counted = (is: (job: (typeof jobs)[number]) => boolean) => sum(jobs.filter(is).map(({ times }) => times));
const isTest = (job: (typeof jobs)[number]) => 'type' in job;
const isArchived = (job: (typeof jobs)[number]) => 'isArchived' in job;
const inState = (wanted: string) => reminders.filter(({ state }) => state === wanted).length;

describe('one installation, with demos, suspended and deleted, tests and archived jobs', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let ann: TestPerson;
  let dana: TestPerson;
  let finn: TestPerson;
  let elm: string;
  /** Those of people: one is suspended, and one is being deleted. */
  let real: string[];

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    ({ owner } = cuebird);
    await cuebird.stopDeliveries();
    [ann, dana, finn] = [await cuebird.signUp('Ann'), await cuebird.signUp('Dana'), await cuebird.signUp('Finn')];
    await owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
    await owner.query('update profiles set suspended_at = now() where id = $1', [(await cuebird.signUp('Sue')).userId]);
    elm = await dana.createWorkspace('Elm Street');
    real = [elm, await dana.createWorkspace('Oak Lane'), await finn.createWorkspace('Mill Road')];
    await addMember(owner, { workspace: elm, userId: finn.userId, role: 'member' });
    await owner.query('update workspaces set suspended_at = now() where id = $1', [real[1]]);
    await owner.query("update workspaces set delete_after = now() + interval '7 days' where id = $1", [real[2]]);
    for (const workspace of [...real, ...(await makeDemos(2))]) await furnish(workspace);
  });
  afterAll(() => cuebird.stop());

  /** Visitors of the demo with a workspace each. */
  async function makeDemos(count: number): Promise<string[]> {
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

  async function furnish(workspace: string): Promise<void> {
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
    for (const { status, times, ...job } of jobs)
      await owner.query(
        `with job as (
           insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, paused_at, archived_at, started_at)
           select $1, 'Rent', $2, $3, at, at, case when ran then at end, case $3 when 'paused' then at end, case when $4 then at end,
                  case when ran then at end
             from generate_series(1, $5::int) n, lateral (select date_trunc('second', now()) as at, $3 in ('completed', 'failed') as ran) t
           returning id, workspace_id, scheduled_for, status
         ), run as (
           insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms)
           select workspace_id, id, status, scheduled_for, scheduled_for, 200 from job where status in ('completed', 'failed')
         )
         insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, completed_at)
         select workspace_id, id, scheduled_for, 'email', outcome || '@example.com', outcome, 1, scheduled_for
           from job, unnest($6::text[]) outcome where status in ('completed', 'failed')`,
        [workspace, 'type' in job ? job.type : 'reminder', status, 'isArchived' in job, times, outcomes],
      );
    await owner.query(
      `insert into contacts (workspace_id, name, email, email_key) select $1, 'Anna', 'a' || n || '@example.com', 'a' || n || '@example.com'
         from generate_series(1, 4) n`,
      [workspace],
    );
  }

  const read = async (person: TestPerson, { path, workspace }: { path: string; workspace?: string }) => {
    const { status, json } = await person.call('GET', path, workspace === undefined ? {} : { workspace });
    expect(status, `${path}: ${JSON.stringify(json)}`).toBe(200);
    return json;
  };
  const get = (path: string) => read(dana, { path, workspace: elm });
  const inConsole = (path: string) => read(ann, { path });
  /** How many rows a list has over all of its pages. */
  async function lengthOf(path: string, from: (path: string) => ReturnType<typeof get> = get): Promise<number> {
    const and = path.includes('?') ? '&' : '?';
    let length = 0;
    for (let cursor = ''; ; ) {
      const page = await from(`${path}${and}limit=3${cursor}`);
      length += page.data.length;
      if (page.next_cursor === null) return length;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
  }
  async function linesOf(path: string): Promise<number> {
    const response = await fetch(`${cuebird.url}${path}&workspace=${elm}`, { headers: { cookie: dana.cookie } });
    expect(response.status, path).toBe(200);
    return (await response.text()).trim().split('\r\n').length - 1;
  }

  it('has as many people and workspaces on the cards as in the tabs, in the growth and with or without demos', async () => {
    const cards = await inConsole('/api/admin/overview');
    expect(cards).toMatchObject({ users: 4, workspaces: 3, demos: 2 });
    for (const [noun, count] of [
      ['people', cards.users],
      ['workspaces', cards.workspaces],
    ] as const) {
      expect(await lengthOf(`/api/admin/${noun}`, inConsole)).toBe(count);
      expect(await lengthOf(`/api/admin/${noun}?demos=only`, inConsole)).toBe(2);
      expect(await lengthOf(`/api/admin/${noun}?demos=true`, inConsole)).toBe(count + 2);
      expect(await lengthOf(`/api/admin/${noun}?search=e&demos=false`, inConsole)).toBeLessThanOrEqual(count);
    }
    const analytics = await inConsole('/api/admin/analytics?days=7');
    expect([analytics.new_users, analytics.new_workspaces]).toEqual([cards.users, cards.workspaces]);
    const { data } = await inConsole('/api/admin/workspaces?demos=only');
    expect(data.map(({ is_demo: isDemo }: { is_demo: boolean }) => isDemo)).toEqual([true, true]);
  });

  it('has as many messages and jobs on the cards as its workspaces have, without tests and demos', async () => {
    const ran = counted((job) => !isTest(job) && ['completed', 'failed'].includes(job.status));
    const completed = counted((job) => !isTest(job) && job.status === 'completed');
    const cards = await inConsole('/api/admin/overview');
    expect(cards.deliveries_today).toEqual({ sent: 3 * 2 * ran, failed: 3 * ran });
    expect(cards.ended_jobs).toBe(3 * ran);
    expect(cards.success_rate).toBe(Math.floor((1_000 * completed) / ran) / 10);
    const { data } = await inConsole('/api/admin/executions');
    expect(new Set(data.map(({ workspace }: { workspace: string }) => workspace))).not.toContain('Demo');
    const day = new Date().toISOString().slice(0, 10);
    const own = await get(`/api/analytics/deliveries?from=${day}&to=${day}`);
    expect([own.sent, own.failed]).toEqual([2 * ran, ran]);
    const { data: days } = await get('/api/dashboard/deliveries?timezone=UTC');
    expect(sum(days.map(({ sent }: { sent: number }) => sent))).toBe(2 * ran);
    // The file of the ledger has the messages of tests, too.
    const allRan = counted(({ status }) => ['completed', 'failed'].includes(status));
    expect(await linesOf(`/api/deliveries/export?from=${day}T00:00:00Z&to=${day}T23:59:59Z`)).toBe(4 * allRan);
  });

  it('counts the reminders of a workspace alike on the dashboard, in its analytics, in the console and in the list', async () => {
    const active = inState('active');
    const all = sum(['active', 'paused', 'draft', 'done'].map(inState));
    const [dashboard, analytics] = [await get('/api/dashboard'), await get('/api/analytics')];
    const administered = await inConsole(`/api/admin/workspaces/${elm}/analytics`);
    expect([
      dashboard.activeReminders,
      analytics.active_reminders,
      administered.active_reminders,
      await lengthOf('/api/reminders?status=active'),
      await lengthOf('/api/reminders?status=active&sort=next_run'),
    ]).toEqual(Array.from({ length: 5 }, () => active));
    expect([
      analytics.reminders,
      administered.reminders,
      await lengthOf('/api/reminders'),
      await lengthOf('/api/reminders?sort=-next_run'),
    ]).toEqual(Array.from({ length: 4 }, () => all));
    for (const state of ['paused', 'draft', 'done'])
      expect(await lengthOf(`/api/reminders?status=${state}`), state).toBe(inState(state));
  });

  it('counts the jobs of a workspace alike in its analytics, in the console, in the list and in files', async () => {
    const total = counted((job) => !isTest(job)) + 1;
    const [analytics, administered] = [
      await get('/api/analytics'),
      await inConsole(`/api/admin/workspaces/${elm}/analytics`),
    ];
    const expected = {
      total,
      pending: 1,
      running: 0,
      completed: counted((job) => !isTest(job) && job.status === 'completed'),
      failed: counted((job) => !isTest(job) && job.status === 'failed'),
      cancelled: 1,
      paused: 1,
    };
    expect(analytics.jobs).toEqual(expected);
    expect(administered.jobs).toEqual(expected);
    expect(await get('/api/jobs/counts?archived=true')).toEqual(expected);
    expect([
      await lengthOf('/api/jobs?tests=false&archived=true'),
      await linesOf('/api/jobs/export?tests=false&archived=true'),
    ]).toEqual([total, total]);
    const archived = counted(isArchived);
    expect([
      await lengthOf('/api/jobs?archived=only'),
      await lengthOf('/api/jobs?tests=false'),
      await lengthOf('/api/jobs?tests=only'),
    ]).toEqual([archived, total - archived, counted(isTest)]);
    for (const status of ['completed', 'failed', 'cancelled', 'paused', 'pending'] as const)
      expect(await lengthOf(`/api/jobs?tests=false&archived=true&status=${status}`), status).toBe(expected[status]);
    expect((await get('/api/dashboard')).completedThisWeek).toBe(expected.completed);
  });

  it('counts the people of a workspace alike: members and contacts', async () => {
    const [dashboard, analytics] = [await get('/api/dashboard'), await get('/api/analytics')];
    const administered = await inConsole(`/api/admin/workspaces/${elm}/analytics`);
    const details = await inConsole(`/api/admin/workspaces/${elm}`);
    expect([
      dashboard.teamMembers,
      analytics.members,
      administered.members,
      details.member_count,
      details.members.length,
      (await get(`/api/workspaces/${elm}/members`)).data.length,
    ]).toEqual(Array.from({ length: 6 }, () => 2));
    expect([
      analytics.contacts,
      administered.contacts,
      (await get('/api/contacts/count')).contacts,
      await lengthOf('/api/contacts'),
    ]).toEqual([4, 4, 4, 4]);
  });
});
