import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { type Scan, scansOf } from '#testing/nested-plans.ts';

/** A statement of a tab may look at so many rows of a large table: messages of today, jobs of a week, some executions of each workspace. */
const workspaces = 200;
const large = /^(jobs|deliveries|job_executions|queue|audit_log)/;

describe('the statements of the admin console, where there is much', { timeout: 120_000 }, () => {
  let cuebird: TestCuebird;
  let administrator: TestPerson;
  let dana: TestPerson;

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    administrator = await cuebird.signUp('Ann');
    dana = await cuebird.signUp('Dana');
    await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [administrator.userId]);
    const own = await dana.createWorkspace('Elm Street');
    const { owner } = cuebird;
    await owner.query(
      `insert into workspaces (name, slug, created_at) select 'Office ' || n, 'office-' || n, now() - n * interval '1 hour' from generate_series(1, $1) n`,
      [workspaces - 1],
    );
    await owner.query(
      `insert into profiles (email, full_name) select n || '@example.org', 'Person ' || n from generate_series(1, 2000) n`,
    );
    // 40 days back, so that a day is a fortieth and a week a sixth of them.
    await owner.query(
      `with job as (
         insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at)
         select w.id, 'Rent ' || n, 'reminder', 'completed', at, at, at
           from workspaces w, generate_series(1, 200) n, lateral (select now() - n * interval '4.8 hours' as at) t
         returning id, workspace_id, scheduled_for
       ), run as (
         insert into job_executions (workspace_id, job_id, status, started_at, duration_ms)
         select workspace_id, id, 'completed', scheduled_for, 200 from job
       )
       insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
       select workspace_id, id, scheduled_for, 'email', 'r' || n || '@example.com', 'accepted', 1 from job, generate_series(1, 3) n`,
    );
    await owner.query(
      `insert into audit_log (workspace_id, action, details, created_at)
       select null, 'sign_in.succeeded', '{"how": "with a password"}', now() - n * interval '10 minutes' from generate_series(1, 20000) n`,
    );
    await owner.query('analyze');
    expect(own).toBeTruthy();
  });
  afterAll(() => cuebird.stop());

  const scans = (statement: string, values: unknown[] = [], { userId } = administrator) =>
    scansOf(cuebird.owner, { userId, statement, values });

  function expectBounded(found: Scan[], most: number) {
    expect(found.length).toBeGreaterThan(0);
    const whole = found.filter(({ node, table }) => node === 'Seq Scan' && large.test(table));
    expect(whole).toEqual([]);
    const read = found.filter(({ table }) => large.test(table)).reduce((sum, { rows, loops }) => sum + rows * loops, 0);
    expect(read).toBeLessThanOrEqual(most);
  }

  const window = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2025-12-26T00:00:00Z'];
  const nowWindow = () => {
    const now = Temporal.Now.instant();
    return [now.subtract({ hours: 24 }), now, now.subtract({ hours: 24 * 7 })].map(String);
  };

  it('count the messages of a day and the jobs of a week, through indexes', async () => {
    const found = await scans('select * from installation_figures($1, $2, $3)', nowWindow());
    // 5 jobs a day and 35 a week of each workspace; three messages of each.
    expectBounded(found, workspaces * (5 + 15 + 35 + 10));
    expectBounded(await scans('select * from installation_figures($1, $2, $3)', window), workspaces);
  });

  it('count for somebody who administers one workspace what is in this one', async () => {
    expectBounded(await scans('select * from own_figures($1, $2, $3)', nowWindow(), dana), 70);
  });

  it('find the latest executions by a few of each workspace', async () => {
    const since = Temporal.Now.instant()
      .subtract({ hours: 24 * 31 })
      .toString();
    const found = await scans('select * from executions_of_installation($1, 20)', [since]);
    expectBounded(found, workspaces * 21 + 20);
    expectBounded(await scans('select * from own_executions($1, 20)', [since], dana), 50);
  });

  it('list people and workspaces by their age', async () => {
    const people = await scans('select * from people_of_installation(null, null, null, null, 11)');
    expect(people.filter(({ node, table }) => node === 'Seq Scan' && table === 'profiles')).toEqual([]);
    // One more: who asks.
    expect(people.filter(({ table }) => table === 'profiles').map(({ rows }) => rows)).toEqual([1, 11]);
    const listed = await scans('select * from workspaces_of_installation(null, null, null, null, 21)');
    expect(listed.filter(({ node, rows }) => node === 'Seq Scan' || rows > 21)).toEqual([]);
  });
});
