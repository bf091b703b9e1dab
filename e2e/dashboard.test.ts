import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectOwner } from '#testing/owner.ts';
import {
  breakDown,
  expectAccessible,
  expectFits,
  holdBack,
  type House,
  openHouse,
  outage,
  reads,
} from './screens.house.ts';

describe('the dashboard', () => {
  let house: House;
  let workspace: string;
  beforeAll(async () => {
    house = await openHouse();
    workspace = await house.ann.createWorkspace('Harbour Lane');
    const owner = await connectOwner(house.cuebird.databaseUrl);
    const job = async (name: string, { status, hours }: { status: string; hours: number }) => {
      const { rows } = await owner.query<{ id: string; scheduled_for: string }>(
        `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, error_message, payload)
         values ($1, $2, 'api_notification', $3, now() + $4 * interval '1 hour', '2099-01-01Z', case $3 when 'pending' then null else now() end,
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
      owner.query(
        `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
         values ($1, $2, $3, $4, $5, $6, 1)`,
        [workspace, of.id, of.scheduled_for, ...values],
      );
    await job('Boiler inspection', { status: 'pending', hours: 3 });
    const failed = await job('Rent of Harbour Lane', { status: 'failed', hours: -2 });
    await row(failed, ['email', 'a@example.com', 'accepted']);
    await row(failed, ['email', 'b@example.com', 'failed']);
    await row(await job('Keys', { status: 'completed', hours: -50 }), ['sms', '+14155552671', 'delivered']);
    await owner.end();
  });
  afterAll(() => house.close());

  const open = (at = workspace, visit = {}) => house.open('/dashboard', { as: house.ann, workspace: at, ...visit });

  it('says what goes out next, what has failed and how much was sent', async () => {
    const page = await open();
    await reads(page, ['Next 24 hours', '1 occurrence', 'Boiler inspection', 'in 3 hours', 'to 2']);
    await reads(page, ['Needs a hand', '1 failed', 'Rent of Harbour Lane', '1 of 2 failed: No such mailbox']);
    await reads(page, ['Deliveries', 'the last 30 days']);
    await page.getByRole('img', { name: 'Email: 1 sent and 1 failed in 30 days, 2 on the busiest' }).waitFor();
    await page.getByRole('img', { name: 'SMS: 1 sent and 0 failed in 30 days, 1 on the busiest' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
      for (const width of [1440, 768, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await expectFits(page);
      }
      await expectAccessible(page);
    }
    await page.context().close();
  });

  it('leads from what has failed to the job that needs a hand, by keyboard', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Rent of Harbour Lane' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('b@example.com').waitFor();
    expect(new URL(page.url()).pathname).toBe('/jobs');
    await page.context().close();
  });

  it('is calm where nothing is due and nothing has failed', async () => {
    const page = await open(house.empty);
    await reads(page, [
      'Nothing is due in the next 24 hours.',
      'Nothing has failed in the last seven days.',
      'Nothing has been sent yet. What goes out is counted here, day by day.',
    ]);
    await page.context().close();
  });

  it('shows the shape of what comes, and says what could not be had', async () => {
    const held = await open(workspace, {
      before: (page: Parameters<typeof holdBack>[0]) => holdBack(page, '/api/dashboard/day'),
    });
    await held.getByRole('list', { name: 'Loading what goes out next' }).waitFor();
    await held.context().close();
    const page = await open(workspace, {
      before: async (broken: Parameters<typeof breakDown>[0]) => {
        await breakDown(broken, '/api/dashboard/day');
        await breakDown(broken, '/api/dashboard/deliveries');
      },
    });
    await reads(page, ['What goes out next could not be loaded', outage, 'What has failed could not be loaded.']);
    await reads(page, ['The deliveries could not be loaded']);
    await page.context().close();
  });
});
