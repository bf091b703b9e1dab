import { describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { sample } from '#testing/sample.ts';
import { expectGood } from './looks.ts';
import { breakDown, delayRequests, describeScreens, outage, reads, restore } from './screens.fixture.ts';

const fixture = describeScreens();

async function newAdministrator(): Promise<{ as: TestPerson; workspace: string }> {
  const as = await fixture.signUp('Ann Lee');
  await fixture.owner.query('update profiles set is_system_admin = true where id = $1', [as.userId]);
  return { as, workspace: await as.createWorkspace(`Head Office ${crypto.randomUUID().slice(0, 8)}`) };
}

/** A worker that was killed an hour and a half ago, an alert of today, and deliveries of some days. */
async function live(): Promise<void> {
  await fixture.owner.query(
    `insert into processes (id, role, version, host, pid, started_at, seen_at, cpu, memory_bytes, event_loop_delay_ms)
     values (uuidv7(), 'worker', '0.9.0', 'elm-street-2', 4711, now() - interval '3 hours', now() - interval '50 minutes', 0.2, 90000000, 3)
     on conflict do nothing`,
  );
  await fixture.owner.query(
    `insert into alerts (cause, day, detail, first_at, last_at, resolved_at)
     values ('disk_nearly_full', now()::date, '1.2 GiB of 40.0 GiB are free where DATA_DIR is.', now(), now(), null),
            ('backup_failed', now()::date, 'No space is left on the disk.', now(), now(), now())
     on conflict do nothing`,
  );
  await fixture.owner.query(
    `insert into delivery_days (day, channel, outcome, count)
     select (now() at time zone 'UTC')::date - n, channel, outcome, n * 10
       from generate_series(1, 20) n, (values ('sms', 'accepted'), ('sms', 'failed'), ('slack', 'accepted')) as v (channel, outcome)
     on conflict do nothing`,
  );
  await fixture.owner.query(
    `insert into minute_figures (minute, kind, counts)
     select date_trunc('minute', now()) - n * interval '1 minute', 'deliveries', array[n * 3, n] from generate_series(5, 30) n
     on conflict do nothing`,
  );
}

describe.concurrent('the System and Analytics tabs', () => {
  it('show how the installation runs, with the processes that are gone and what went wrong', async ({ expect }) => {
    await live();
    const page = await fixture.open('/admin?tab=system', await newAdministrator());
    await reads(page, ['CPU', 'Memory', 'Disk', 'Database', 'Queue', 'Response times', 'Lateness of deliveries']);
    await reads(page, ['The disk is nearly full', /1\.2 GiB of 40\.0 GiB are free/]);
    await page
      .getByRole('row', { name: /Worker.*elm-street-2.*Gone/s })
      .first()
      .waitFor();
    await page
      .getByRole('row', { name: /Running/ })
      .first()
      .waitFor();
    await page.getByRole('img', { name: /in the last hour, at most [\d,]+ in one minute/ }).waitFor();
    await expect.poll(() => page.getByRole('table', { name: 'Deliveries per minute' }).count()).toBe(1);
    await expect.poll(() => page.title()).toBe('System · Admin Console · Cuebird');
    await reads(page, ['A backup failed: over']);
    await expectGood(page);
    await page.getByRole('button', { name: 'Dismiss: The disk is nearly full' }).click();
    await expect.poll(() => page.getByText('The disk is nearly full').count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Alerts');
    await page.reload();
    await reads(page, ['A backup failed: over']);
    await expect.poll(() => page.getByText('The disk is nearly full').count()).toBe(0);
  });

  it('show how it grows and delivers, in any of four ranges', async ({ expect }) => {
    await live();
    const page = await fixture.open('/admin?tab=analytics', await newAdministrator());
    await reads(page, [
      'New Users',
      'New Workspaces',
      'Growth',
      'Delivery rates',
      /^By the day on which a message was due, in UTC, as Deliveries Today and the Success Rate above\./,
    ]);
    await page.getByRole('img', { name: /^SMS: [\d,]+ sent and [\d,]+ failed in 30 days/ }).waitFor();
    await page.getByRole('img', { name: /^Users: \d+ new from/ }).waitFor();
    await expect.poll(() => page.getByRole('table', { name: 'Deliveries per day and channel' }).count()).toBe(1);
    await expectGood(page);
    await page.getByRole('combobox', { name: 'Days' }).click();
    await page.getByRole('option', { name: 'Last 365 days' }).click();
    await page.getByRole('img', { name: /^SMS: [\d,]+ sent and [\d,]+ failed in 53 weeks/ }).waitFor();
  });

  const parts = [
    { tab: 'system', path: '/api/admin/system', title: 'Error loading system data', text: 'Response times' },
    { tab: 'analytics', path: '/api/admin/analytics', title: 'Error loading analytics', text: 'New Users' },
  ];
  it.for(sample.draw(parts, { name: 'parts of the system that fail', count: 1 }))(
    'wait, fail with a word, and can be tried again: $tab',
    async ({ tab, path, title, text }) => {
      const administrator = await newAdministrator();
      let goOn = () => {};
      const slow = await fixture.open(`/admin?tab=${tab}`, {
        ...administrator,
        before: async (page) => {
          goOn = await delayRequests(page, path);
        },
      });
      await slow.getByRole('status', { name: 'Loading' }).first().waitFor();
      await expectGood(slow, [390, 1440]);
      goOn();
      await reads(slow, [text]);
      await fixture.leave(slow);
      const failing = await fixture.open(`/admin?tab=${tab}`, {
        ...administrator,
        before: (page) => breakDown(page, path),
      });
      await reads(failing, [title, outage]);
      await expectGood(failing, [390, 1440]);
      await restore(failing);
      await failing.getByRole('button', { name: 'Retry' }).click();
      await reads(failing, [text]);
    },
  );

  it('keep their figures while they cannot be read again, and say so', async ({ expect }) => {
    const page = await fixture.open('/admin?tab=system', {
      ...(await newAdministrator()),
      own: { baseURL: fixture.url },
      before: (opened) => opened.clock.install(),
    });
    await reads(page, ['Response times']);
    await breakDown(page, '/api/admin/system');
    const line = page
      .getByRole('status')
      .filter({ hasText: `Error loading system data: ${outage} What you see is from` });
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000);
        return line.count();
      })
      .toBe(1);
    await reads(page, ['Response times']);
  });

  it('say so where nothing was delivered and nobody was new', async () => {
    const administrator = await newAdministrator();
    const nothing = { sent: 0, failed: 0, success_rate: 100, growth: [], deliveries: [], channels: [] };
    const page = await fixture.open('/admin?tab=analytics', {
      ...administrator,
      before: (opened) =>
        opened.route(
          (url) => url.pathname === '/api/admin/analytics',
          (route) =>
            route.fulfill({
              json: { from: '2026-03-01', to: '2026-03-30', new_users: 0, new_workspaces: 0, ...nothing },
            }),
        ),
    });
    await reads(page, ['Nothing was delivered on these days.', 'Nobody and nothing was new on these days.', '100.0%']);
    await expectGood(page, [390, 1440]);
  });
});
