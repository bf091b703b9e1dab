import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { sample } from '#testing/sample.ts';
import { expectGood } from './looks.ts';
import { breakDown, delayRequests, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

/** An administrator of the installation with a workspace, and a name that no other test has. */
async function newAdministrator(): Promise<{ ann: TestPerson; workspace: string; mark: string }> {
  const mark = crypto.randomUUID().slice(0, 8);
  const ann = await fixture.signUp(`Ann ${mark}`);
  await fixture.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
  return { ann, mark, workspace: await ann.createWorkspace(`Head Office ${mark}`) };
}

/** A landlord, whose name has the mark of a test. */
async function newLandlord(mark: string): Promise<{ dana: TestPerson; office: string; name: string }> {
  const dana = await fixture.signUp(`Dana Owens ${mark}`);
  const name = `Elm Street ${mark}`;
  return { dana, name, office: await dana.createWorkspace(name) };
}

const tabs = (page: Page) => page.getByRole('tab').allInnerTexts();
const act = async (page: Page, name: string, label: string) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: label, exact: true }).click();
};

describe.concurrent('what the operator has not set', () => {
  it('is listed with what it means, and ticked off', async ({ expect }) => {
    const { ann, workspace } = await newAdministrator();
    const page = await fixture.open('/admin', { as: ann, workspace });
    const list = page.getByRole('region', { name: 'Before you let others in' });
    await list.getByText('The privacy page and the terms do not say who runs this installation.').waitFor();
    await expectGood(page);
    const boxes = list.getByRole('checkbox');
    const count = await boxes.count();
    for (let at = 0; at < count; at += 1) await boxes.nth(at).click();
    await list.waitFor({ state: 'detached' });
    await page.reload();
    await reads(page, ['Total Users']);
    expect(await list.count()).toBe(0);
  });
});

describe.concurrent('the admin console', () => {
  it('shows administrators everybody, and what they can do for or against them', async ({ expect }) => {
    const { ann, workspace, mark } = await newAdministrator();
    const { dana } = await newLandlord(mark);
    const page = await fixture.open('/dashboard', { as: ann, workspace });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Admin' }).click();
    await page.getByRole('heading', { level: 1, name: 'Admin Console' }).waitFor();
    await reads(page, ['Total Users', 'Total Workspaces', 'Deliveries Today', 'Success Rate']);
    await expect.poll(() => tabs(page)).toEqual(expect.arrayContaining(['Users', 'Workspaces', 'Logs']));
    const name = `Dana Owens ${mark}`;
    await page.getByRole('searchbox', { name: 'Search users by name or email' }).fill(mark);
    await reads(page, [dana.email, 'Unverified', '2 shown, newest first']);
    await expectGood(page);
    await act(page, name, 'Verify email address');
    await page.getByRole('dialog').getByRole('button', { name: 'Verify email address' }).click();
    await toast(page, { title: 'Address verified', text: `${dana.email} counts as confirmed.` });
    await act(page, name, 'Make administrator');
    await page.getByRole('dialog').getByRole('button', { name: 'Make administrator' }).click();
    await toast(page, { title: 'Administrator made', text: `${name} administers this installation now.` });
    await act(page, name, 'Remove as administrator');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove as administrator' }).click();
    await toast(page, {
      title: 'Administrator removed',
      text: `${name} no longer administers this installation.`,
    });
    await act(page, name, 'Suspend');
    await page.getByRole('dialog', { name: `Suspend ${name}?` }).waitFor();
    await expectGood(page, [390, 1440]);
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await reads(page, ['Suspended']);
    await expect.poll(async () => (await dana.call('GET', '/api/workspaces')).status).toBe(401);
    await act(page, name, 'Lift suspension');
    await toast(page, { title: 'Suspension lifted', text: `${name} can sign in again.` });
    await page.getByRole('searchbox', { name: 'Search users by name or email' }).fill(`${mark} nobody`);
    await reads(page, ['No users found']);
    await expectGood(page, [390, 1440]);
  });

  it('opens at its top on a phone, with the tab that is shown in sight', async ({ expect }) => {
    const { ann, workspace } = await newAdministrator();
    const page = await fixture.open('/admin?tab=logs&log=unknown', { as: ann, workspace, width: 390 });
    await reads(page, ['Before you let others in', /^Paths without a page/]);
    for (const strip of ['[role=tab][aria-selected=true]', 'label[data-active]'])
      await expect
        .poll(() =>
          page
            .locator(strip)
            .filter({ hasText: /^(Logs|Unknown paths)$/ })
            .evaluate((part) => {
              const { left, right } = part.getBoundingClientRect();
              return left >= 0 && right <= innerWidth;
            }),
        )
        .toBe(true);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  it('lists every workspace, which opens in a new window, is suspended and goes on', async ({ expect }) => {
    const { ann, workspace, mark } = await newAdministrator();
    const { dana, office, name } = await newLandlord(mark);
    const page = await fixture.open(`/admin?tab=workspaces&search=${mark}`, { as: ann, workspace });
    await reads(page, [name, `Head Office ${mark}`, dana.email, '2 shown, newest first']);
    await expectGood(page);
    const opening = page.waitForEvent('popup');
    await page.getByRole('link', { name: `Manage ${name}, in a new window` }).click();
    const opened = await opening;
    await opened.getByRole('heading', { level: 1, name }).waitFor();
    await reads(opened, ['Members', dana.email, 'Owner']);
    await expectGood(opened, [390, 1440]);
    await opened.getByRole('link', { name: 'Analytics' }).click();
    await opened.getByRole('heading', { level: 1, name: `${name} Analytics` }).waitFor();
    await reads(opened, ['Total Templates', '100.0%']);
    await expectGood(opened, [390, 1440]);
    await opened.getByRole('link', { name: 'Back to Admin' }).click();
    await opened.getByRole('heading', { level: 1, name: 'Admin Console' }).waitFor();
    await opened.close();

    await act(page, name, 'Suspend');
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend workspace' }).click();
    await toast(page, { title: 'Workspace suspended', text: 'Nothing of it is sent any more.' });
    const member = await fixture.open('/reminders', { as: dana, workspace: office });
    await reads(member, ['This workspace is suspended']);
    await expectGood(member, [390, 1440]);
    await fixture.leave(member);
    await act(page, name, 'Lift suspension');
    await expect.poll(async () => (await dana.call('GET', '/api/reminders', { workspace: office })).status).toBe(200);
    await fixture.owner.query("update workspaces set delete_after = now() + interval '3 days' where id = $1", [office]);
    await page.reload();
    await reads(page, ['Deleted']);
    await act(page, name, 'Restore');
    await toast(page, { title: 'Workspace restored', text: 'Everything in it is as it was.' });
  });

  it('shows what ran, what the processes log and what was done, by keyboard too', async ({ expect }) => {
    const { ann, workspace, mark } = await newAdministrator();
    await newLandlord(mark);
    await fixture.owner.query(
      `with job as (
         insert into jobs (workspace_id, name, type, status, scheduled_for, run_at)
         values ($1, $2, 'reminder', 'failed', now(), now()) returning id, workspace_id
       )
       insert into job_executions (workspace_id, job_id, status, started_at, duration_ms, error_message)
       select workspace_id, id, 'failed', now(), 1200, 'The mail server refused' from job`,
      [workspace, `Rent ${mark}`],
    );
    await fixture.owner.query(
      `insert into log_entries (created_at, level, process, message, details)
       values (now(), 'error', 'worker 7 on mail', $1, '{"provider": "smtp"}')`,
      [`A delivery of ${mark} failed`],
    );
    const page = await fixture.open('/admin', { as: ann, workspace });
    await page.getByRole('tab', { name: 'Users' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Workspaces', selected: true }).waitFor();
    await page.getByRole('tab', { name: 'Logs' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=logs');
    await reads(page, [`Rent ${mark}`, 'The mail server refused', '1.2s']);
    await expectGood(page);
    await page.getByText('Application', { exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search the log' }).fill(mark);
    await reads(page, [`A delivery of ${mark} failed`, 'worker 7 on mail', '1 shown']);
    await expectGood(page);
    await page.getByRole('searchbox', { name: 'Search the log' }).fill(`${mark} nothing`);
    await reads(page, ['No lines found']);
    await page.getByText('Audit log', { exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search the audit log' }).fill(mark);
    await page.getByRole('cell', { name: 'Signed up' }).first().waitFor();
    await expectGood(page);
    await page.getByText('Deleted workspaces', { exact: true }).click();
    await page.getByRole('region', { name: 'Deleted workspaces' }).waitFor();
    await expectGood(page, [390, 1440]);
  });

  it('opens the workspaces of others for an administrator who belongs to none', async () => {
    const mark = crypto.randomUUID().slice(0, 8);
    const ann = await fixture.signUp(`Ann ${mark}`);
    await fixture.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
    const { dana, office, name } = await newLandlord(mark);
    const page = await fixture.open(`/admin/workspace/${office}/manage`, { as: ann });
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await reads(page, [dana.email, 'Create a workspace']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('link', { name: 'Analytics' }).click();
    await page.getByRole('heading', { level: 1, name: `${name} Analytics` }).waitFor();
    await reads(page, ['Total Templates']);
  });

  it('says what fails of a workspace that is not the own one, and can be tried again', async () => {
    const { ann, workspace, mark } = await newAdministrator();
    const { office, name } = await newLandlord(mark);
    for (const [screen, path, title] of [
      ['manage', `/api/admin/workspaces/${office}`, 'Error loading workspace'],
      ['analytics', `/api/admin/workspaces/${office}/analytics`, 'Error loading analytics'],
    ] as const) {
      const page = await fixture.open(`/admin/workspace/${office}/${screen}`, {
        as: ann,
        workspace,
        before: (opened) => breakDown(opened, path),
      });
      await reads(page, [title, outage]);
      await restore(page);
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await fixture.leave(page);
    }
  });

  it('is limited to the own workspaces for everybody else', async ({ expect }) => {
    const mark = crypto.randomUUID().slice(0, 8);
    const { dana, office, name } = await newLandlord(mark);
    const page = await fixture.open('/admin', { as: dana, workspace: office });
    await reads(page, ['The workspaces that you own or administer', name]);
    await expect.poll(() => tabs(page)).toEqual(['Workspaces', 'Logs']);
    await expect.poll(() => page.getByRole('button', { name: `Actions for ${name}` }).count()).toBe(0);
    await expectGood(page, [390, 1440]);
    await page.getByRole('tab', { name: 'Logs' }).click();
    await reads(page, ['Nothing has run yet.']);
    await expectGood(page, [390, 1440]);
    await fixture.leave(page);
    const nora = await fixture.open('/admin', { as: fixture.newcomer });
    await reads(nora, ['You administer no workspace']);
    expect(await nora.getByRole('main').innerText()).not.toMatch(/Success Rate|100\.0 %|Total Users/);
    await expectGood(nora, [390, 1440]);
  });

  it('shows what would go out while deliveries are paused, and resumes them', async ({ expect }) => {
    const { ann, workspace } = await newAdministrator();
    let asked: unknown = null;
    const page = await fixture.open('/admin', {
      as: ann,
      workspace,
      // The server of all tests delivers.
      before: (before) =>
        before.route(
          (url) => url.pathname === '/api/admin/delivery-pause',
          (route) => {
            if (route.request().method() === 'POST') {
              asked = route.request().postDataJSON();
              return route.fulfill({ json: { state: 'delivering', missed: 2 } });
            }
            return route.fulfill({ json: asked === null ? paused : delivering });
          },
        ),
    });
    await reads(page, ['Deliveries are paused']);
    await expectGood(page);
    await page.getByRole('button', { name: 'See what would go out' }).click();
    await reads(page, ['Rent of March', 'By workspace']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('radio', { name: 'Record all of them as missed' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume deliveries' }).click();
    await toast(page, { title: 'Deliveries resumed', text: '2 occurrences recorded as missed.' });
    expect(asked).toEqual({ overdue: 'missed' });
    await expect.poll(() => page.getByText('Deliveries are paused').count()).toBe(0);
  });

  it.each([
    ['unrecognized', 'A fail-over is not recognized', 'may be sent twice'],
    ['not_synchronous', 'A fail-over pauses deliveries', 'waits for no standby at the moment'],
  ])('says what is unexpected of a fail-over: %s', async (after, title, why) => {
    const { ann, workspace } = await newAdministrator();
    const page = await fixture.open('/admin', {
      as: ann,
      workspace,
      // The server of all tests has no standby.
      before: (before) =>
        before.route(
          (url) => url.pathname === '/api/admin/delivery-pause',
          (route) => route.fulfill({ json: { ...delivering, after_fail_over: after } }),
        ),
    });
    await reads(page, [title, new RegExp(why)]);
    await expectGood(page, [390, 1440]);
  });

  it('shows that it waits', async () => {
    const { ann, workspace } = await newAdministrator();
    let goOn = () => {};
    const slow = await fixture.open('/admin', {
      as: ann,
      workspace,
      before: async (page) => {
        goOn = await delayRequests(page, '/api/admin/overview');
      },
    });
    await slow.getByRole('status', { name: 'Loading...' }).waitFor();
    await expectGood(slow, [390, 1440]);
    goOn();
    await reads(slow, ['Total Users']);
  });

  it('asks for a second factor before anything is read below it', async ({ expect }) => {
    const { ann, workspace } = await newAdministrator();
    let goOn = () => {};
    let figures: Promise<unknown> = Promise.resolve();
    const page = await fixture.open('/admin', {
      as: ann,
      workspace,
      before: async (opened) => {
        goOn = await delayRequests(opened, '/api/two-factor');
        figures = opened.waitForResponse((response) => response.url().includes('/api/admin/overview'));
      },
    });
    await figures;
    await page.getByRole('status', { name: 'Loading...' }).waitFor();
    await expect.poll(() => page.getByText('Total Users').count()).toBe(0);
    goOn();
    await reads(page, ['Total Users', 'Turn on two-factor authentication']);
  });

  const parts = [
    ['/api/admin/overview', '/admin', 'Error loading admin data', 'Total Users'],
    ['/api/admin/people', '/admin', 'Error loading users', /@example\.com$/],
    ['/api/admin/workspaces', '/admin?tab=workspaces', 'Error loading workspaces', 'Members'],
    ['/api/admin/executions', '/admin?tab=logs', 'Error loading executions', 'Latest executions'],
    ['/api/admin/log', '/admin?tab=logs&log=application', 'Error loading the log', 'Application'],
    ['/api/admin/audit-log', '/admin?tab=logs&log=audit', 'Error loading the audit log', 'Signed up'],
  ] as const;
  it.each(sample.draw(parts, { name: 'parts of the console that fail', count: 2 }))(
    'says where %s fails, and can be tried again',
    async (path, address, title, settled) => {
      const { ann, workspace } = await newAdministrator();
      const failing = await fixture.open(address, {
        as: ann,
        workspace,
        before: (page) => breakDown(page, path),
      });
      await reads(failing, [title, outage]);
      await expectGood(failing, [390, 1440]);
      await restore(failing);
      await failing.getByRole('button', { name: 'Retry' }).click();
      await reads(failing, [settled]);
    },
  );
});

const id = '00000000-0000-4000-8000-000000000001';
const delivering = { state: 'delivering', after_fail_over: 'pauses' };
const paused = {
  ...delivering,
  state: 'paused',
  since: '2026-03-02T09:00:00Z',
  reason: 'restored',
  backup_of: '2026-03-01T23:00:00Z',
  due: 3,
  later: 12,
  workspaces: [
    { workspace_id: id, name: 'Elm Street', due: 2, later: 10 },
    { workspace_id: id.replace(/1$/, '2'), name: 'Oak Lane', due: 1, later: 2 },
  ],
  first: [
    {
      workspace_id: id,
      workspace: 'Elm Street',
      name: 'Rent of March',
      scheduled_for: '2026-03-02T08:00:00Z',
      recipients: 3,
      refusal: null,
    },
    {
      workspace_id: id,
      workspace: 'Elm Street',
      name: 'Inspection',
      scheduled_for: '2026-03-02T08:30:00Z',
      recipients: 1,
      refusal: 'Missed: a later occurrence is due',
    },
  ],
};
