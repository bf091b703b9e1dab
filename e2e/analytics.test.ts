import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { breakDown, delayRequests, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

type Office = { dana: TestPerson; workspace: string; name: string };

async function newOffice(): Promise<Office> {
  const dana = await fixture.signUp('Dana Owens');
  const name = `Oak Lane ${crypto.randomUUID().slice(0, 8)}`;
  return { dana, name, workspace: await dana.createWorkspace(name) };
}

/** Twelve runs of yesterday, of which the last failed, with a message on two channels each. */
async function work(workspace: string): Promise<void> {
  await fixture.owner.query(
    `with job as (
       insert into jobs (workspace_id, name, type, status, scheduled_for, run_at)
       select $1, 'Rent of flat ' || n, 'reminder', case when n = 12 then 'failed' else 'completed' end, at, at
         from generate_series(1, 12) n, lateral (select date_trunc('minute', now()) - interval '1 day' + n * interval '1 second' as at) t
       returning id, status, scheduled_for
     ), runs as (
       insert into job_executions (workspace_id, job_id, status, started_at, duration_ms)
       select $1, id, status, scheduled_for, 250 from job
     )
     insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, recipient_name, status, reason, reason_code, attempts, completed_at)
     select $1, id, scheduled_for, channel, case channel when 'email' then 'erika@example.com' else '+4915112345678' end, name,
            case when channel = 'sms' then 'failed' else 'accepted' end, case channel when 'sms' then 'The number does not exist' end,
            case channel when 'sms' then 'no_such_number' end, 1,
            scheduled_for + interval '2 seconds'
       from job, (values ('email', 'Erika Mustermann'), ('sms', null)) as c (channel, name)`,
    [workspace],
  );
}

const analytics = (workspace: string, tab = '') => `/admin/workspace/${workspace}/analytics${tab && `?tab=${tab}`}`;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const choose = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();
const figure = (page: Page, section: string, label: string) =>
  page.getByRole('region', { name: section }).locator('dl', { hasText: label }).locator('dd').first().innerText();

describe.concurrent('the analytics of a workspace', () => {
  it('are reached from its page, and show every figure on its tab', async ({ expect }) => {
    const { dana, workspace, name } = await newOffice();
    await work(workspace);
    const page = await fixture.open(`/admin/workspace/${workspace}/manage`, { as: dana, workspace });
    await page.getByRole('link', { name: 'Analytics' }).click();
    await heading(page, `${name} Analytics`);
    await expect.poll(() => page.title()).toBe(`${name} Analytics · Cuebird`);
    await reads(page, ['Total Templates', 'Active Reminders', '50.0%', '12 of 24 people reached', 'Active Members']);
    await expect
      .poll(() => page.getByRole('tab').allInnerTexts())
      .toEqual([
        'Overview',
        'Performance Analytics',
        'Job Performance',
        'Recent Activity',
        'Usage Statistics',
        'Deliveries',
      ]);
    await reads(page, ['Job status', 'Resource usage', 'Cancelled', 'Contacts']);
    await expectGood(page);
    await choose(page, 'Performance Analytics');
    await reads(page, [
      'Average Execution Time',
      '250 ms',
      'Total Executions',
      'Performance Score',
      'Latest executions',
    ]);
    await expect.poll(() => page.getByRole('row').count()).toBe(11);
    await page.getByRole('row').nth(1).getByText('Rent of flat 12').waitFor();
    await expectGood(page);
    await choose(page, 'Job Performance');
    await page.getByRole('region', { name: 'Job Performance' }).waitFor();
    for (const [label, value] of Object.entries({ Successful: '11', Failed: '1', Pending: '0' }))
      await expect.poll(() => figure(page, 'Job Performance', label)).toBe(value);
    await expectGood(page, [390, 1440]);
    await choose(page, 'Recent Activity');
    await page.getByRole('columnheader', { name: 'Created' }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(11);
    await expectGood(page, [390, 1440]);
    await choose(page, 'Usage Statistics');
    await page.getByRole('region', { name: 'Usage Statistics' }).waitFor();
    await expect.poll(() => figure(page, 'Usage Statistics', 'Jobs')).toBe('12');
    await expectGood(page, [390, 1440]);
  });

  it('say what became of the messages of any days, and who got none', async ({ expect }) => {
    const { dana, workspace } = await newOffice();
    await work(workspace);
    const page = await fixture.open(analytics(workspace, 'deliveries'), { as: dana, workspace });
    await reads(page, ['The number does not exist', '+4915112345678', '12 missed', '2.0s']);
    await expect.poll(() => figure(page, 'Deliveries', 'Sent')).toBe('12');
    await page.getByRole('img', { name: /^SMS: 0 sent and 12 failed in 30 days/ }).waitFor();
    await expect.poll(() => page.getByRole('table', { name: 'Deliveries per day and channel' }).count()).toBe(1);
    await expectGood(page);
    await page.getByRole('combobox', { name: 'Days' }).click();
    await page.getByRole('option', { name: 'Last 365 days' }).click();
    await page.getByRole('img', { name: /^SMS: 0 sent and 12 failed in 53 weeks/ }).waitFor();
    const file = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    expect((await file).suggestedFilename()).toMatch(/^deliveries-.*\.csv$/);
    // The other end of the range follows.
    await page.getByLabel('To day').fill('2020-01-31');
    await page.getByLabel('From day').fill('2020-01-01');
    await reads(page, ['Nothing was due on these days.', 'No message failed on these days.']);
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=deliveries&from=2020-01-01&to=2020-01-31');
  });

  it('say so where there is nothing yet', async () => {
    const { dana, workspace } = await newOffice();
    const page = await fixture.open(analytics(workspace), { as: dana, workspace });
    await reads(page, ['100.0%', 'nobody was written to yet']);
    await choose(page, 'Performance Analytics');
    await reads(page, ['No execution data available']);
    await expectAccessible(page);
    await choose(page, 'Recent Activity');
    await reads(page, ['No recent activity']);
    await choose(page, 'Deliveries');
    await reads(page, ['Nothing was due on these days.']);
    await expectGood(page, [390, 1440]);
  });

  it('wait, fail with a word, and can be tried again', async () => {
    const { dana, workspace } = await newOffice();
    let goOn = () => {};
    const slow = await fixture.open(analytics(workspace), {
      as: dana,
      workspace,
      before: async (page) => {
        goOn = await delayRequests(page, '/api/analytics');
      },
    });
    await slow.getByRole('status', { name: 'Loading...' }).waitFor();
    await expectGood(slow, [390, 1440]);
    goOn();
    await reads(slow, ['100.0%']);
    await fixture.leave(slow);
    const failing = await fixture.open(analytics(workspace), {
      as: dana,
      workspace,
      before: (page) => breakDown(page, '/api/analytics'),
    });
    await toast(failing, { title: 'Error loading analytics', text: outage });
    await expectGood(failing, [390, 1440]);
    await restore(failing);
    await failing.getByRole('button', { name: 'Retry' }).click();
    await reads(failing, ['100.0%']);
  });

  it('are not shown to somebody who is no member', async () => {
    const [{ workspace }, stranger] = await Promise.all([newOffice(), newOffice()]);
    const page = await fixture.open(analytics(workspace), { as: stranger.dana, workspace: stranger.workspace });
    await reads(page, ['Workspace not found']);
    await expectAccessible(page);
  });
});
