import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sampleReminder } from '#testing/samples.ts';
import type { TestPerson } from '#testing/cuebird.ts';
import { password } from './person.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { describeScreens, reads, toast } from './screens.fixture.ts';

const fixture = describeScreens();

/** Somebody with a workspace and a browser of their own, at the form. */
async function comer(path = '/reminders/new') {
  const person = await fixture.signUp('Ben Ito');
  const workspace = await person.createWorkspace('Elm Street');
  const page = await fixture.open(path, { as: person, workspace });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { person, workspace, page };
}

const title = (page: Page) => page.getByLabel('Title');
const isBack = (page: Page) => page.getByText(/^Your unsaved changes from \d\d:\d\d have been restored$/).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const drafts = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('cuebird.draft.')));
/** Waits until what is kept holds this text. */
const keeps = (page: Page, text: string) =>
  page.waitForFunction(
    (wanted) =>
      Object.keys(localStorage).some(
        (key) => key.startsWith('cuebird.draft.') && localStorage.getItem(key)?.includes(wanted),
      ),
    text,
  );

describe.concurrent('what is typed into the reminder form', () => {
  it('is back after a reload, wherever it was typed, and can be discarded and had back', async ({ expect }) => {
    const { page } = await comer();
    await page.getByLabel('Describe it in one line').fill('every monday at 9');
    await title(page).fill('Half written');
    await page.getByRole('tab', { name: 'Channels' }).click();
    await page.getByRole('combobox', { name: 'Recipients', exact: true }).fill('ann@exam');
    await page.reload();
    await isBack(page);
    await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toBe('Channels');
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Recipients', exact: true }).inputValue())
      .toBe('ann@exam');
    await expect.poll(() => page.getByLabel('Describe it in one line').inputValue()).toBe('every monday at 9');

    await page.getByRole('tab', { name: 'Basic Info' }).click();
    await expect.poll(() => title(page).inputValue()).toBe('Half written');
    await press(page, 'Discard');
    await reads(page, ['Your unsaved changes are discarded.']);
    await expect.poll(() => title(page).inputValue()).toBe('');
    expect(await drafts(page)).toEqual([]);
    await press(page, 'Undo');
    await expect.poll(() => title(page).inputValue()).toBe('Half written');
    await keeps(page, 'Half written');
  });

  it('survives a closed tab without a question, in its workspace alone, until it is saved', async ({ expect }) => {
    const { page, person } = await comer();
    const other = await person.createWorkspace('Mill Road');
    await title(page).fill('Boiler check');
    const asked: string[] = [];
    page.on('dialog', (dialog) => void dialog.accept().then(() => asked.push(dialog.type())));
    const closed = page.waitForEvent('close');
    await page.close({ runBeforeUnload: true });
    await closed;
    expect(asked).toEqual([]);

    const next = await page.context().newPage();
    await next.goto('/reminders/new');
    await isBack(next);
    await expect.poll(() => title(next).inputValue()).toBe('Boiler check');
    await next.getByRole('button', { name: /Elm Street/ }).click();
    await next.getByRole('option', { name: /Mill Road/ }).click();
    await next.waitForFunction((id) => localStorage.getItem('cuebird.workspace') === id, other);
    await next.waitForFunction(
      () => document.querySelector<HTMLInputElement>('input[placeholder="Rent is due"]')?.value === '',
    );
    await next.getByRole('button', { name: /Mill Road/ }).click();
    await next.getByRole('option', { name: /Elm Street/ }).click();
    await isBack(next);

    await next.getByRole('tab', { name: 'Channels' }).click();
    await next.getByRole('combobox', { name: 'Recipients', exact: true }).fill('ann@example.com');
    await next.getByRole('tab', { name: 'Content' }).click();
    await next.getByLabel('Subject').fill('Boiler');
    await next.getByLabel('Message').fill('It is checked today.');
    await press(next, 'Create Reminder');
    await toast(next, { title: 'Success!', text: 'Reminder has been created successfully.' });
    await next.waitForURL('**/reminders');
    expect(await drafts(next)).toEqual([]);
  });

  it('survives a crash', async ({ expect }) => {
    const { page } = await comer();
    await title(page).fill('Before the crash');
    await keeps(page, 'Before the crash');
    const crashed = page.waitForEvent('crash');
    await page.goto('chrome://crash').catch(() => {});
    await crashed;
    const next = await page.context().newPage();
    await next.goto('/reminders/new');
    await isBack(next);
    await expect.poll(() => title(next).inputValue()).toBe('Before the crash');
  });

  it('stays where a part of the form cannot be loaded, which comes when it is asked for once more', async ({
    expect,
  }) => {
    const person = await fixture.signUp('Ben Ito');
    const workspace = await person.createWorkspace('Elm Street');
    const page = await fixture.open('/reminders/new', { as: person, workspace, own: {} });
    await title(page).fill('Written on a train');
    await page.getByRole('tab', { name: 'Channels' }).click();
    const push = page.getByRole('group', { name: 'Channels' }).getByRole('button', { name: 'Push' });
    await push.waitFor();
    await page.context().setOffline(true);
    await push.click();
    const missing = page.getByText('This part could not be loaded.');
    await missing.waitFor();
    await press(page, 'Try again');
    await page.getByRole('tab', { name: 'Basic Info' }).click();
    await expect.poll(() => title(page).inputValue()).toBe('Written on a train');
    await page.context().setOffline(false);
    await page.getByRole('tab', { name: 'Channels' }).click();
    await press(page, 'Try again');
    await missing.waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Basic Info' }).click();
    await expect.poll(() => title(page).inputValue()).toBe('Written on a train');
  });

  it('is gone after Cancel, once that is meant', async () => {
    const { page } = await comer();
    await title(page).fill('Not wanted');
    await keeps(page, 'Not wanted');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await press(page, 'Leave without saving');
    await page.waitForURL('**/reminders');
    expect(await drafts(page)).toEqual([]);
  });

  it('is there when the session has ended and the same person comes back, and for nobody else', async ({ expect }) => {
    const { page, person } = await comer();
    await complete(page, 'After lunch');
    // It ends as the reminder is on its way: whatever else the form asks for would lead away as well.
    await page.route('**/api/reminders', async (route) => {
      await person.call('POST', '/api/auth/sign-out', { body: {}, headers: { origin: fixture.url } });
      await route.continue();
    });
    await press(page, 'Create Reminder');
    await toast(page, { title: 'Error', text: 'User not authenticated' });
    await page.waitForURL('**/auth');
    await signIn(page, person);
    await page.goto('/reminders/new');
    await isBack(page);
    await expect.poll(() => title(page).inputValue()).toBe('After lunch');

    const stranger = await fixture.signUp('Eve Stone');
    await stranger.createWorkspace('Elsewhere');
    await page.context().clearCookies();
    await page.goto('/auth');
    await expect.poll(() => drafts(page)).toHaveLength(1);
    await signIn(page, stranger);
    await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith('cuebird.draft.')));
    await page.goto('/reminders/new');
    await title(page).waitFor();
    await expect.poll(() => title(page).inputValue()).toBe('');
  });

  it('is forgotten by signing out, which asks before', async ({ expect }) => {
    const { page } = await comer();
    await title(page).fill('Private');
    await keeps(page, 'Private');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('dialog', { name: 'Sign out without saving?' }).waitFor();
    await press(page, 'Sign out without saving');
    await page.waitForURL('**/auth');
    await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith('cuebird.draft.')));
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  it('of a reminder that somebody else has changed meanwhile waits for a choice', async ({ expect }) => {
    const { page, person, workspace } = await comer();
    const { json } = await person.call('POST', '/api/reminders', { workspace, body: sampleReminder });
    await page.goto(`/reminders/${json.id}/edit`);
    await title(page).fill('My title');
    await keeps(page, 'My title');
    const body = { ...sampleReminder, name: 'Their title' };
    const heardOf = page.waitForResponse((response) => response.url().endsWith(`/api/reminders/${json.id}`));
    await person.call('PUT', `/api/reminders/${json.id}`, { workspace, body });
    await heardOf;
    await expect.poll(() => title(page).inputValue()).toBe('My title');
    await page.reload();
    await page
      .getByText(/^This reminder has been changed since\. Your unsaved changes from \d\d:\d\d are still stored/)
      .waitFor();
    await expect.poll(() => title(page).inputValue()).toBe('Their title');
    await expectAccessible(page);
    await press(page, 'Restore');
    await isBack(page);
    await expect.poll(() => title(page).inputValue()).toBe('My title');
    await press(page, 'Discard');
    await expect.poll(() => title(page).inputValue()).toBe('Their title');
  });

  it('in one tab is not taken by another that is open beside it', async ({ expect }) => {
    const { page } = await comer();
    await title(page).fill('In the first tab');
    await keeps(page, 'In the first tab');
    const beside = await page.context().newPage();
    await beside.goto('/reminders/new');
    await title(beside).fill('In the second tab');
    // Longer than a tab waits before it keeps what is typed.
    await beside.waitForFunction(() => navigator.locks.query().then(({ pending }) => pending?.length === 0));
    await expect.poll(() => title(beside).inputValue()).toBe('In the second tab');
    await beside.getByRole('link', { name: 'Cancel' }).click();
    await press(beside, 'Leave without saving');
    await beside.waitForURL('**/reminders');
    await page.reload();
    await isBack(page);
    await expect.poll(() => title(page).inputValue()).toBe('In the first tab');
  });

  it('is asked for by the browser where it cannot be kept', async () => {
    const { page } = await comer();
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await title(page).click();
    await page.keyboard.type('Too large');
    const dialog = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    expect((await dialog).type()).toBe('beforeunload');
    await (await dialog).accept();
  });

  it('is told of on every width, light and dark', async () => {
    const { page } = await comer();
    await title(page).fill('Half written');
    await page.reload();
    await isBack(page);
    await expectGood(page);
    await isBack(page);
  });
});

async function complete(page: Page, name: string): Promise<void> {
  await title(page).fill(name);
  await page.getByRole('tab', { name: 'Channels' }).click();
  await page.getByRole('combobox', { name: 'Recipients', exact: true }).fill('ann@example.com');
  await page.getByRole('tab', { name: 'Content' }).click();
  await page.getByLabel('Subject').fill('Lunch');
  await page.getByLabel('Message').fill('It is over.');
}

async function signIn(page: Page, person: TestPerson): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL('**/dashboard');
}
