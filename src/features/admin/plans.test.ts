import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { createTestDatabase } from '#testing/database.ts';
import { largeSize, type Size, writeInstallation } from '#testing/large-installation.ts';
import { addMember, connectOwner } from '#testing/owner.ts';
import { forgetPlans, type Scan, reportPlans, watchScans } from '#testing/watched-plans.ts';

/** `LARGE=1` tries the whole size, which takes half a minute longer: the plans are the same. */
const size: Size = process.env.LARGE === undefined ? { ...largeSize, jobs: largeSize.jobs / 10 } : largeSize;
const { workspaces, people, jobs, deliveriesPerJob } = size;
const large = /^(jobs|deliveries|job_executions|queue|audit_log|log_entries|profiles|auth_sessions|workspace_members)/;

/** Of all workspaces; the last 60 days have them all. A little more, as not every day has the same. */
const jobsOfDays = (days: number) => Math.ceil((1.3 * jobs * Math.min(days, 60)) / 60) + 10;
const ofLargest = (count: number) => Math.ceil(count / 10) + 10;
const ofSmall = (count: number) => Math.ceil(count / workspaces) + 10;
const withMessages = (count: number) => count * (1 + deliveriesPerJob);
const dayAgo = (days: number) => Temporal.Now.plainDateISO('UTC').subtract({ days }).toString();

describe('the statements of the admin console and of analytics, where there is much', { timeout: 120_000 }, () => {
  let cuebird: TestCuebird;
  let ann: TestPerson;
  let dana: TestPerson;
  let largest: string;
  let small: string;
  let scansOf: ReturnType<typeof watchScans>;

  beforeAll(async () => {
    const database = await createTestDatabase();
    const writer = await connectOwner(database.url);
    await reportPlans(writer);
    largest = await writeInstallation(writer, size);
    small = (await writer.query("select id from workspaces where name = 'Office 500'")).rows[0].id;
    await writer.end();
    cuebird = await startTestCuebird({ database });
    scansOf = watchScans(cuebird.database);
    [ann, dana] = [await cuebird.signUp('Ann'), await cuebird.signUp('Dana')];
    await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
    await addMember(cuebird.owner, { workspace: largest, userId: dana.userId, role: 'admin' });
  }, 300_000);
  afterAll(async () => {
    await forgetPlans(cuebird.owner);
    await cuebird.stop();
  });

  /** `most`: the rows of large tables that the answer may take. */
  type Asked = { path: string; most: number; by?: 'Ann' | 'Dana'; workspace?: string };

  async function expectBounded({ path, most, by = 'Ann', workspace }: Asked): Promise<void> {
    const person = by === 'Ann' ? ann : dana;
    let status = 0;
    const scans = await scansOf(async () => {
      ({ status } = await person.call('GET', path, workspace === undefined ? {} : { workspace }));
    });
    expect(status, path).toBe(200);
    const found = scans.filter(({ table }) => large.test(table));
    // What Settings shows is in memory.
    if (most > 0) expect(found.length, path).toBeGreaterThan(0);
    expect(
      found.filter(({ node }) => node === 'Seq Scan').map(({ table }) => table),
      path,
    ).toEqual([]);
    expect(rowsOf(found), `${path}: ${JSON.stringify(found.filter(({ rows }) => rows > 50))}`).toBeLessThanOrEqual(
      most,
    );
  }

  const rowsOf = (scans: readonly Scan[]) => scans.reduce((sum, { rows, loops }) => sum + rows * loops, 0);
  const after = async (path: string) => `${path}&cursor=${(await ann.call('GET', path)).json.next_cursor}`;

  it('count people and the messages of a day above the tabs, and of the own workspaces all that no total has', async () => {
    const ofDay = withMessages(jobsOfDays(1));
    await expectBounded({ path: '/api/admin/overview?timezone=Europe/Berlin', most: people + ofDay + 100 });
    const most = ofLargest(withMessages(jobsOfDays(60)));
    await expectBounded({ path: '/api/admin/overview', by: 'Dana', most: 2 * most + 100 });
  });

  it('find people by their age or by a part of a name or address, be it common, rare or nowhere', async () => {
    const list = '/api/admin/people?limit=10';
    for (const path of [
      list,
      await after(list),
      ...['a', 'miller', 'person4711', 'zq', 'zzqq'].map((text) => `${list}&search=${text}`),
    ])
      await expectBounded({ path, most: 150 });
  });

  it('find workspaces by their age or by a part of a name or description', async () => {
    const list = '/api/admin/workspaces?limit=20';
    for (const path of [
      list,
      await after(list),
      ...['o', 'office 77', 'zq', 'zzqq'].map((text) => `${list}&search=${text}`),
    ])
      await expectBounded({ path, most: 21 * 12 + 20 });
    await expectBounded({ path: list, by: 'Dana', most: 50 });
    await expectBounded({ path: `/api/admin/workspaces/${largest}`, most: 50 });
  });

  it('add up days for every range of Analytics, and nothing older', async () => {
    for (const days of [7, 30, 90, 365])
      await expectBounded({ path: `/api/admin/analytics?days=${days}`, most: Math.min(people, days * 86) + 20 });
  });

  it('ask what is due and what was counted for System', () => expectBounded({ path: '/api/admin/system', most: 50 }));

  it('look at a few executions of each workspace, and at a page of a log', async () => {
    // Of the table, and the jobs to the last of these.
    await expectBounded({ path: '/api/admin/executions', most: 2 * workspaces * 20 + 50 });
    await expectBounded({ path: '/api/admin/executions', by: 'Dana', most: 120 });
    const [lines, acts] = ['/api/admin/log?limit=20', '/api/admin/audit-log?limit=20'];
    for (const path of [lines, await after(lines), acts, await after(acts), '/api/admin/gone-workspaces?limit=20'])
      await expectBounded({ path, most: 60 });
    await expectBounded({ path: `${lines}&level=error`, most: 200 });
    // As many as there are at the most, and as 90 days have.
    for (const path of [`${lines}&search=zzqq`, `${acts}&search=zzqq`]) await expectBounded({ path, most: 20_100 });
  });

  it('read nothing large for Settings', async () => {
    for (const path of ['/api/admin/settings', '/api/admin/backups', '/api/admin/delivery-pause'])
      await expectBounded({ path, most: 0 });
  });

  it('count the jobs, executions and people of one workspace for its analytics', async () => {
    // By status, by their runs in the table, and by those on their rows; and each message once, as long as none is added up.
    const readOf = (count: number) => 3 * count + withMessages(count);
    const most = readOf(ofLargest(jobsOfDays(60))) + 200;
    await expectBounded({ path: '/api/analytics', by: 'Dana', workspace: largest, most });
    await expectBounded({ path: `/api/admin/workspaces/${largest}/analytics`, most });
    await expectBounded({
      path: `/api/admin/workspaces/${small}/analytics`,
      most: readOf(ofSmall(jobsOfDays(60))) + 100,
    });
  });

  it('read the messages of one workspace in a range once', async () => {
    for (const days of [7, 30, 90, 365]) {
      const range = `from=${dayAgo(days - 1)}&to=${dayAgo(0)}&timezone=Europe/Berlin`;
      const messages = withMessages(ofLargest(jobsOfDays(days)));
      const asked = { by: 'Dana', workspace: largest } as const;
      await expectBounded({ path: `/api/analytics/deliveries?${range}`, ...asked, most: messages + 200 });
      await expectBounded({
        path: `/api/analytics/deliveries/export?${range}&workspace=${largest}`,
        ...asked,
        most: messages + 50,
      });
    }
  });
});
