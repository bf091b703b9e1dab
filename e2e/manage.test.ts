import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import {
  breakDown,
  delayRequests,
  describeScreens,
  outage,
  reads,
  restore,
  toast,
  type Visit,
} from './screens.fixture.ts';

const fixture = describeScreens();

const hookedReminder = {
  name: 'Contact form',
  schedule_config: {
    type: 'event-based',
    eventTrigger: 'custom_webhook',
    delayAmount: 0,
    delayUnit: 'minutes',
    timezone: 'UTC',
  },
  content: { subject: 'Form', message: 'Sent', recipients: ['erin@example.com'] },
  metadata: { channels: ['email'] },
};

type Team = { workspace: string; name: string; dana: TestPerson; erin: TestPerson; finn: TestPerson };

/** A workspace with an owner, an admin and a member. */
async function newTeam(): Promise<Team> {
  const name = `Oak Lane ${crypto.randomUUID().slice(0, 8)}`;
  const [dana, erin, finn] = await Promise.all([
    fixture.signUp('Dana Owens'),
    fixture.signUp('Erin Adams'),
    fixture.signUp('Finn Moss'),
  ]);
  const workspace = await dana.createWorkspace(name);
  await addMember(fixture.owner, { workspace, userId: erin.userId, role: 'admin' });
  await addMember(fixture.owner, { workspace, userId: finn.userId, role: 'member' });
  return { workspace, name, dana, erin, finn };
}

const manage = (workspace: string, tab = '') => `/admin/workspace/${workspace}/manage${tab && `?tab=${tab}`}`;

const open = (as: TestPerson, path: string, visit: Visit = {}) => fixture.open(path, { as, ...visit });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

describe.concurrent('the screen that manages a workspace', () => {
  it('gives each member a calendar feed at an address that is shown once', async ({ expect }) => {
    const { workspace, finn } = await newTeam();
    const page = await open(finn, manage(workspace), { workspace });
    await page.getByRole('button', { name: 'Create feed: All reminders' }).click();
    const dialog = page.getByRole('dialog', { name: 'Subscribe to the calendar' });
    const url = (await dialog.locator('code').textContent()) ?? '';
    expect((await fetch(url)).status).toBe(200);
    await expectGood(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'End feed: All reminders' }).click();
    await toast(page, { title: 'Calendar feed ended', text: 'Its address answers no more.' });
    await page.getByRole('button', { name: 'Create feed: All reminders' }).waitFor();
    expect((await fetch(url)).status).toBe(404);
  });

  it('is reached from the switcher, shows what the workspace is, and leads back', async ({ expect }) => {
    const { workspace, name, dana } = await newTeam();
    const page = await open(dana, '/dashboard', { workspace });
    await page.getByRole('button', { name: /Workspace:/ }).click();
    await page.getByRole('option', { name: 'Manage Workspace' }).click();
    await heading(page, name);
    await expect.poll(() => new URL(page.url()).pathname).toBe(manage(workspace));
    await reads(page, ['Members', '3', 'Plan', 'Free', 'Status', 'Active', 'No description', 'Created']);
    await expectGood(page);
    await page.getByRole('tab', { name: 'Billing' }).click();
    await page.getByRole('heading', { name: 'Plan' }).waitFor();
    await expect.poll(() => page.getByText('Renewal date').count()).toBe(0);
    await fixture.owner.query(
      "update workspaces set subscription_tier = 'premium', subscription_status = 'past_due', subscription_end_date = '2027-03-01T12:00:00Z' where id = $1",
      [workspace],
    );
    await page.reload();
    await reads(page, ['Premium', 'Past due', 'Renewal date', '1 Mar 2027']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('link', { name: 'Back to Admin' }).click();
    await heading(page, 'Admin Console');
  });

  it('acts on the workspace of its address, which need not be the current one', async ({ expect }) => {
    const { workspace, name, dana } = await newTeam();
    const current = await dana.createWorkspace('The current one');
    const page = await open(dana, manage(workspace, 'settings'), { workspace: current });
    await heading(page, name);
    await page.getByRole('switch', { name: 'Auto Archive Jobs' }).click();
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await toast(page, { title: 'Settings updated', text: 'Workspace settings have been saved successfully.' });
    const { json } = await dana.call('GET', '/api/workspaces');
    const settings = json.data.map(({ id, settings: of }: { id: string; settings: object }) => [id, of]);
    expect(Object.fromEntries(settings)).toEqual({ [workspace]: { autoArchiveJobs: true }, [current]: {} });
    await page.getByRole('button', { name: 'Workspace: The current one' }).waitFor();
  });

  it('has a place for every setting, keeps what was typed when saving fails, and saves only that', async ({
    expect,
  }) => {
    const { workspace, dana } = await newTeam();
    const page = await open(dana, manage(workspace, 'settings'), { workspace });
    await reads(page, [
      'Allow templates from this workspace to be publicly visible',
      'Automatically archive completed jobs after 30 days',
      'Messages go out at any time.',
    ]);
    const save = page.getByRole('button', { name: 'Save Settings' });
    await expect.poll(() => save.isDisabled()).toBe(true);
    const days = page.getByLabel('Delete jobs after days');
    await days.fill('7');
    await save.click();
    await reads(page, ['must be at least 30 days']);
    await days.fill('90');
    await page.getByRole('combobox', { name: /^When it is unknown/ }).click();
    await page.getByRole('option', { name: /^Do not send it again/ }).click();
    await breakDown(page, `/api/workspaces/${workspace}`);
    await save.click();
    await toast(page, { title: 'Error updating settings', text: outage });
    await restore(page);
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await expect.poll(() => days.inputValue()).toBe('90');
    const admin = await dana.call('PATCH', `/api/workspaces/${workspace}`, {
      workspace,
      body: { settings: { allowPublicTemplates: true } },
    });
    expect(admin.status).toBe(200);
    await save.click();
    await toast(page, { title: 'Settings updated', text: 'Workspace settings have been saved successfully.' });
    const { json } = await dana.call('GET', `/api/workspaces/${workspace}`, { workspace });
    expect(json.settings).toEqual({ allowPublicTemplates: true, retentionDays: 90, unknownOutcomes: 'prefer_miss' });
    await expect.poll(() => page.getByRole('switch', { name: 'Allow Public Templates' }).isChecked()).toBe(true);
    await expectGood(page);

    await page.getByRole('button', { name: 'Sending hours' }).click();
    await page.getByRole('switch', { name: 'Send within these hours only' }).press('Space');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page
      .getByRole('main')
      .getByText(/go out Mon–Fri 08:00–20:00/)
      .waitFor();
  });

  it('promotes, demotes and removes members, after asking, and says so', async ({ expect }) => {
    const { workspace, name, erin } = await newTeam();
    const page = await open(erin, manage(workspace), { workspace });
    await page.getByRole('tab', { name: 'Members' }).click();
    await rowOf(page, 'Finn Moss').waitFor();
    await expect.poll(() => rowOf(page, 'Dana Owens').locator('[data-role="owner"]').count()).toBe(1);
    await expect.poll(() => rowOf(page, 'Dana Owens').getByRole('button').count()).toBe(0);
    await expect.poll(() => rowOf(page, 'Erin Adams (you)').getByRole('button').allInnerTexts()).toEqual(['Demote']);
    await expectGood(page);
    await page.getByRole('button', { name: 'Promote Finn Moss' }).click();
    await toast(page, { title: 'Member role updated', text: 'Finn Moss is now an admin.' });
    await rowOf(page, 'Finn Moss').locator('[data-role="admin"]').waitFor();
    await page.getByRole('button', { name: 'Demote Finn Moss' }).click();
    await toast(page, { title: 'Member role updated', text: 'Finn Moss is now a member.' });
    await page.getByRole('button', { name: 'Remove Finn Moss' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove Finn Moss?' });
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Finn Moss' }).click();
    await dialog.getByRole('button', { name: 'Remove member' }).click();
    await toast(page, { title: 'Member removed', text: `Finn Moss is no longer a member of ${name}.` });
    await expect.poll(() => rowOf(page, 'Finn Moss').count()).toBe(0);
  });

  it('removes somebody with their keys, but for one that goes on for the team, and gives a hook a new address', async ({
    expect,
  }) => {
    const { workspace, name, dana, erin } = await newTeam();
    const keyOf = async (key: string) =>
      (await erin.call('POST', '/api/api-keys', { workspace, body: { name: key, scopes: ['read'] } })).json;
    const [shop, laptop] = [await keyOf('Shop'), await keyOf('Laptop')];
    const { json: reminder } = await dana.call('POST', '/api/reminders', { workspace, body: hookedReminder });
    const hook = async () => (await dana.call('GET', `/api/reminders/${reminder.id}/hook`, { workspace })).json.url;
    const address = await hook();

    const page = await open(dana, manage(workspace, 'members'), { workspace });
    await page.getByRole('button', { name: 'Remove Erin Adams' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove Erin Adams?' });
    await dialog.getByRole('checkbox', { name: /^Shop \(cue_/ }).check();
    await expect
      .poll(() => dialog.getByRole('combobox', { name: 'They belong to' }).inputValue())
      .toMatch(/^Dana Owens/);
    await dialog.getByRole('checkbox', { name: 'Contact form' }).check();
    await expectGood(page, [390, 1440]);
    await dialog.getByRole('button', { name: 'Remove member' }).click();
    await toast(page, {
      title: 'Member removed',
      text: `Erin Adams is no longer a member of ${name}. One hook has a new address.`,
    });

    const statusWith = async ({ key }: { key: string }) =>
      (await dana.call('GET', '/api/contacts', { headers: { authorization: `Bearer ${key}`, cookie: '' } })).status;
    expect([await statusWith(shop), await statusWith(laptop)]).toEqual([200, 401]);
    expect(await hook()).not.toBe(address);
    await page.getByRole('tab', { name: 'API keys' }).click();
    await page.getByText(/Belongs to Dana Owens\. Created/).waitFor();
    await expectGood(page, [390, 1440]);
  });

  it('says in the server’s words what was refused, and keeps the list', async () => {
    const { workspace, dana, erin, finn } = await newTeam();
    const page = await open(erin, manage(workspace, 'members'), { workspace });
    await rowOf(page, 'Finn Moss').waitFor();
    const { json } = await dana.call('GET', `/api/workspaces/${workspace}/members`, { workspace });
    const { id } = json.data.find(({ user_id }: { user_id: string }) => user_id === finn.userId);
    await breakDown(page, `/api/workspaces/${workspace}/members/${id}`);
    await page.getByRole('button', { name: 'Promote Finn Moss' }).click();
    await toast(page, { title: 'Error updating member role', text: outage });
    await page.getByRole('button', { name: 'Remove Finn Moss' }).click();
    await page.getByRole('button', { name: 'Remove member' }).click();
    await toast(page, { title: 'Error removing member', text: outage });
  });

  it('shows Unknown for somebody without a name', async () => {
    const { workspace, dana, finn } = await newTeam();
    await fixture.owner.query("update profiles set full_name = '' where id = $1", [finn.userId]);
    const page = await open(dana, manage(workspace, 'members'), { workspace });
    await rowOf(page, finn.email).getByText('Unknown', { exact: true }).waitFor();
  });

  it('shows members the overview and the members, and nothing that they may not do', async ({ expect }) => {
    const { workspace, name, finn } = await newTeam();
    const page = await open(finn, manage(workspace, 'settings'), { workspace });
    await heading(page, name);
    await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['Overview', 'Members', 'Topics']);
    await page.getByRole('tab', { name: 'Members' }).click();
    await rowOf(page, 'Dana Owens').waitFor();
    await expect.poll(() => page.getByRole('main').getByRole('button').allInnerTexts()).toEqual(['Leave workspace']);
    await expectGood(page, [390, 1440]);
  });

  it('is not found by anybody else, and says while it loads that it does, and why it could not', async () => {
    const { workspace, name, dana } = await newTeam();
    for (const path of [manage(workspace), manage(crypto.randomUUID()), manage('nonsense')]) {
      const page = await open(fixture.ann, path, { workspace: fixture.full });
      await reads(page, ['Workspace not found']);
      await expectAccessible(page);
      await fixture.leave(page);
    }
    let goOn = () => {};
    const page = await open(dana, manage(workspace), {
      workspace,
      before: async (opened) => {
        goOn = await delayRequests(opened, `/api/workspaces/${workspace}`);
      },
    });
    await heading(page, 'Loading...');
    goOn();
    await heading(page, name);
    await fixture.leave(page);

    const failing = await open(dana, manage(workspace), {
      workspace,
      before: (opened) => breakDown(opened, `/api/workspaces/${workspace}`),
    });
    await toast(failing, { title: 'Error loading workspace', text: outage });
    await restore(failing);
    await failing.getByRole('button', { name: 'Retry' }).click();
    await heading(failing, name);
  });

  it('transfers the ownership to another member, after which its former owner can step down further', async ({
    expect,
  }) => {
    const { workspace, name, dana } = await newTeam();
    const page = await open(dana, manage(workspace, 'members'), { workspace });
    await page.getByRole('button', { name: 'Transfer ownership' }).click();
    const dialog = page.getByRole('dialog', { name: 'Transfer ownership' });
    await dialog.getByRole('button', { name: 'Transfer ownership' }).click();
    await reads(page, ['Choose a member']);
    await dialog.getByRole('combobox', { name: 'New owner' }).click();
    await page.getByRole('option', { name: /^Finn Moss/ }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Transfer ownership' }).click();
    await toast(page, { title: 'Ownership transferred', text: `Finn Moss now owns ${name}. You are an admin.` });
    await rowOf(page, 'Finn Moss').locator('[data-role="owner"]').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Transfer ownership' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Demote Dana Owens' }).click();
    const question = page.getByRole('dialog', { name: 'Demote yourself?' });
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Become a member' }).click();
    await toast(page, { title: 'Member role updated', text: 'Dana Owens is now a member.' });
    await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['Overview', 'Members', 'Topics']);
  });

  it('lets members leave for another workspace, or for none, and tells its only member what to do instead', async ({
    expect,
  }) => {
    const { workspace, name, dana, finn } = await newTeam();
    const page = await open(finn, manage(workspace, 'members'), { workspace });
    await page.getByRole('button', { name: 'Leave workspace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave workspace' }).click();
    await toast(page, { title: 'Access ended', text: `You are no longer a member of ${name}.` });
    await heading(page, 'Welcome to Cuebird, Finn');
    await fixture.leave(page);

    const own = await dana.createWorkspace('My own');
    const staying = await open(dana, manage(own, 'members'), { workspace });
    await reads(staying, [
      'The owner cannot leave. Invite whom you want to hand it over to, or delete it on the Settings tab.',
    ]);
    for (const name of ['Leave workspace', 'Transfer ownership'])
      await expect.poll(() => staying.getByRole('button', { name }).count()).toBe(0);
    await expectGood(staying, [390, 1440]);
  });

  it('closes the open screen of somebody who is removed, with a word, and another workspace follows', async () => {
    const { workspace, name, dana, finn } = await newTeam();
    await finn.createWorkspace('My own');
    const page = await open(finn, '/reminders', { workspace });
    await page.getByRole('button', { name: `Workspace: ${name}` }).waitFor();
    await heading(page, 'Reminders');
    const { json } = await dana.call('GET', `/api/workspaces/${workspace}/members`, { workspace });
    const { id } = json.data.find(({ user_id }: { user_id: string }) => user_id === finn.userId);
    await page.waitForFunction(() => document.visibilityState === 'visible');
    await dana.call('DELETE', `/api/workspaces/${workspace}/members/${id}`, { workspace, body: {} });
    await toast(page, { title: 'Access ended', text: `You are no longer a member of ${name}.` });
    await page.getByRole('button', { name: 'Workspace: My own' }).waitFor();
    await heading(page, 'Reminders');
  });

  it('shows a new role at once on an open screen', async () => {
    const { workspace, dana, finn } = await newTeam();
    const page = await open(finn, manage(workspace), { workspace });
    await page.getByRole('tab', { name: 'Members' }).waitFor();
    const { json } = await dana.call('GET', `/api/workspaces/${workspace}/members`, { workspace });
    const { id } = json.data.find(({ user_id }: { user_id: string }) => user_id === finn.userId);
    await dana.call('PATCH', `/api/workspaces/${workspace}/members/${id}`, { workspace, body: { role: 'admin' } });
    await page.getByRole('tab', { name: 'Settings' }).waitFor();
  });
});
