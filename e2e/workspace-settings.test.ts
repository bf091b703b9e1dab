import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder } from '#testing/samples.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

type Team = { workspace: string; name: string; dana: TestPerson; finn: TestPerson };

/** A workspace with an owner and a member. */
async function newTeam(): Promise<Team> {
  const name = `Oak Lane ${crypto.randomUUID().slice(0, 8)}`;
  const [dana, finn] = await Promise.all([fixture.signUp('Dana Owens'), fixture.signUp('Finn Moss')]);
  const workspace = await dana.createWorkspace(name);
  await addMember(fixture.owner, { workspace, userId: finn.userId, role: 'member' });
  return { workspace, name, dana, finn };
}

const manage = (workspace: string, tab = 'settings') => `/admin/workspace/${workspace}/manage?tab=${tab}`;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

const save = (page: Page) => page.getByRole('button', { name: 'Save Settings' });
const saved = { title: 'Settings updated', text: 'Workspace settings have been saved successfully.' };

async function choose(page: Page, select: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: select }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

describe.concurrent('the settings of a workspace', () => {
  it('name what is not saved, keep it over another tab, and drop it when that is wanted', async ({ expect }) => {
    const { workspace, name, dana } = await newTeam();
    const page = await fixture.open(manage(workspace), { as: dana, workspace });
    await reads(page, ['Everything is saved.']);
    await page.getByLabel('Name', { exact: true }).fill('');
    await page.getByLabel('Delete jobs after days').fill('7');
    await page.getByRole('switch', { name: 'Auto Archive Jobs' }).click();
    await reads(page, ['Not saved: Name, Auto Archive Jobs, Delete jobs after days.']);
    await save(page).click();
    await reads(page, ['Workspace name is required', 'must be at least 30 days']);
    await expectGood(page);
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await reads(page, ['Not saved: Name, Auto Archive Jobs, Delete jobs after days.']);
    await page.getByRole('switch', { name: 'Auto Archive Jobs' }).click();
    await reads(page, ['Not saved: Name, Delete jobs after days.']);
    await page.getByRole('button', { name: 'Discard' }).click();
    await reads(page, ['Everything is saved.']);
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe(name);
    await expect.poll(() => save(page).isDisabled()).toBe(true);
  });

  it('ask before what is not saved is lost, by a link or by signing out', async ({ expect }) => {
    const { workspace, name, dana } = await newTeam();
    const page = await fixture.open(manage(workspace), { as: dana, workspace });
    await page.getByLabel('Company name').fill('Elm & Sons');
    await page.getByRole('link', { name: 'Back to Admin' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByText(`Your changes to the settings of ${name} are not saved.`).waitFor();
    await expectGood(page, [390, 1440]);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const signOut = page.getByRole('dialog', { name: 'Sign out without saving?' });
    await signOut.getByText('Your changes on this screen are not saved. Signing out discards them.').waitFor();
    await signOut.getByRole('button', { name: 'Cancel' }).click();
    await signOut.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Company name').inputValue()).toBe('Elm & Sons');
    await page.getByRole('link', { name: 'Back to Admin' }).click();
    await question.getByRole('button', { name: 'Leave without saving' }).click();
    await heading(page, 'Admin Console');
  });

  it('cap how many messages one address gets, in a sentence that says what that means', async ({ expect }) => {
    const { workspace, dana, finn } = await newTeam();
    const page = await fixture.open(manage(workspace), { as: dana, workspace });
    const [perDay, perWeek] = ['day', 'week'].map((span) => page.getByLabel(`Messages to one address a ${span}`));
    await perDay?.fill('0');
    await reads(page, ['Not saved: Frequency cap.']);
    await save(page).click();
    await page.getByText('must be at least 1', { exact: true }).waitFor();
    await perDay?.fill('2');
    await perWeek?.fill('5');
    await expectGood(page, [390, 1440]);
    await save(page).click();
    await toast(page, saved);
    const sentence =
      /^One address or number gets at most 2 messages a day and 5 a week that people can leave, by days in /;
    await reads(page, ['Everything is saved.', sentence]);
    const members = await fixture.open(manage(workspace, 'overview'), { as: finn, workspace });
    await reads(members, [sentence]);
    await perDay?.fill('');
    await perWeek?.fill('');
    await save(page).click();
    await reads(page, ['One address or number gets any number of messages.']);
    const log = await fixture.open(manage(workspace, 'audit'), { as: dana, workspace });
    await expect.poll(() => log.getByText('frequency cap').count()).toBeGreaterThan(1);
  });

  it('lead to the field that is wrong', async ({ expect }) => {
    const { workspace, dana } = await newTeam();
    const page = await fixture.open(manage(workspace), { as: dana, workspace, width: 390 });
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('');
    await save(page).click();
    await reads(page, ['Workspace name is required']);
    await expect.poll(() => name.evaluate((input) => input === document.activeElement)).toBe(true);
  });

  it('take effect where they count: names, rules and switches', async ({ expect }) => {
    const { workspace, dana } = await newTeam();
    const page = await fixture.open(manage(workspace), { as: dana, workspace });
    await page.getByLabel('Name', { exact: true }).fill('Elm Street');
    await page.getByLabel('Description').fill('Rents and repairs');
    await page.getByLabel('Company name').fill('Elm & Sons');
    await page.getByRole('switch', { name: 'Allow Public Templates' }).click();
    await page.getByRole('switch', { name: 'Auto Archive Jobs' }).click();
    await choose(page, 'Missed occurrences', 'Send none of them');
    await save(page).click();
    await toast(page, saved);
    await page.getByRole('button', { name: 'Workspace: Elm Street' }).waitFor();
    await page.getByRole('tab', { name: 'Overview' }).click();
    await reads(page, ['Rents and repairs', 'Elm & Sons']);
    expect((await dana.call('GET', `/api/workspaces/${workspace}`, { workspace })).json.settings).toEqual({
      companyName: 'Elm & Sons',
      allowPublicTemplates: true,
      autoArchiveJobs: true,
      misfire: 'skip',
    });

    await page.goto('/jobs?archived=only');
    await reads(page, ['A completed job moves here 30 days after it has ended.']);
    const { json } = await dana.call('POST', '/api/reminders', {
      workspace,
      body: {
        ...sampleReminder,
        content: { ...sampleReminder.content, message: 'Yours, {{company_name}}' },
      },
    });
    await page.goto(`/reminders/${json.id}/edit`);
    await page.getByRole('tab', { name: 'Content' }).click();
    await reads(page, ['Yours, Elm & Sons']);
    await page.getByRole('tab', { name: 'Schedule' }).click();
    const rule = page.getByRole('combobox', { name: 'Missed occurrences' });
    await expect.poll(() => rule.inputValue()).toBe("Workspace's default (send none of them)");
    await choose(page, 'Missed occurrences', 'Send each of them, at most 100');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Update Reminder' }).click();
    await heading(page, 'Reminders');
    const stored = async () =>
      (await dana.call('GET', `/api/reminders/${json.id}`, { workspace })).json.metadata.misfire;
    expect(await stored()).toBe('all');
    await page.goto(`/reminders/${json.id}/edit`);
    await page.getByRole('tab', { name: 'Schedule' }).click();
    await expect.poll(() => rule.inputValue()).toBe('Send each of them, at most 100');
    await choose(page, 'Missed occurrences', "Workspace's default (send none of them)");
    await page.getByRole('button', { name: 'Update Reminder' }).click();
    await heading(page, 'Reminders');
    expect(await stored()).toBeUndefined();
  });

  it('are shown to members, who are told who changes them', async ({ expect }) => {
    const { workspace, dana, finn } = await newTeam();
    await dana.call('PATCH', `/api/workspaces/${workspace}`, {
      workspace,
      body: { settings: { retentionDays: 90, misfire: 'all', companyName: 'Elm & Sons' } },
    });
    const page = await fixture.open(manage(workspace), { as: finn, workspace });
    await reads(page, [
      'Owners and admins change these.',
      'Elm & Sons',
      '90',
      'Send each of them, at most 100',
      'Messages go out at any time.',
    ]);
    const settings = page.getByRole('region', { name: 'Settings' });
    await expect.poll(() => settings.getByRole('button').count()).toBe(0);
    await expectGood(page);
  });
});

describe.concurrent('a workspace that is deleted', () => {
  async function remove(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Delete workspace' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
    await dialog.getByLabel('Name of the workspace').fill(name);
    await dialog.getByRole('button', { name: 'Delete workspace' }).click();
  }

  it('asks for its name first, and says why it was not deleted', async () => {
    const { workspace, name, dana } = await newTeam();
    const page = await fixture.open(manage(workspace), { as: dana, workspace });
    await page.getByRole('button', { name: 'Delete workspace' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
    await dialog.getByLabel('Name of the workspace').fill('Oak');
    await dialog.getByRole('button', { name: 'Delete workspace' }).click();
    await dialog.locator('.mantine-TextInput-error').getByText(`Type ${name}`).waitFor();
    await expectGood(page, [390, 1440]);
    await dialog.getByLabel('Name of the workspace').fill(name);
    await breakDown(page, `/api/workspaces/${workspace}/delete`);
    await dialog.getByRole('button', { name: 'Delete workspace' }).click();
    await toast(page, { title: 'Error deleting workspace', text: outage });
    await restore(page);
  });

  it('says so at once on everybody’s open screen, and is as it was once an owner restores it', async ({ expect }) => {
    const { workspace, name, dana, finn } = await newTeam();
    await dana.call('POST', '/api/reminders', { workspace, body: { ...sampleReminder, name: 'Rent of June' } });
    const theirs = await fixture.open('/reminders', { as: finn, workspace });
    await reads(theirs, ['Rent of June']);
    const page = await fixture.open(manage(workspace), { as: dana, workspace });
    await remove(page, name);
    await toast(page, { title: 'Workspace deleted', text: `For 7 days you can restore ${name}.` });
    await reads(page, [/Until then you can restore it\.$/]);
    await expectGood(page);
    await reads(theirs, [/Until then an owner can restore it\.$/]);
    await expect.poll(() => theirs.getByRole('main').getByRole('button').allInnerTexts()).toEqual(['Leave workspace']);
    await theirs.goto('/jobs');
    await reads(theirs, ['This workspace is being deleted']);
    await expectAccessible(theirs);
    await page.getByRole('button', { name: `Workspace: ${name}` }).click();
    await page.getByRole('option', { name: /being deleted/i }).waitFor();
    await page.keyboard.press('Escape');
    await breakDown(page, `/api/workspaces/${workspace}/restore`);
    await page.getByRole('button', { name: 'Restore workspace' }).click();
    await toast(page, { title: 'Error restoring workspace', text: outage });
    await restore(page);
    await page.getByRole('button', { name: 'Restore workspace' }).click();
    await toast(page, { title: 'Workspace restored', text: `Everything in ${name} is as it was.` });
    await page.getByRole('tab', { name: 'Settings' }).waitFor();
    await heading(theirs, 'Job Scheduler');
    await theirs.goto('/reminders');
    await reads(theirs, ['Rent of June']);
  });

  it('can be left by its members, is reached from another one, and is not the first that opens', async () => {
    const { workspace, name, dana, finn } = await newTeam();
    await finn.createWorkspace('My own');
    await dana.call('POST', `/api/workspaces/${workspace}/delete`, { workspace, body: { name } });
    const page = await fixture.open('/dashboard', { as: finn });
    await page.getByRole('button', { name: 'Workspace: My own' }).waitFor();
    await page.goto(manage(workspace));
    await reads(page, ['This workspace is being deleted']);
    await page.getByRole('button', { name: 'Leave workspace' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave workspace' }).click();
    await toast(page, { title: 'Access ended', text: `You are no longer a member of ${name}.` });
    await heading(page, 'Dashboard');
  });

  it('cannot be restored once its week is over', async ({ expect }) => {
    const { workspace, name, dana } = await newTeam();
    await dana.call('POST', `/api/workspaces/${workspace}/delete`, { workspace, body: { name } });
    await fixture.owner.query("update workspaces set delete_after = now() - interval '1 minute' where id = $1", [
      workspace,
    ]);
    const page = await fixture.open('/dashboard', { as: dana, workspace });
    await reads(page, [/The week in which an owner could restore it is over/]);
    await expect.poll(() => page.getByRole('button', { name: 'Restore workspace' }).count()).toBe(0);
    await expectGood(page, [390, 1440]);
  });

  it('leaves the account open to its owner, who can then delete it, as can somebody in no workspace', async ({
    expect,
  }) => {
    const { workspace, name, dana, finn } = await newTeam();
    await dana.call('POST', `/api/workspaces/${workspace}/delete`, { workspace, body: { name } });
    const page = await fixture.open('/dashboard', { as: dana, workspace });
    await reads(page, ['This workspace is being deleted']);
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await heading(page, 'Settings');
    await page.getByRole('button', { name: 'Delete account' }).waitFor();
    await fixture.leave(page);

    await fixture.owner.query('delete from workspace_members where user_id = $1', [finn.userId]);
    const alone = await fixture.open('/dashboard', { as: finn });
    await alone.getByRole('link', { name: 'Settings' }).click();
    await heading(alone, 'Settings');
    await expectGood(alone, [390, 1440]);
    await alone.getByRole('button', { name: 'Delete account' }).click();
    const dialog = alone.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByRole('textbox').fill(finn.email);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await alone.getByRole('tab', { name: 'Sign In' }).waitFor();
    expect((await finn.call('GET', '/api/profile')).status).toBe(401);
  });
});
