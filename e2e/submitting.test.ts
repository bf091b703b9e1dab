import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';
import { expectGood } from './looks.ts';
import { delayRequests, describeScreens, outage, reads, toast } from './screens.fixture.ts';

const fixture = describeScreens();

async function newPerson(): Promise<{ dana: TestPerson; workspace: string }> {
  const dana = await fixture.signUp('Dana Owens');
  return { dana, workspace: await dana.createWorkspace('Elm Street') };
}

async function openCreateWorkspace(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^Workspace: / }).click();
  await page.getByRole('option', { name: 'Create Workspace' }).click();
  return page.getByRole('dialog', { name: 'Create Workspace' });
}

/** What has the keyboard's focus. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

it('a form that edits goes over the change of somebody else only after a question, and keeps what was typed', async ({
  expect,
}) => {
  const { dana, workspace } = await newPerson();
  const { id } = (await dana.call('POST', '/api/reminders', { workspace, body: sampleReminder })).json;
  const page = await fixture.open(`/reminders/${id}/edit`, { as: dana, workspace });
  const title = page.getByLabel('Title');
  await title.waitFor();
  await dana.call('PUT', `/api/reminders/${id}`, { workspace, body: { ...sampleReminder, name: 'Theirs' } });
  const nameNow = async () => (await dana.call('GET', `/api/reminders/${id}`, { workspace })).json.name;
  await title.fill('Mine');
  await page.getByRole('button', { name: 'Update Reminder' }).click();
  const question = page.getByRole('dialog', { name: 'This reminder has changed' });
  await question.getByRole('link', { name: 'See it as it is now' }).waitFor();
  await expectGood(page);
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect.poll(() => title.inputValue()).toBe('Mine');
  expect(await nameNow()).toBe('Theirs');
  await page.getByRole('button', { name: 'Update Reminder' }).click();
  await question.getByRole('button', { name: 'Save mine' }).click();
  await toast(page, { title: 'Success!', text: 'Reminder has been updated successfully.' });
  expect(await nameNow()).toBe('Mine');
});

describe.concurrent('a form that creates', () => {
  it('creates one workspace by a double click, and one by Enter pressed twice', async ({ expect }) => {
    const { dana, workspace } = await newPerson();
    const page = await fixture.open('/dashboard', { as: dana, workspace });
    const names = async () => {
      const { json } = await dana.call('GET', '/api/workspaces');
      return json.data.map(({ name }: { name: string }) => name);
    };
    const dialog = await openCreateWorkspace(page);
    await dialog.getByLabel('Workspace name').fill('Oak Lane');
    await dialog.getByRole('button', { name: 'Create Workspace' }).dblclick();
    await page.getByRole('button', { name: 'Workspace: Oak Lane' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await openCreateWorkspace(page);
    await dialog.getByLabel('Workspace name').fill('Mill Road');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Workspace: Mill Road' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => names()).toEqual(['Elm Street', 'Oak Lane', 'Mill Road']);
  });

  it('leads from the first workspace to the heading of its dashboard', async ({ expect }) => {
    const page = await fixture.open('/dashboard', { as: await fixture.signUp('Finn Oduya') });
    await page.getByLabel('Workspace name').fill('Elm Street');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Workspace: Elm Street' }).waitFor();
    await expect.poll(() => focused(page)).toBe('Dashboard');
  });

  it('creates one contact and one invitation by a double click, and keeps the link of the invitation on screen', async ({
    expect,
  }) => {
    const { dana, workspace } = await newPerson();
    const page = await fixture.open('/contacts', { as: dana, workspace });
    await page.getByRole('button', { name: 'Add Contact' }).first().click();
    const contact = page.getByRole('dialog', { name: 'Add Contact' });
    await contact.getByLabel('Name', { exact: true }).fill('Carl Care');
    await contact.getByRole('button', { name: 'Add Contact' }).dblclick();
    await contact.waitFor({ state: 'detached' });
    expect((await dana.call('GET', '/api/contacts', { workspace })).json.data).toHaveLength(1);

    await page.goto(`/admin/workspace/${workspace}/manage?tab=members`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const invite = page.getByRole('dialog', { name: 'Invite to Elm Street' });
    const email = `${randomUUID()}@example.com`;
    await invite.getByLabel('Email').fill(email);
    await invite.getByRole('button', { name: 'Send invitation' }).dblclick();
    await reads(page, [new RegExp(`^The invitation was mailed to ${email}`)]);
    // Some people click twice more slowly than a server answers.
    await invite.getByRole('button', { name: 'Done' }).dispatchEvent('click', { detail: 2 });
    await invite.getByRole('button', { name: 'Copy invitation link' }).waitFor();
    await invite.getByRole('button', { name: 'Done' }).click();
    await invite.waitFor({ state: 'detached' });
    const { json } = await dana.call('GET', `/api/workspaces/${workspace}/invitations`, { workspace });
    expect(json.data).toHaveLength(1);
  });

  it('keeps the focus on its button while it works, and after it was refused', async ({ expect }) => {
    const { dana, workspace } = await newPerson();
    const page = await fixture.open('/dashboard', { as: dana, workspace });
    const dialog = await openCreateWorkspace(page);
    await dialog.getByLabel('Workspace name').fill('Oak Lane');
    const fulfill = Promise.withResolvers<void>();
    await page.route('**/api/workspaces', async (route) => {
      await fulfill.promise;
      await route.fulfill({ status: 500, json: { error: { code: 'internal', message: outage, request_id: 'r-1' } } });
    });
    const button = dialog.getByRole('button', { name: 'Create Workspace' });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => button.getAttribute('data-loading')).toBe('true');
    await expect.poll(async () => [await focused(page), await button.isDisabled()]).toEqual(['Create Workspace', true]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    fulfill.resolve();
    await toast(page, { title: 'Error creating workspace', text: outage });
    await expect.poll(() => button.isDisabled()).toBe(false);
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Create Workspace');
  });

  it('keeps the focus on the button of settings that are saved', async ({ expect }) => {
    const { dana, workspace } = await newPerson();
    const page = await fixture.open('/profile', { as: dana, workspace });
    await page.getByLabel('Name').fill('Dana Moss');
    const save = page.getByRole('button', { name: 'Save profile' });
    const release = await delayRequests(page, '/api/profile');
    await save.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => save.getAttribute('data-loading')).toBe('true');
    release();
    await toast(page, { title: 'Profile saved', text: '' });
    await expect.poll(() => save.isDisabled()).toBe(true);
    await expect.poll(() => focused(page)).toBe('Save profile');
  });
});

describe.concurrent('a dialog', () => {
  it('keeps what was typed, and the focus, while the window becomes as narrow as a phone and wide again', async ({
    expect,
  }) => {
    const { dana, workspace } = await newPerson();
    const page = await fixture.open('/dashboard', { as: dana, workspace });
    const dialog = await openCreateWorkspace(page);
    const name = dialog.getByLabel('Workspace name');
    await name.fill('Oak Lane');
    for (const width of [390, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(async () => (await dialog.boundingBox())?.width).toBe(width === 390 ? 390 : 480);
      expect([await name.inputValue(), await name.evaluate((input) => input === document.activeElement)]).toEqual([
        'Oak Lane',
        true,
      ]);
    }
  });
});

describe.concurrent('the toasts of a phone', () => {
  it('are one at a time, below the bar', async ({ expect }) => {
    const { dana, workspace } = await newPerson();
    await dana.createWorkspace('Oak Lane');
    await dana.createWorkspace('Mill Road');
    await dana.createWorkspace('Birch Row');
    const page = await fixture.open('/dashboard', { as: dana, workspace, width: 390 });
    const bar = await page.getByRole('banner').boundingBox();
    await page.evaluate(rememberToasts);
    for (const name of ['Oak Lane', 'Mill Road', 'Birch Row', 'Elm Street']) {
      await page.getByRole('button', { name: /^Workspace: / }).click();
      await page.getByRole('option', { name: new RegExp(name) }).click();
      await page.getByRole('button', { name: `Workspace: ${name}` }).waitFor();
      // A choice from a list that is closing is none.
      await page.getByRole('option').first().waitFor({ state: 'hidden' });
    }
    // A toast stays as long as a mouse rests on it.
    await page.mouse.move(0, 0);
    await reads(page, ['Now working in Elm Street']);
    const newest = page.locator('.mantine-Notification-root').filter({ hasText: 'Now working in Elm Street' });
    await expect
      .poll(async () => (await newest.boundingBox())?.y)
      .toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
    expect(await page.evaluate(() => window.mostToasts)).toBe(1);
  });
});

declare global {
  interface Window {
    mostToasts: number;
  }
}

/** Runs in the page: the most toasts that it has shown at once, without those that fade. */
function rememberToasts(): void {
  window.mostToasts = 0;
  new MutationObserver(() => {
    const toasts = [...document.querySelectorAll<HTMLElement>('.mantine-Notification-root')];
    const shown = toasts.filter(({ style }) => style.maxHeight !== '0px');
    window.mostToasts = Math.max(window.mostToasts, shown.length);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['style'] });
}
