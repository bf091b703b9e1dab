import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';

describe('the figures above the admin console', () => {
  let cuebird: TestCuebird;
  let owner: Client;
  let ann: TestPerson;
  let dana: TestPerson;
  let finn: TestPerson;
  const own: string[] = [];

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    ({ owner } = cuebird);
    [ann, dana, finn] = [await cuebird.signUp('Ann'), await cuebird.signUp('Dana'), await cuebird.signUp('Finn')];
    await owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
    own.push(await dana.createWorkspace('Elm Street'), await dana.createWorkspace('Oak Lane'));
    const [elm = ''] = own;
    await addMember(owner, { workspace: elm, userId: finn.userId, role: 'member' });
    await work(elm, 3);
    await work(own[1] ?? '', 1);
    await work(await finn.createWorkspace('Mill Road'), 2);
    // What the engine counts as it sends, of the last seven days of UTC and of the day before.
    await owner.query(
      `insert into delivery_days (day, channel, outcome, count)
       select (now() at time zone 'UTC')::date - ago, 'email', outcome, count
         from (values (0), (6), (7)) d (ago), (values ('accepted', 9), ('failed', 2), ('unknown', 1), ('skipped', 4)) o (outcome, count)`,
    );
  });
  afterAll(() => cuebird.stop());

  /** Jobs of now, of five days ago, of thirty days ago and a test, with messages of each outcome. */
  const work = (workspace: string, times: number) =>
    owner.query(
      `with job as (
         insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at)
         select $1, 'Rent', type, status, at, at, at
           from generate_series(1, $2) n,
                (values ('reminder', 'completed', interval '1 second'), ('reminder', 'failed', interval '2 seconds'),
                        ('reminder', 'completed', interval '5 days'), ('reminder', 'cancelled', interval '5 days'),
                        ('reminder', 'failed', interval '30 days'), ('test_reminder', 'failed', interval '3 seconds')) k (type, status, ago),
                lateral (select date_trunc('second', now()) - ago - n * interval '1 minute' as at) t
         returning id, workspace_id, scheduled_for, status
       ), run as (
         insert into job_executions (workspace_id, job_id, status, started_at, duration_ms, error_message)
         select workspace_id, id, 'completed', scheduled_for, 200, '550 finn@example.com: user unknown' from job
       )
       insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
       select workspace_id, id, scheduled_for, 'email', outcome || '@example.com', outcome, 1
         from job, (values ('accepted'), ('delivered'), ('failed'), ('unknown'), ('skipped')) d (outcome)`,
      [workspace, times],
    );

  const read = async (person: TestPerson, timezone = 'UTC') =>
    (await person.call('GET', `/api/admin/overview?timezone=${timezone}`)).json;

  /** The same, in another way: every row, and days compared as texts. */
  async function computed(workspaces: string[] | null, timezone = 'UTC') {
    const { rows: messages } = await owner.query(
      `select d.status from deliveries d join jobs j on j.id = d.job_id
        where j.type <> 'test_reminder' and d.workspace_id = any ($1)
          and to_char(d.scheduled_for at time zone $2, 'YYYY-MM-DD') = to_char(now() at time zone $2, 'YYYY-MM-DD')`,
      [workspaces, timezone],
    );
    // One address is one person of a run.
    const { rows: persons } = await owner.query(
      "select d.status from deliveries d join jobs j on j.id = d.job_id where j.type <> 'test_reminder' and d.workspace_id = any ($1)",
      [workspaces],
    );
    const { rows: people } = await owner.query(
      workspaces === null
        ? 'select id from profiles'
        : 'select distinct user_id from workspace_members where workspace_id = any ($1)',
      workspaces === null ? [] : [workspaces],
    );
    const { rows: every } = await owner.query('select id from workspaces');
    const count = (of: { status: string }[], ...wanted: string[]) =>
      of.filter(({ status }) => wanted.includes(status)).length;
    const ofInstallation = { deliveries_today: { sent: 9, failed: 3 }, reached: 18, missed: 6 };
    const { reached, missed, ...today } =
      workspaces === null
        ? ofInstallation
        : {
            deliveries_today: {
              sent: count(messages, 'accepted', 'delivered'),
              failed: count(messages, 'failed', 'unknown'),
            },
            reached: count(persons, 'accepted', 'delivered'),
            missed: count(persons, 'failed', 'unknown', 'skipped'),
          };
    const all = reached + missed;
    return {
      scope: workspaces === null ? 'installation' : 'workspaces',
      users: people.length,
      workspaces: (workspaces ?? every).length,
      ...today,
      success_rate: all === 0 ? 100 : Math.floor((reached * 1000) / all) / 10,
      reached,
      missed,
      demos: 0,
    };
  }

  it.each(['UTC', 'Pacific/Auckland', 'America/Los_Angeles'])(
    'are those of the installation, by UTC as in its analytics, in %s',
    async (timezone) => {
      const figures = await read(ann, timezone);
      expect(figures).toEqual(await computed(null, timezone));
    },
  );

  it('are those of the own workspaces for everybody else, with the people of their analytics, and nothing for somebody who only is a member', async () => {
    for (const timezone of ['UTC', 'Pacific/Auckland', 'America/Los_Angeles'])
      expect(await read(dana, timezone)).toEqual(await computed(own, timezone));
    const { reached, missed } = await read(dana);
    const sums = { reached: 0, missed: 0 };
    for (const workspace of own) {
      const { people } = (await dana.call('GET', '/api/analytics', { workspace })).json;
      sums.reached += people.reached;
      sums.missed += people.missed;
    }
    expect({ reached, missed }).toEqual(sums);
    expect(reached).toBeGreaterThan(0);
    const nobody = await cuebird.signUp('Nora');
    await addMember(owner, { workspace: own[0] ?? '', userId: nobody.userId, role: 'member' });
    expect(await read(nobody)).toEqual(await computed([]));
    expect((await nobody.call('GET', '/api/admin/workspaces')).json.data).toEqual([]);
    expect((await nobody.call('GET', '/api/admin/executions')).json.data).toEqual([]);
  });

  it('stand above the latest executions, of all workspaces or the own ones', async () => {
    const latest = async (workspaces: string[] | null) =>
      (
        await owner.query(
          `select e.id from job_executions e where $1::uuid[] is null or e.workspace_id = any ($1)
            order by e.started_at desc, e.id desc limit 20`,
          [workspaces],
        )
      ).rows.map(({ id }) => id);
    const shown = async (person: TestPerson) =>
      (await person.call('GET', '/api/admin/executions')).json.data.map(({ id }: { id: string }) => id);
    expect(await shown(ann)).toEqual(await latest(null));
    expect(await shown(dana)).toEqual(await latest(own));
    const { json } = await dana.call('GET', '/api/admin/executions');
    expect(json.data[0]).toMatchObject({ job: 'Rent', status: 'completed', duration_ms: 200 });
  });

  it('name no recipient of a workspace that the administrator does not belong to', async () => {
    const everywhere = await ann.call('GET', '/api/admin/executions');
    expect(everywhere.json.data).toHaveLength(20);
    expect(JSON.stringify(everywhere.json)).not.toContain('finn@example.com');
    const { json } = await dana.call('GET', '/api/admin/executions');
    expect(json.data[0].error_message).toBe('550 finn@example.com: user unknown');
  });
});
