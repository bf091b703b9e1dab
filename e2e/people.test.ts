import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sampleReminder } from '#testing/samples.ts';
import { expectGood, loadedWidths } from './looks.ts';
import { breakDown, describeScreens, outage, reads, toast, type Visit } from './screens.fixture.ts';

const fixture = describeScreens();

/** Twelve tenants of two buildings, a group of one building, and a caretaker. */
async function tenants() {
  const workspace = await fixture.ann.createWorkspace(`Elm ${crypto.randomUUID().slice(0, 8)}`);
  const contacts = Array.from({ length: 12 }, (_, at) => ({
    name: `Tenant ${at + 1}`,
    email: `tenant${at + 1}@example.com`,
    tags: at < 3 ? ['tenant', 'VIP'] : ['tenant'],
    variables: { building: at < 8 ? '12 Elm' : '7 Oak' },
  }));
  await fixture.call(workspace, { path: '/api/contacts/batch', body: { contacts } });
  const carl = await fixture.call(workspace, {
    path: '/api/contacts',
    body: { name: 'Carl Care', phone: '+4915112345678' },
  });
  const rule = { match: 'all', conditions: [{ test: 'is', variable: 'building', value: '12 elm' }] };
  const elm = await fixture.call(workspace, { path: '/api/contact-groups', body: { name: '12 Elm', rule } });
  return { workspace, elm: elm.id, carl: carl.id };
}

async function openPeople(workspace: string, { path = '/reminders/new', ...visit }: Visit & { path?: string } = {}) {
  const page = await fixture.open(path, { as: fixture.ann, workspace, ...visit });
  await page.getByRole('tab', { name: 'Channels' }).click();
  await field(page).waitFor();
  return page;
}

const field = (page: Page) => page.getByRole('combobox', { name: 'People', exact: true });
const option = (page: Page, name: string) => page.getByRole('option', { name, exact: true });

async function choose(page: Page, { typed, name }: { typed: string; name: string }): Promise<void> {
  await field(page).fill(typed);
  await option(page, name).waitFor();
  await field(page).press('ArrowDown');
  await field(page).press('Enter');
}

/** Runs in the page: closes the dialog in front, and as soon as it is gone, before any timer, the one behind it. */
function escapeTwice(): void {
  const press = () =>
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  const watch = new MutationObserver(() => {
    if (document.querySelectorAll('[role="dialog"]').length > 1) return;
    watch.disconnect();
    press();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  press();
}

describe('the people of a reminder', () => {
  it('are chosen by keyboard, counted once each, and saved without any other recipient', async () => {
    const { workspace, elm, carl } = await tenants();
    const page = await openPeople(workspace);
    await choose(page, { typed: 'elm', name: '12 Elm' });
    await reads(page, ['8 people belong to it now.']);
    await choose(page, { typed: 'vip', name: 'VIP' });
    await choose(page, { typed: 'Carl', name: 'Carl Care' });
    await reads(page, ['9 people belong to it now.']);
    await expectGood(page);
    await page.getByRole('tab', { name: 'Basic Info' }).click();
    await page.getByLabel('Title').fill('Rent');
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByLabel('Subject').fill('Rent is due');
    await page.getByLabel('Message').fill('Please pay.');
    await page.getByRole('button', { name: 'Create Reminder', exact: true }).click();
    await toast(page, { title: 'Success!', text: 'Reminder has been created successfully.' });
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/reminders' });
    expect(data[0].metadata.audience).toEqual({ groups: [elm], tags: ['VIP'], contacts: [carl] });
    expect(data[0].content.recipients).toEqual([]);
  });

  it('are there when the reminder is opened again, by their names, and can be removed', async () => {
    const { workspace, elm, carl } = await tenants();
    const audience = { everyone: true, groups: [elm], tags: ['vip'], contacts: [carl] };
    const body = {
      ...sampleReminder,
      status: 'draft',
      content: { ...sampleReminder.content, recipients: [] },
      metadata: { ...sampleReminder.metadata, audience },
    };
    const { id } = await fixture.call(workspace, { path: '/api/reminders', body });
    await fixture.call(workspace, { method: 'DELETE', path: `/api/contact-groups/${elm}` });
    for (const width of loadedWidths()) {
      const page = await openPeople(workspace, { path: `/reminders/${id}/edit`, width });
      await reads(page, ['Everyone', 'A deleted group', 'vip', 'Carl Care', '13 people belong to it now.']);
      await expectGood(page);
      await field(page).press('Backspace');
      await page.getByText('Carl Care').waitFor({ state: 'detached' });
    }
  });

  it('get their tags in the form of a contact, and the list shows them', async () => {
    const { workspace } = await tenants();
    const page = await fixture.open('/contacts?search=Carl', { as: fixture.ann, workspace });
    await page.getByRole('button', { name: 'Edit Carl Care', exact: true }).click();
    const tags = page.getByRole('combobox', { name: 'Tags', exact: true });
    await tags.fill('vip');
    await option(page, 'VIP').waitFor();
    await tags.press('ArrowDown');
    await tags.press('Enter');
    await tags.fill('caretaker');
    await tags.press('Enter');
    await tags.press('Escape');
    await page.getByRole('button', { name: 'Save Contact', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await reads(page, ['VIP', 'caretaker']);
    await expectGood(page);
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/contacts?search=Carl' });
    expect(data[0].tags).toEqual(['VIP', 'caretaker']);
  });

  it('are listed with the pending job, with the group through which they are reached', async () => {
    const { workspace, elm } = await tenants();
    const body = {
      ...sampleReminder,
      status: 'active',
      schedule_config: { ...sampleReminder.schedule_config, startDate: '2099-01-01T09:00:00' },
      content: { ...sampleReminder.content, message: 'Hello', recipients: [] },
      metadata: { ...sampleReminder.metadata, audience: { groups: [elm] } },
    };
    await fixture.call(workspace, { path: '/api/reminders', body });
    const suppression = { channel: 'email', recipient: 'tenant2@example.com' };
    await fixture.call(workspace, { path: '/api/suppressions', body: suppression });
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/jobs' });
    const page = await fixture.open(`/jobs?job=${data[0].id}`, { as: fixture.ann, workspace });
    await reads(page, ['Tenant 1', 'tenant1@example.com · group 12 Elm', '7 get it']);
    const job = page.getByRole('dialog', { name: 'Job details' });
    await expect.poll(() => job.getByRole('list').first().innerText()).not.toContain('tenant2@');
    const suppressed = job.getByRole('button', { name: '1 suppressed', exact: true });
    await suppressed.click();
    await reads(page, ['On the suppression list for Email']);
    await expectGood(page);
    await job.getByRole('link', { name: 'Open Tenant 2', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Tenant 2', exact: true }).waitFor();
    await page.getByRole('list', { name: 'Do not contact' }).waitFor();
    await page.goBack();
    await job.waitFor();
  });

  it('are told by what they lack before it is activated, and mended from there', async () => {
    const { workspace } = await tenants();
    const contacts = Array.from({ length: 10 }, (_, at) => ({
      email: `tenant${at + 1}@example.com`,
      variables: { Amount: '950' },
    }));
    await fixture.call(workspace, { path: '/api/contacts/batch', body: { contacts } });
    await fixture.call(workspace, {
      path: '/api/suppressions',
      body: { channel: 'email', recipient: 'tenant2@example.com' },
    });
    const body = {
      ...sampleReminder,
      status: 'draft',
      content: { ...sampleReminder.content, message: 'Pay {{amount}}', values: {}, recipients: [] },
      metadata: { ...sampleReminder.metadata, audience: { everyone: true } },
    };
    const { id } = await fixture.call(workspace, { path: '/api/reminders', body });
    const page = await openPeople(workspace, { path: `/reminders/${id}/edit` });
    const counts = page.getByRole('group', { name: 'Who gets it', exact: true });
    const count = (name: string) => counts.getByRole('button', { name, exact: true });
    for (const name of ['9 get it', '1 suppressed', '2 lack amount', '1 has no email address'])
      await count(name).waitFor();
    await expectGood(page);
    await count('1 has no email address').click();
    await page.getByRole('button', { name: 'Edit Carl Care', exact: true }).click();
    const contact = page.getByRole('dialog', { name: 'Edit Contact' });
    await contact.getByLabel('Email').fill('carl@example.com');
    await contact.getByRole('button', { name: 'Save Contact', exact: true }).click();
    await contact.waitFor({ state: 'detached' });
    const list = page.getByRole('dialog', { name: 'All mended' });
    await list.getByText('Nobody is left in this list.').waitFor();
    // The button that opened the form is gone.
    await expect.poll(() => list.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await count('3 lack amount').click();
    const lacking = page.getByRole('dialog', { name: '3 lack amount' });
    await lacking.getByText('Has no value for amount').first().waitFor();
    await expectGood(page);
    await lacking
      .getByRole('button', { name: /Tenant/ })
      .first()
      .click();
    await page.locator('textarea[aria-label="amount"]:focus').waitFor();
    await page.evaluate(escapeTwice);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByRole('group', { name: 'Who it reaches' }).getByText('9 get it').waitFor();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('combobox', { name: 'For' }).fill('Tenant 12');
    await option(page, 'Tenant 12 <tenant12@example.com>').click();
    await preview.getByText('Without a value: amount.').waitFor();
    await page.getByLabel('Message').fill('Please pay.');
    await count('12 get it').waitFor();
  });

  it('are asked for once more before a reminder is activated that reaches nobody', async () => {
    const { workspace } = await tenants();
    const body = {
      ...sampleReminder,
      status: 'draft',
      schedule_config: { ...sampleReminder.schedule_config, startDate: '2099-01-01T09:00:00' },
      content: { ...sampleReminder.content, message: 'Hello', recipients: [] },
      metadata: { ...sampleReminder.metadata, audience: { tags: ['moved out'] } },
    };
    const { id } = await fixture.call(workspace, { path: '/api/reminders', body });
    const page = await openPeople(workspace, { path: `/reminders/${id}/edit` });
    await page.getByLabel('Start reminder immediately after creation').check();
    const question = page.getByRole('dialog', { name: 'Nobody would get this reminder' });
    const answer = async (name: string) => {
      await question.getByText('Nobody belongs to the audience.').waitFor();
      await expectGood(page);
      await question.getByRole('button', { name, exact: true }).click();
      await question.waitFor({ state: 'detached' });
    };
    const save = page.getByRole('button', { name: 'Update Reminder', exact: true });
    await save.click();
    await answer('Cancel');
    await save.click();
    await answer('Activate anyway');
    await toast(page, { title: 'Success!', text: 'Reminder has been updated successfully.' });
    await reads(page, ['moved out · reaches nobody now']);
    await page.goto(`/reminders/${id}`);
    await reads(page, ['It reaches nobody now. Nobody belongs to the audience.']);
    await expectGood(page);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await answer('Activate anyway');
    await toast(page, { title: 'Success', text: 'Reminder resumed successfully' });
  });

  it('say when nobody belongs to them, and when they cannot be counted', async () => {
    const { workspace } = await tenants();
    const rule = { match: 'all', conditions: [{ test: 'has_tag', tag: 'nobody has it' }] };
    await fixture.call(workspace, { path: '/api/contact-groups', body: { name: 'Empty', rule } });
    const page = await openPeople(workspace);
    await choose(page, { typed: 'empty', name: 'Empty' });
    await reads(page, ['Nobody belongs to it now.', 'It reaches nobody now. Nobody belongs to the audience.']);
    await breakDown(page, '/api/audience/count');
    await choose(page, { typed: 'vip', name: 'VIP' });
    await reads(page, [`The number of people could not be loaded. ${outage}`]);
    await expectGood(page);
  });
});
