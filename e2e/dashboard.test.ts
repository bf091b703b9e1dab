import { beforeAll, describe, it } from 'vitest';
import { accepted, insertRunOfPeople } from '#testing/run-of-people.ts';
import { sampleReminder } from '#testing/samples.ts';
import { expectGood } from './looks.ts';
import { breakDown, delayRequests, describeScreens, outage, reads } from './screens.fixture.ts';

describe.concurrent('the dashboard', () => {
  const fixture = describeScreens();
  let workspace: string;
  beforeAll(async () => {
    workspace = await fixture.ann.createWorkspace('Harbour Lane');
    const job = async (name: string, { status, hours }: { status: string; hours: number }) => {
      const { rows } = await fixture.owner.query<{ id: string; scheduled_for: string }>(
        `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, error_message, payload)
         values ($1, $2, 'api_notification', $3, now() + $4 * interval '1 hour', now() + abs($4) * interval '1 hour', case $3 when 'pending' then null else now() end,
                 case $3 when 'failed' then '1 of 2 failed: No such mailbox' end, '{"channels": ["email", "sms"], "recipients": ["a", "b"]}')
         returning id, scheduled_for`,
        [workspace, name, status, hours],
      );
      return rows[0]!;
    };
    const row = (
      of: { id: string; scheduled_for: string },
      values: [channel: string, recipient: string, status: string],
    ) =>
      fixture.owner.query(
        `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
         values ($1, $2, $3, $4, $5, $6, 1)`,
        [workspace, of.id, of.scheduled_for, ...values],
      );
    await job('Boiler inspection', { status: 'pending', hours: 3 });
    const failed = await job('Rent of Harbour Lane', { status: 'failed', hours: -2 });
    await row(failed, ['email', 'a@example.com', 'accepted']);
    await row(failed, ['email', 'b@example.com', 'failed']);
    await row(await job('Keys', { status: 'completed', hours: -50 }), ['sms', '+14155552671', 'delivered']);
  });

  const open = (at = workspace, visit = {}) => fixture.open('/dashboard', { as: fixture.ann, workspace: at, ...visit });

  it('says what goes out next, what has failed and how much was sent', async () => {
    const page = await open();
    await reads(page, ['Next 24 hours', '1 occurrence', 'Boiler inspection', 'in 3 hours', '2 addressed']);
    await reads(page, ['Needs attention', 'See it', 'Rent of Harbour Lane', 'Partly sent · 1 of 2 people · 1 failed']);
    await reads(page, ['Deliveries', 'the last 30 days']);
    await page.getByRole('img', { name: 'Email: 1 sent and 1 failed in 30 days, at most 2 on one day' }).waitFor();
    await page.getByRole('img', { name: 'SMS: 1 sent and 0 failed in 30 days, at most 1 on one day' }).waitFor();
    await expectGood(page);
  });

  it('says of a completed run whom it has not reached, and leads to its job, which is no plain success', async ({
    expect,
  }) => {
    const at = await fixture.ann.createWorkspace('Mill Lane');
    const lacks = { status: 'skipped', reason_code: 'no_address', reason_params: { lacks: 'email' } } as const;
    await insertRunOfPeople(fixture.owner, {
      workspaceId: at,
      name: 'Water is off',
      at: Temporal.Now.instant().subtract({ hours: 3 }).toString(),
      status: 'completed',
      people: [...Array.from({ length: 93 }, () => accepted), ...Array.from({ length: 7 }, () => ({ email: lacks }))],
      message: '7 of 100 skipped: Tenant has no email address',
    });
    const page = await open(at);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByText('7 of 100 people were not reached · 7 have no email address').waitFor();
    await expect.poll(() => attention.innerText()).not.toContain('Nothing has failed');
    await expectGood(page);
    await attention.getByRole('link', { name: 'Water is off' }).click();
    const dialog = page.getByRole('dialog', { name: 'Job details' });
    await reads(page, ['Sent to 93 of 100 people · 7 have no email address']);
    await dialog.getByText('7 people: There is no email address.').waitFor();
    await expect.poll(() => dialog.locator('[data-tone="waiting"]', { hasText: 'Completed' }).count()).toBe(1);
  });

  it('leads from what has failed to the job that needs attention, by keyboard', async ({ expect }) => {
    const page = await open();
    await page.getByRole('link', { name: 'Rent of Harbour Lane' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('b@example.com').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/jobs');
  });

  it('is calm where nothing is due and nothing has failed', async ({ expect }) => {
    const page = await open(fixture.empty);
    await reads(page, [
      'Nothing is due in the next 24 hours.',
      'Nothing has failed in the last seven days.',
      'Nothing has been sent yet. This chart shows the messages of each day.',
      'No reminders found',
    ]);
    await expect
      .poll(() => page.getByRole('link', { name: 'Create Your First Reminder' }).getAttribute('href'))
      .toBe('/reminders/new');
  });

  it('shows what was written last with its status and priority, four figures, and the way to each screen', async ({
    expect,
  }) => {
    const at = await fixture.ann.createWorkspace('Oak Lane');
    const write = (body: object) =>
      fixture.ann.call('POST', '/api/reminders', { workspace: at, body: { ...sampleReminder, ...body } });
    const startDate = '2099-01-01T09:00:00';
    await write({ name: 'Bins', description: null, status: 'draft' });
    await write({ status: 'active', schedule_config: { ...sampleReminder.schedule_config, startDate } });
    const page = await open(at);
    const rows = page.getByRole('region', { name: 'Recent Reminders' }).getByRole('listitem');
    // The rows of the skeleton say nothing.
    await rows.filter({ hasText: 'Bins' }).waitFor();
    const texts = (await rows.allInnerTexts()).map((row) => row.split('\n').filter(Boolean));
    expect(texts).toEqual([
      ['Rent', 'Every first of the month', 'Active', 'medium priority'],
      ['Bins', 'No description', 'Draft', 'medium priority'],
    ]);
    await expect.poll(() => rows.first().locator('svg.tabler-icon-check').count()).toBe(1);
    await expect.poll(() => rows.last().locator('svg.tabler-icon-clock').count()).toBe(1);

    const stats = await page.locator('main .mantine-SimpleGrid-root').first().locator('> *').allInnerTexts();
    expect(stats.map((stat) => stat.split('\n').filter(Boolean).join(' | '))).toEqual([
      'Active Reminders | 1 | +1 from last week',
      'Completed This Week | 0 | ±0 from last week',
      'Team Members | 1 | +1 from last week',
      'Templates | 0 | ±0 from last week',
    ]);
    for (const [name, path] of [
      ['New Reminder', '/reminders/new'],
      ['View All Reminders', '/reminders'],
      ['Create New Reminder', '/reminders/new'],
      ['Browse Templates', '/templates'],
      ['Manage Channels', '/channels'],
      ['View Analytics', '/jobs'],
    ] as const)
      await expect
        .poll(() => page.getByRole('main').getByRole('link', { name, exact: true }).getAttribute('href'))
        .toBe(path);
  });

  it('leads a new workspace through its first steps, until they are dismissed', async ({ expect }) => {
    const fresh = await fixture.ann.createWorkspace('Oak Street');
    const page = await open(fresh);
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('0 of 3 done').waitFor();
    await expectGood(page);
    const body = { name: 'Erin', email: 'erin@example.com', phone: null };
    await fixture.ann.call('POST', '/api/contacts', { workspace: fresh, body });
    await steps.getByText('1 of 3 done').waitFor();
    const reminder = steps.getByRole('link', { name: /Create a reminder/ });
    await expect.poll(() => reminder.getAttribute('href')).toBe('/reminders/new?pick=starters');
    await steps.getByRole('button', { name: 'Dismiss the first steps' }).click();
    await steps.waitFor({ state: 'detached' });
  });

  it('shows the shape of what comes, and says what could not be had', async ({ expect }) => {
    const delayed = await open(workspace, {
      before: (page: Parameters<typeof delayRequests>[0]) => delayRequests(page, '/api/dashboard/day'),
    });
    await delayed.getByRole('list', { name: 'Loading upcoming reminders' }).waitFor();
    await fixture.leave(delayed);
    const logged: string[] = [];
    const page = await open(workspace, {
      before: async (broken: Parameters<typeof breakDown>[0]) => {
        broken.on('console', (line) => logged.push(`${line.type()}: ${line.text()}`));
        await breakDown(broken, '/api/dashboard');
        await breakDown(broken, '/api/dashboard/day');
        await breakDown(broken, '/api/dashboard/deliveries');
      },
    });
    await reads(page, ['Error loading what comes next', outage, 'Error loading failed jobs']);
    await reads(page, ['Error loading deliveries', 'Error loading the dashboard']);
    // That of the figures and the latest reminders is logged: no toast, and nothing goes on loading.
    await expect
      .poll(() => logged)
      .toContainEqual(expect.stringMatching(/^error: Error loading the dashboard.*being moved/));
    await expect.poll(() => page.locator('.mantine-Notification-root, .mantine-Skeleton-root').count()).toBe(0);
  });
});
