import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('the dashboard', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const dashboard = async () => (await dana.call('GET', '/api/dashboard', { workspace })).json;

  async function insertReminder(row: { name?: string; status?: string; daysAgo?: number; of?: string }) {
    const { name, schedule_config: schedule, content, metadata } = sampleReminder;
    await database.query(
      `insert into reminders (workspace_id, name, status, schedule_config, content, metadata, created_at)
       values ($1, $2, $3, $4, $5, $6, now() - $7 * interval '1 day')`,
      [row.of ?? workspace, row.name ?? name, row.status ?? 'active', schedule, content, metadata, row.daysAgo ?? 0],
    );
  }

  const insertJob = (row: { status: string; hoursAgo: number; of?: string; type?: string }) =>
    database.query(
      `with job as (
         insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at)
         values ($1, 'Rent', $4, $2, now(), now(), now() - $3 * interval '1 hour')
         returning id, completed_at
       )
       insert into job_executions (workspace_id, job_id, status, started_at, completed_at)
       select $1, id, case $2 when 'completed' then 'completed' else 'failed' end, completed_at - interval '1 minute', completed_at from job`,
      [row.of ?? workspace, row.status, row.hoursAgo, row.type ?? 'reminder'],
    );

  it('counts no test as completed', async () => {
    await insertJob({ status: 'completed', hoursAgo: 1 });
    await insertJob({ status: 'completed', hoursAgo: 1, type: 'test_reminder' });
    expect((await dashboard()).completedThisWeek).toBe(1);
  });

  it('counts a job whose run began ahead, by a clock that was corrected since', async () => {
    await insertJob({ status: 'completed', hoursAgo: 1 });
    await database.query("update job_executions set started_at = now() + interval '1 day' where workspace_id = $1", [
      workspace,
    ]);
    expect((await dashboard()).completedThisWeek).toBe(1);
  });

  it('counts a run that failed for some people and reached others, and says how many are so', async () => {
    await insertJob({ status: 'completed', hoursAgo: 1 });
    for (const outcome of ['accepted', 'failed']) {
      await insertJob({ status: 'failed', hoursAgo: 1 });
      await database.query(
        `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
         select workspace_id, id, scheduled_for, 'email', 'dana@example.com', $2, 1
           from jobs where workspace_id = $1 order by id desc limit 1`,
        [workspace, outcome],
      );
    }
    expect(await dashboard()).toMatchObject({ completedThisWeek: 2, partlySentThisWeek: 1 });
  });

  it('of a new workspace counts only its one member', async () => {
    expect(await dashboard()).toEqual({
      activeReminders: 0,
      completedThisWeek: 0,
      partlySentThisWeek: 0,
      teamMembers: 1,
      templates: 0,
      changes: { activeReminders: 0, completedThisWeek: 0, teamMembers: 1, templates: 0 },
      first_steps: { contact: false, channel: null, reminder: false, message: false },
      recent: [],
    });
  });

  describe('has first steps, which', () => {
    const steps = async (who = dana) => (await who.call('GET', '/api/dashboard', { workspace })).json.first_steps;

    it('are ticked by what happened, and gone when all are done', async () => {
      await database.query("insert into contacts (workspace_id, name) values ($1, 'Erin')", [workspace]);
      expect(await steps()).toEqual({ contact: true, channel: null, reminder: false, message: false });
      await insertReminder({ status: 'draft' });
      await insertJob({ status: 'failed', hoursAgo: 1 });
      expect(await steps()).toEqual({ contact: true, channel: null, reminder: true, message: false });
      await insertJob({ status: 'completed', hoursAgo: 1, type: 'test_reminder' });
      expect(await steps()).toBeNull();
    });

    it('have a message by a run that failed for some people and reached others', async () => {
      await insertJob({ status: 'failed', hoursAgo: 1 });
      const insertMessage = (status: string) =>
        database.query(
          `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
           select workspace_id, id, scheduled_for, 'email', $2 || '@example.com', $2, 1 from jobs where workspace_id = $1`,
          [workspace, status],
        );
      await insertMessage('failed');
      expect(await steps()).toMatchObject({ message: false });
      await insertMessage('accepted');
      expect(await steps()).toMatchObject({ message: true });
    });

    it('are dismissed by each member for themself, and stay so', async () => {
      const erin = await cuebird.signUp('Erin');
      await addMember(database, { workspace, userId: erin.userId, role: 'member' });
      expect((await dana.call('POST', '/api/dashboard/first-steps/dismiss', { workspace })).status).toBe(200);
      expect([await steps(), await steps()]).toEqual([null, null]);
      expect(await steps(erin)).toMatchObject({ contact: false });
      const other = await dana.createWorkspace('Oak Street');
      expect((await dana.call('GET', '/api/dashboard', { workspace: other })).json.first_steps).not.toBeNull();
    });
  });

  it('counts active reminders, and how many more there are than a week ago', async () => {
    for (const daysAgo of [0, 6.9, 7.1, 30]) await insertReminder({ daysAgo });
    for (const status of ['paused', 'draft']) await insertReminder({ status });
    const { activeReminders, changes } = await dashboard();
    expect([activeReminders, changes.activeReminders]).toEqual([4, 2]);
  });

  it('counts jobs completed in the last seven days, against the seven before', async () => {
    for (const hoursAgo of [0, 1, 167.9]) await insertJob({ status: 'completed', hoursAgo });
    for (const hoursAgo of [168.1, 335, 335.5, 335.7, 335.9]) await insertJob({ status: 'completed', hoursAgo });
    await insertJob({ status: 'completed', hoursAgo: 336.1 });
    for (const status of ['failed', 'cancelled']) await insertJob({ status, hoursAgo: 1 });
    const { completedThisWeek, changes } = await dashboard();
    expect([completedThisWeek, changes.completedThisWeek]).toEqual([3, -2]);
  });

  it('counts members, and those who joined this week', async () => {
    await database.query("update workspace_members set joined_at = now() - interval '8 days' where workspace_id = $1", [
      workspace,
    ]);
    const erin = await cuebird.signUp('Erin');
    await addMember(database, { workspace, userId: erin.userId, role: 'member' });
    const { teamMembers, changes } = await dashboard();
    expect([teamMembers, changes.teamMembers]).toEqual([2, 1]);
  });

  it('shows the five newest reminders of any status, newest first', async () => {
    const ages = [5, 1, 3, 2, 6, 4];
    for (const age of ages)
      await insertReminder({ name: `${age} days old`, daysAgo: age, status: age % 2 ? 'draft' : 'active' });
    const { recent } = await dashboard();
    expect(recent.map((reminder: { name: string }) => reminder.name)).toEqual(
      [1, 2, 3, 4, 5].map((age) => `${age} days old`),
    );
    expect(recent[0]).toEqual({
      id: expect.any(String),
      name: '1 days old',
      description: null,
      status: 'draft',
      is_done: false,
      priority: 'medium',
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
    });
  });

  it('excludes other workspaces', async () => {
    const other = await dana.createWorkspace('Oak Street');
    await insertReminder({ of: other });
    await insertJob({ of: other, status: 'completed', hoursAgo: 1 });
    expect(await dashboard()).toMatchObject({ activeReminders: 0, completedThisWeek: 0, recent: [] });
  });
});
