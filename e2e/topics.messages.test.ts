import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { untilFound } from '#testing/changes.ts';
import { expectGood } from './looks.ts';
import { describeScreens, reads, toast } from './screens.fixture.ts';

const fixture = describeScreens();

const made = (workspace: string, path: string, body: object) => fixture.call(workspace, { path, body });

/** Events, which is the default, and Notices, which is required; Ada gets everything, Bea left the events, and Cem all optional messages. */
async function withTopics() {
  const workspace = await fixture.ann.createWorkspace(`Elm ${crypto.randomUUID().slice(0, 8)}`);
  const events = await made(workspace, '/api/topics', { name: 'Events', is_default: true });
  const notices = await made(workspace, '/api/topics', { name: 'Notices', kind: 'required', why: 'law' });
  const contacts = ['Ada', 'Bea', 'Cem'].map((name) => ({ name, email: `${name.toLowerCase()}@example.com` }));
  await made(workspace, '/api/contacts/batch', { contacts });
  const leave = (name: string, covers: object) =>
    made(workspace, '/api/suppressions', { channel: 'email', recipient: `${name}@example.com`, ...covers });
  await leave('bea', { covers: 'topic', topic_id: events.id });
  await leave('cem', { covers: 'optional' });
  return { workspace, events: events.id, notices: notices.id };
}

const topic = (page: Page) => page.getByRole('combobox', { name: 'Topic', exact: true });

async function choose(page: Page, name: string): Promise<void> {
  await topic(page).click();
  await page.getByRole('option', { name, exact: true }).click();
}

const draft = {
  name: 'Summer',
  status: 'draft',
  schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate: '2099-01-01T09:00:00' },
  content: { subject: 'Summer', message: 'Come', recipients: [] },
  metadata: { channels: ['email'], audience: { everyone: true } },
};

describe.concurrent('the topic of a reminder', () => {
  it('is the default at first; who opted out of it is counted, and who gets a required one all the same', async ({
    expect,
  }) => {
    const { workspace, notices } = await withTopics();
    const page = await fixture.open('/reminders/new', { as: fixture.ann, workspace });
    await page.getByLabel('Title').fill('Summer');
    await page.getByRole('tab', { name: 'Channels' }).click();
    const people = page.getByRole('combobox', { name: 'People', exact: true });
    await people.fill('every');
    await page.getByRole('option', { name: 'Everyone', exact: true }).click();
    await page.getByRole('tab', { name: 'Content' }).click();
    await expect.poll(() => topic(page).inputValue()).toBe('Events');
    await reads(page, ['People can leave it: 1 has.', '1 gets it', '2 opted out of this']);
    await expectGood(page);
    await page.getByLabel('Subject').fill('Summer');
    await page.getByLabel('Message').fill('Come');
    await choose(page, 'Notices (required)');
    await reads(page, [
      '3 get it',
      '2 of them have left optional messages, and get it because its topic is required.',
      /^Required by law: people cannot leave it/,
    ]);
    await expectGood(page);
    await page.getByRole('button', { name: 'Create Reminder' }).click();
    await page.getByRole('link', { name: 'Summer', exact: true }).click();
    await reads(page, ['Topic: Notices · Required by law', '3 get it']);
    await expectGood(page);
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/reminders' });
    expect(data).toMatchObject([{ content: { topic_id: notices } }]);
  });

  it('can be none, and one that is archived stays where it was chosen', async ({ expect }) => {
    const { workspace, events } = await withTopics();
    const body = { ...draft, content: { ...draft.content, topic_id: events } };
    const { id } = await made(workspace, '/api/reminders', body);
    await fixture.call(workspace, { method: 'PATCH', path: `/api/topics/${events}`, body: { is_archived: true } });
    const page = await fixture.open(`/reminders/${id}/edit?tab=content`, { as: fixture.ann, workspace });
    await expect.poll(() => topic(page).inputValue()).toBe('Events (archived)');
    await page.getByLabel('Subject').fill('Summer party');
    await page.getByRole('button', { name: 'Update Reminder' }).click();
    await toast(page, { title: 'Success!', text: 'Reminder has been updated successfully.' });
    await page.goto(`/reminders/${id}/edit?tab=content`);
    await choose(page, 'No topic');
    await reads(page, ['Whoever has left all optional messages does not get it.', '2 get it', '1 opted out of this']);
    await page.getByRole('button', { name: 'Update Reminder' }).click();
    await toast(page, { title: 'Success!', text: 'Reminder has been updated successfully.' });
    const saved = await fixture.call(workspace, { method: 'GET', path: `/api/reminders/${id}` });
    expect(saved.content.topic_id).toBeUndefined();
    await page.goto(`/reminders/${id}`);
    await page.getByRole('list', { name: 'Changes' }).getByText('Changed topic').waitFor();
  });

  it('is not asked for in a workspace without topics', async ({ expect }) => {
    const page = await fixture.open('/reminders/new?tab=content', { as: fixture.ann, workspace: fixture.empty });
    await page.getByLabel('Message').waitFor();
    await expect.poll(() => topic(page).count()).toBe(0);
  });

  it('is proposed by a template', async ({ expect }) => {
    const { workspace, notices } = await withTopics();
    const page = await fixture.open('/templates', { as: fixture.ann, workspace });
    await page.getByRole('button', { name: 'Create Template' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Create Template' });
    await dialog.getByLabel('Name').fill('Inspection');
    await dialog.getByRole('tab', { name: 'Content' }).click();
    await dialog.getByLabel('Subject').fill('Inspection');
    await dialog.getByRole('textbox', { name: 'Message' }).fill('We come on Monday.');
    await choose(page, 'Notices (required)');
    await reads(page, ['Proposed to reminders that start from this template.']);
    await expectGood(page);
    await dialog.getByRole('button', { name: 'Create Template' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/templates' });
    expect(data).toMatchObject([{ content: { topic_id: notices } }]);
    await page.goto(`/reminders/new?template=${data[0].id}`);
    await expect.poll(() => topic(page).inputValue()).toBe('Notices (required)');
  });
});

describe.concurrent('a run', () => {
  it('says who has left its topic, and leads to the entry of the list', async () => {
    const { workspace, events } = await withTopics();
    const { id } = await made(workspace, '/api/reminders', {
      ...draft,
      status: 'active',
      content: { ...draft.content, topic_id: events },
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'once',
        startDate: new Date(Date.now() - 60_000).toISOString().slice(0, 19),
        timezone: 'UTC',
      },
    });
    const job = await untilFound(fixture.databaseUrl, async () => {
      const { data } = await fixture.call(workspace, { method: 'GET', path: `/api/jobs?reminder_id=${id}` });
      return data.find(({ status }: { status: string }) => status === 'completed');
    });
    const page = await fixture.open(`/jobs?job=${job.id}`, { as: fixture.ann, workspace });
    await page.getByText('1 person: This person has left the topic of this message.', { exact: true }).waitFor();
    await expectGood(page);
    await page
      .getByRole('button', { name: /Skipped/ })
      .first()
      .click();
    await page.getByRole('link', { name: 'See why' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    await reads(page, ['1 shown']);
  });
});

describe.concurrent('a message to one person', () => {
  it('is not sent about what they have left, and is about what they cannot leave', async ({ expect }) => {
    const { workspace, notices } = await withTopics();
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/contacts?search=bea' });
    const page = await fixture.open(`/contacts/${data[0].id}`, { as: fixture.ann, workspace });
    await reads(page, [/^No messages about Events are sent to bea@example.com by Email/]);
    await expectGood(page);
    await page.getByRole('button', { name: 'Write to them now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Write to Bea' });
    await expect.poll(() => topic(page).inputValue()).toBe('Events');
    await dialog.getByText('They get no messages about Events by Email.').waitFor();
    await expectGood(page);
    await dialog.getByLabel('Subject').fill('Water');
    await dialog.getByLabel('Message').fill('It is off on Monday.');
    await choose(page, 'Notices (required)');
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.waitFor({ state: 'detached' });
    const got = page.getByRole('list', { name: 'What they got' }).getByRole('listitem');
    await got.first().getByText('Accepted', { exact: true }).waitFor();
    const { data: jobs } = await fixture.call(workspace, { method: 'GET', path: '/api/jobs' });
    const reminder = await fixture.call(workspace, { method: 'GET', path: `/api/reminders/${jobs[0].reminder_id}` });
    expect(reminder.content.topic_id).toBe(notices);
  });
});

describe.concurrent('the suppression list', () => {
  const path = '/contacts?tab=suppressed';

  it('says what each entry covers, and is filtered by that; somebody is added for one topic', async ({ expect }) => {
    const { workspace } = await withTopics();
    await fixture.owner.query(
      `insert into suppressions (workspace_id, channel, recipient, reason) values
         ($1, 'sms', '+4915112345678', 'stopped'), ($1, 'email', 'old@example.com', 'unsubscribed')`,
      [workspace],
    );
    const page = await fixture.open(path, { as: fixture.ann, workspace });
    await reads(page, ['4 shown', 'Events', 'All optional messages', 'Everything', 'as carriers demand']);
    await expectGood(page);
    const filter = page.getByRole('combobox', { name: 'Filter by what is not sent' });
    await filter.click();
    await page.getByRole('option', { name: 'Events', exact: true }).click();
    await reads(page, ['1 shown', 'bea@example.com']);
    await page.getByRole('button', { name: 'Add to the list' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add to the suppression list' });
    await dialog.getByLabel('Who').fill('dov@example.com');
    await dialog.getByRole('combobox', { name: 'What is not sent' }).click();
    await expect.poll(() => page.getByRole('option', { name: 'Notices', exact: true }).count()).toBe(0);
    await page.getByRole('option', { name: 'Events', exact: true }).click();
    await dialog.getByText('Required messages are sent.').waitFor();
    await expectGood(page);
    await dialog.getByRole('button', { name: 'Add to the list' }).click();
    await toast(page, {
      title: 'Added to the list',
      text: 'dov@example.com gets no more messages about Events by Email.',
    });
    await reads(page, ['2 shown']);
  });

  it('has entries for everything narrowed by an admin, but none that a carrier demands', async ({ expect }) => {
    const { workspace } = await withTopics();
    await fixture.owner.query(
      `insert into suppressions (workspace_id, channel, recipient, reason) values
         ($1, 'sms', '+4915112345678', 'stopped'), ($1, 'email', 'old@example.com', 'unsubscribed')`,
      [workspace],
    );
    const page = await fixture.open(path, { as: fixture.ann, workspace });
    await page.getByRole('button', { name: 'Remove +4915112345678 (sms)' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Narrow/ }).count()).toBe(1);
    await page.getByRole('button', { name: 'Narrow old@example.com (email)' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send some messages again?' });
    await dialog.getByText(/They unsubscribed themselves/).waitFor();
    await expectGood(page);
    await dialog.getByRole('button', { name: 'Narrow the entry' }).click();
    await toast(page, { title: 'Narrowed', text: 'old@example.com gets no more optional messages by Email.' });
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByRole('button', { name: /^Narrow/ }).count()).toBe(0);
  });
});
