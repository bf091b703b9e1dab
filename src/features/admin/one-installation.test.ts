import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { contacts, counted, inState, isArchived, isTest, seedInstallation, sum } from '#testing/installation.ts';

describe('one installation, with demos, suspended and deleted, tests and archived jobs', () => {
  let cuebird: TestCuebird;
  let ann: TestPerson;
  let dana: TestPerson;
  let elm: string;
  let at: string;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    await cuebird.stopDeliveries();
    ({ ann, dana, elm, at } = await seedInstallation(cuebird));
  });
  afterAll(() => cuebird.stop());

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

  it('has as many messages and people on the cards as the own workspaces have, without tests', async () => {
    const ran = counted((job) => !isTest(job) && ['completed', 'failed'].includes(job.status));
    const cards = await read(dana, { path: '/api/admin/overview' });
    const day = at.slice(0, 10);
    const workspaces = new Date().toISOString().startsWith(day) ? 2 : 0;
    expect(cards.deliveries_today).toEqual({ sent: workspaces * 2 * ran, failed: workspaces * ran });
    const { people, success_rate: rate } = await get('/api/analytics');
    expect(people).toEqual({ reached: 2 * ran, missed: 2 * ran });
    expect(cards).toMatchObject({ success_rate: rate, reached: 2 * people.reached, missed: 2 * people.missed });
    const { data } = await inConsole('/api/admin/executions');
    expect(new Set(data.map(({ workspace }: { workspace: string }) => workspace))).not.toContain('Demo');
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
    // Each failed for some people and reached others.
    expect(await get('/api/dashboard')).toMatchObject({
      completedThisWeek: expected.completed + expected.failed,
      partlySentThisWeek: expected.failed,
    });
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
    ]).toEqual(Array.from({ length: 4 }, () => contacts));
  });
});
