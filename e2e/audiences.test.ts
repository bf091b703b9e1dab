import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectGood } from './looks.ts';
import { breakDown, delayRequests, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

/** As many tenants, two thirds of them of 12 Elm. */
async function tenants(count: number): Promise<string> {
  const workspace = await fixture.ann.createWorkspace(`Elm ${crypto.randomUUID().slice(0, 8)}`);
  const contacts = Array.from({ length: count }, (_, at) => ({
    name: `Tenant ${String(at + 1).padStart(4, '0')}`,
    email: `tenant${at + 1}@example.com`,
    variables: { building: at % 3 === 0 ? '7 Oak' : '12 Elm' },
  }));
  for (let at = 0; at < count; at += 1_000)
    await fixture.call(workspace, { path: '/api/contacts/batch', body: { contacts: contacts.slice(at, at + 1_000) } });
  return workspace;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const jobsOf = async (workspace: string) => (await fixture.call(workspace, { method: 'GET', path: '/api/jobs' })).data;
/** What was written, found by its job. */
const writtenIn = async (workspace: string) => {
  const [job] = await jobsOf(workspace);
  return fixture.call(workspace, { method: 'GET', path: `/api/reminders/${job.reminder_id}` });
};
const audienceOf = async (workspace: string) => (await writtenIn(workspace)).metadata.audience;

/** To people who were chosen before: once, and now. */
async function writeReminder(page: Page, { people }: { people: string }): Promise<void> {
  await page.getByLabel('Title').fill('Rent');
  await page.getByRole('tab', { name: 'Content' }).click();
  await page.getByLabel('Subject').fill('Rent is due');
  await page.getByLabel('Message').fill('Please pay.');
  await press(page, `Send to ${people}`);
  await toast(page, { title: 'Success!', text: 'Your message is listed here, and on the page of each person.' });
  await page.waitForURL(/\/jobs$/);
}

describe('a selection of contacts', () => {
  it('is all that match and not only the loaded rows; it gets a tag, and a reminder is written to that tag', async () => {
    const workspace = await tenants(1_200);
    const page = await fixture.open('/contacts', { as: fixture.ann, workspace });
    await reads(page, ['1,200 contacts', '100 shown']);
    await page.getByRole('searchbox').fill('tenant');
    await page.waitForURL(/search=tenant/);
    await page.locator('main [aria-busy=false]').waitFor();
    await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check();
    await reads(page, ['100 selected']);
    await press(page, 'Select all 1,200');
    await reads(page, ['All 1,200 selected']);
    await expectGood(page);

    await press(page, 'Write to these');
    await reads(page, [/A reminder names at most 1,000 contacts one by one/]);
    await expectGood(page);
    await page.getByLabel('Tag', { exact: true }).fill('tenant');
    await page.keyboard.press('Enter');
    await toast(page, { title: 'Tags added', text: '“tenant” added to 1,200 contacts.' });
    await reads(page, ['tenant · 1,200 in its audience']);
    await expectGood(page);
    await writeReminder(page, { people: '1,200 people' });
    await page.getByRole('main').getByText('Rent', { exact: true }).first().waitFor();
    expect(await audienceOf(workspace)).toEqual({ tags: ['tenant'] });
    expect((await writtenIn(workspace)).schedule_config.scheduleType).toBe('once');
    await expect.poll(() => jobsOf(workspace)).toHaveLength(1);
    await page.goto('/reminders');
    await reads(page, ['No reminders found']);
  });
});

describe('the contacts with a tag', () => {
  it('lose it and get it back, are written to one by one, and are deleted after a question', async () => {
    const workspace = await tenants(120);
    const body = { contacts: { matching: { search: 'tenant' } }, add: ['tenant'] };
    await fixture.call(workspace, { path: '/api/contact-tags', body });
    const page = await fixture.open('/contacts?tag=TENANT', { as: fixture.ann, workspace });
    await reads(page, ['120 contacts', '100 shown']);
    await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check();
    await reads(page, ['100 selected']);
    await press(page, 'Remove tags');
    await page.getByRole('combobox', { name: 'Tags', exact: true }).click();
    await page.getByRole('option', { name: 'tenant', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove tags' }).click();
    await toast(page, { title: 'Tags removed', text: '“tenant” removed from 100 contacts.' });
    await reads(page, ['20 contacts', '20 shown']);
    await press(page, 'Undo');
    await toast(page, { title: 'Tags restored', text: '100 contacts as before.' });
    await reads(page, ['100 selected', '100 shown']);
    await page.getByRole('checkbox', { name: 'Choose Tenant 0003' }).uncheck();
    await press(page, 'Write to these');
    await reads(page, ['99 contacts · 99 in its audience']);
    await page.getByRole('heading', { level: 1, name: 'Write to 99 people' }).waitFor();
    await reads(page, ['A message that is sent once', 'Send it']);
    await page.getByRole('tab', { name: 'Schedule' }).click();
    await reads(page, ['now: as soon as you send it']);
    await press(page, 'Change the people');
    await reads(page, ['99 contacts', '99 people belong to it now.']);
    await expectGood(page);
    // Left as it was, it asks nothing and leaves no draft that would wait in the next form.
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByRole('heading', { level: 1, name: 'Reminders' }).waitFor();
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('cuebird.draft'))))
      .toEqual([]);

    await page.goto('/contacts?tag=tenant');
    await reads(page, ['120 contacts']);
    await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check();
    await press(page, 'Select all 120');
    await press(page, 'Delete');
    await fixture.call(workspace, {
      path: '/api/contacts/batch',
      body: { contacts: [{ name: 'Late', tags: ['tenant'] }] },
    });
    await press(page, 'Delete 120 contacts');
    await reads(page, ['121 contacts match by now, not 120. Nothing was deleted.']);
    await expectGood(page);
    await press(page, 'Delete 121 contacts');
    await toast(page, { title: 'Contacts deleted', text: '121 contacts are deleted.' });
    await reads(page, ['No contacts found']);
  });
});

describe('messages to chosen people', () => {
  const choose = async (page: Page, names: readonly string[]) => {
    await page.goto('/contacts');
    for (const name of names) await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
    await press(page, 'Write to these');
    await page
      .getByRole('heading', {
        level: 1,
        name: `Write to ${names.length === 1 ? '1 person' : `${names.length} people`}`,
      })
      .waitFor();
  };
  const title = (page: Page) => page.getByLabel('Title').inputValue();

  it('have a draft each: other people begin anew, the same ones go on, a reload keeps them', async () => {
    const workspace = await tenants(5);
    const page = await fixture.open('/contacts', { as: fixture.ann, workspace });
    await choose(page, ['Tenant 0001', 'Tenant 0002']);
    await page.getByLabel('Title').fill('About the lift');
    await page.waitForFunction(() => Object.values(localStorage).some((kept) => kept.includes('About the lift')));
    await page.reload();
    await reads(page, [/^Your unsaved changes from .* have been restored$/]);
    await page.getByRole('heading', { level: 1, name: 'Write to 2 people' }).waitFor();

    await choose(page, ['Tenant 0003']);
    expect(await title(page)).toBe('');
    await page.getByLabel('Title').fill('About the roof');
    await page.waitForFunction(() => Object.values(localStorage).some((kept) => kept.includes('About the roof')));
    await page.goto('/reminders/new');
    await page.getByRole('heading', { level: 1, name: 'Create New Reminder' }).waitFor();
    expect(await title(page)).toBe('');

    await choose(page, ['Tenant 0002', 'Tenant 0001']);
    await expect.poll(() => title(page)).toBe('About the lift');
    await reads(page, ['2 contacts · 2 in its audience']);
    await expectGood(page);
    await press(page, 'Discard');
    await expect.poll(() => title(page)).toBe('');
    await page.getByRole('heading', { level: 1, name: 'Write to 2 people' }).waitFor();
    await press(page, 'Undo');
    await expect.poll(() => title(page)).toBe('About the lift');
    await choose(page, ['Tenant 0003']);
    await expect.poll(() => title(page)).toBe('About the roof');
  });

  it('are sent over channels in order, as they were chosen', async () => {
    const workspace = await fixture.ann.createWorkspace('Oak Order');
    for (const contact of [
      { name: 'Mia', email: 'mia@example.com', phone: '+4915112345678' },
      { name: 'Noor', phone: '+4915112345679' },
    ])
      await fixture.ann.call('POST', '/api/contacts', { workspace, body: contact });
    const page = await fixture.open('/contacts', { as: fixture.ann, workspace });
    await choose(page, ['Mia', 'Noor']);
    await page.getByRole('tab', { name: 'Channels' }).click();
    await page.getByRole('group', { name: 'Channels' }).getByRole('button', { name: 'SMS' }).click();
    await page.getByRole('switch', { name: 'Try the next channel only if the one before fails' }).press('Space');
    await reads(page, [
      'In order: 1 by email, then SMS; 1 by SMS only. For those with one channel, none takes over if it fails.',
    ]);
    await page.getByRole('tab', { name: 'Basic Info' }).click();
    await writeReminder(page, { people: '2 people' });
    expect((await writtenIn(workspace)).metadata).toMatchObject({
      channels: ['email', 'sms'],
      channel_mode: 'in_order',
      one_off: true,
    });
    const [job] = await jobsOf(workspace);
    const lines = async () =>
      (await fixture.call(workspace, { method: 'GET', path: `/api/jobs/${job.id}/deliveries` })).data
        .map((line: { channel: string; recipient: string }) => `${line.channel} ${line.recipient}`)
        .sort();
    await expect.poll(lines).toEqual(['email mia@example.com', 'sms +4915112345679']);
  });
});

describe('a group of contacts', () => {
  const path = '/contacts?tab=groups';
  const choose = async (page: Page, { of, name }: { of: string; name: string }) => {
    await page.getByRole('combobox', { name: of, exact: true }).click();
    await page.getByRole('option', { name, exact: true }).click();
  };

  it('asks for the language of people and how they want to be written to, and a search finds them by their values', async () => {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    for (const contact of [
      { name: 'Mia', email: 'mia@example.com', language: 'de', variables: { company: 'ACME GmbH' } },
      { name: 'Noor', email: 'noor@example.com', language: 'fr', variables: { company: 'Other' } },
    ])
      await fixture.ann.call('POST', '/api/contacts', { workspace, body: contact });
    const page = await fixture.open(path, { as: fixture.ann, workspace });
    await press(page, 'Add a group');
    await page.getByLabel('Name', { exact: true }).fill('Germans');
    await choose(page, { of: 'Condition 1: what', name: 'Language' });
    await page.getByRole('combobox', { name: 'Condition 1: value' }).fill('deutsch');
    await page.getByRole('option', { name: /^German$/ }).click();
    await reads(page, [/^1 person: Mia$/]);
    await expectGood(page);
    await press(page, 'Add condition');
    await choose(page, { of: 'Condition 2: what', name: 'Preferred channel' });
    await choose(page, { of: 'Condition 2: how', name: 'is not' });
    await choose(page, { of: 'Condition 2: value', name: 'SMS' });
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await toast(page, { title: 'Group added', text: 'Germans has been saved.' });
    await reads(page, ['Language is German and Preferred channel is not SMS', '1 person']);
    await page.goto('/contacts');
    await page.getByRole('searchbox', { name: /^Search by name/ }).fill('acme');
    await reads(page, ['1 contact', '1 shown']);
    await page.getByText('Mia', { exact: true }).first().waitFor();
  });

  it('is made with a rule, says who belongs to it, is written to, and names its reminders when it is deleted', async () => {
    const workspace = await tenants(12);
    const page = await fixture.open(path, { as: fixture.ann, workspace });
    await reads(page, ['No groups yet']);
    await expectGood(page);
    await press(page, 'Add a group');
    await page.getByLabel('Name', { exact: true }).fill('Tenants of 12 Elm');
    await page.keyboard.press('Enter');
    await reads(page, ['A tag must not be blank', 'Complete the conditions to see who belongs to the group.']);
    await choose(page, { of: 'Condition 1: what', name: 'building' });
    await page.getByLabel('Condition 1: value').fill('12 ELM');
    await reads(page, [/^8 people: Tenant 0002, Tenant 0003, Tenant 0005 and 5 more$/]);
    await press(page, 'Add condition');
    await page.getByRole('combobox', { name: 'Condition 2: tag' }).fill('moved out');
    await reads(page, ['Nobody belongs to it now.']);
    await choose(page, { of: 'Condition 2: how', name: 'is not' });
    await reads(page, [/^8 people: /]);
    await expectGood(page);
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await toast(page, { title: 'Group added', text: 'Tenants of 12 Elm has been saved.' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await reads(page, ['building is 12 ELM and does not have the tag moved out', '8 people', '0 reminders']);
    await expectGood(page);

    await page.getByRole('link', { name: '8 people of Tenants of 12 Elm' }).click();
    await reads(page, ['8 contacts', '8 shown']);
    await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check();
    await press(page, 'Write to these');
    await reads(page, ['Tenants of 12 Elm · 8 in its audience']);
    await press(page, 'Change the people');
    await page.getByRole('combobox', { name: 'People', exact: true }).press('Backspace');
    await page.getByText('Tenants of 12 Elm · 8 in its audience').waitFor({ state: 'detached' });
    await page
      .getByLabel('Describe it in one line')
      .fill('Email all tenants of 12 elm every 1st at 9am that rent is due');
    await page.keyboard.press('Enter');
    await reads(page, ['Tenants of 12 Elm (group)', 'Tenants of 12 Elm · 8 in its audience']);
    await press(page, 'Create Reminder');
    await toast(page, { title: 'Success!', text: 'Reminder has been created successfully.' });
    await reads(page, ['Tenants of 12 Elm · 8 in its audience']);
    expect(Object.keys(await audienceOf(workspace))).toEqual(['groups']);

    await page.goto(path);
    await reads(page, ['8 people', '1 reminder']);
    await page.getByRole('button', { name: 'Tenants of 12 Elm', exact: true }).press('Enter');
    await page.getByLabel('Name', { exact: true }).fill('Elm');
    await page.keyboard.press('Enter');
    await toast(page, { title: 'Group updated', text: 'Elm has been saved.' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await press(page, 'Delete Elm');
    await reads(page, ['This reminder reaches nobody through it any more. Its contacts stay.', 'Rent is due']);
    await expectGood(page);
    await press(page, 'Delete group');
    await toast(page, { title: 'Group deleted', text: 'Elm is deleted. Its contacts stay.' });
    await reads(page, ['No groups yet']);
  });

  it('is waited for, and told of when it cannot be had', async () => {
    let release = () => {};
    const page = await fixture.open(path, {
      as: fixture.ann,
      workspace: fixture.full,
      before: async (opened) => {
        release = await delayRequests(opened, '/api/contact-groups');
      },
    });
    await page.getByRole('status', { name: 'Loading' }).waitFor();
    release();
    await page.getByRole('list', { name: 'Groups' }).waitFor();
    await breakDown(page, '/api/contact-groups');
    await page.reload();
    await reads(page, ['Error loading groups', outage]);
    await expectGood(page);
    await restore(page);
    await press(page, 'Retry');
    await page.getByRole('list', { name: 'Groups' }).waitFor();
  });
});
