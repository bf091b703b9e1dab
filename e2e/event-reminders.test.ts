import { expect, it } from 'vitest';
import { sampleReminder } from '#testing/samples.ts';
import { expectGood } from './looks.ts';
import { describeScreens } from './screens.fixture.ts';

const fixture = describeScreens();

const trial = {
  name: 'Trial ends',
  status: 'active',
  schedule_config: {
    type: 'event-based',
    eventTrigger: 'trial_ending',
    delayAmount: 2,
    delayUnit: 'hours',
    timezone: 'UTC',
  },
  content: {
    subject: 'Your {{plan}} trial',
    message: 'Dear {{recipient_name}}, it ends on {{trial_ends}}.',
    recipients: [],
  },
  metadata: { channels: ['email'], event_recipients: true },
};

it('an event reminder for whom the event names is written without recipients, and says so', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const page = await fixture.open('/reminders/new', { as: fixture.ann, workspace });
  const tab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Trial ends');
  await page.getByRole('button', { name: /^Event-based/ }).click();
  await tab('Schedule');
  await page.getByRole('combobox', { name: 'Event trigger' }).click();
  await page.getByRole('option', { name: 'Trial ending' }).click();
  await page.getByRole('textbox', { name: 'Delay amount' }).fill('2');
  await tab('Channels');
  const named = page.getByRole('checkbox', { name: 'Send to whom the event names' });
  await expect.poll(() => named.isChecked()).toBe(true);
  await page.getByText('To whom the event names', { exact: true }).waitFor();
  await expectGood(page);
  await named.uncheck();
  await tab('Content');
  await page.getByRole('textbox', { name: 'Subject' }).fill('Your trial');
  await page.getByRole('textbox', { name: 'Message' }).fill('It ends on {{trial_ends}}.');
  await page.getByRole('button', { name: 'Create Reminder' }).click();
  await page.getByText('At least one recipient is required').waitFor();
  await named.check();
  await page.getByRole('button', { name: 'Create Reminder' }).click();
  const card = page.getByRole('article', { name: 'Trial ends' });
  await card.getByText('Event: trial_ending').waitFor();
  await card.getByText('2 hours after “trial ending” happens').waitFor();
  await card.getByText('Whom the event names').waitFor();
  const { json } = await fixture.ann.call('GET', '/api/reminders', { workspace });
  expect(json.data[0]).toMatchObject({ status: 'active', metadata: { event_recipients: true } });
});

it('an event reminder says at once what it lacks on each tab, and which delay cannot be', async () => {
  const workspace = await fixture.ann.createWorkspace('Ash Road');
  const page = await fixture.open('/reminders/new', { as: fixture.ann, workspace });
  await page.getByRole('textbox', { name: 'Title' }).fill('Trial ends');
  await page.getByRole('button', { name: /^Event-based/ }).click();
  await page.getByRole('button', { name: 'Create Reminder' }).click();
  await page.getByText('Event trigger is required').waitFor();
  await page.getByRole('combobox', { name: 'Event trigger' }).click();
  await page.getByRole('option', { name: 'Trial ending' }).click();
  const sent = page.getByRole('region', { name: 'When it is sent' });
  await sent.getByText('As soon as “trial ending” happens').waitFor();
  await page.getByRole('textbox', { name: 'Delay amount' }).fill('-1');
  await sent.getByText('Enter a delay of 0 or more.').waitFor();
  expect(await sent.getByText('happens').count()).toBe(0);
  await page.getByRole('tab', { name: /^Content/ }).click();
  await page.getByText('Subject is required').waitFor();
});

it('whoever changes a reminder for many people to events is asked who gets it then', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  for (const n of [1, 2, 3])
    await fixture.ann.call('POST', '/api/contacts', {
      workspace,
      body: { name: `Ada ${n}`, email: `ada${n}@example.com` },
    });
  const page = await fixture.open('/reminders/new?tab=channels', { as: fixture.ann, workspace });
  await page.getByRole('combobox', { name: 'People' }).click();
  await page.getByRole('option', { name: 'Everyone' }).click();
  await page.getByText('3 people belong to it now.', { exact: true }).first().waitFor();
  await page.getByRole('tab', { name: 'Basic Info' }).click();
  const chooseEvents = () => page.getByRole('button', { name: /^Event-based/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Who gets it when the event happens?' });
  await chooseEvents();
  await dialog.getByText('So far it goes to 3 people chosen here.').waitFor();
  await expectGood(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Scheduled/, pressed: true }).waitFor();
  await chooseEvents();
  await dialog.getByRole('button', { name: 'Only whom the event names' }).click();
  await page.getByText('To whom the event names', { exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Channels' }).click();
  await expect.poll(() => page.getByText('3 people belong to it now.', { exact: true }).count()).toBe(0);
});

it('an event reminder is tested in four clicks, and the dialog tells what a real event would do', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  for (const name of ['Trial ends', 'Ask for a call'])
    await fixture.ann.call('POST', '/api/reminders', { workspace, body: { ...trial, name } });
  const page = await fixture.open('/reminders', { as: fixture.ann, workspace });
  await page.getByRole('button', { name: 'More actions for Trial ends' }).click();
  await page.getByRole('menuitem', { name: 'Send a test event…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a test event' });
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
  await expect.poll(() => field('plan').inputValue()).toBe('Premium');
  await expect.poll(() => field('email').inputValue()).toBe('john@example.com');
  await expectGood(page);
  await dialog.getByRole('button', { name: 'Send test event' }).click();
  await dialog.getByText('A real trial_ending now would trigger 2 reminders.').waitFor();
  await dialog.getByRole('link', { name: 'Ask for a call' }).waitFor();
  await dialog.getByText('This data names john@example.com, who got nothing of the test.').waitFor();
  await dialog.getByText('Completed').first().waitFor();
  await expectGood(page);
  await dialog.getByRole('button', { name: 'Test again' }).click();
  await field('plan').fill('Basic');
  await dialog.getByRole('button', { name: 'Send test event' }).click();
  await dialog.getByRole('link', { name: 'Open the job' }).click();
  await page.waitForURL(/\/jobs\?job=/);
  const { json } = await fixture.ann.call('GET', '/api/inbox', { workspace });
  const subjects = json.data.map(({ subject }: { subject: string }) => subject);
  expect(subjects).toContainEqual(expect.stringContaining('Your Premium trial'));
  expect(json.data.map(({ recipient }: { recipient: string }) => recipient)).not.toContain('john@example.com');
});

it('the test of an event reminder reads as the message of the last event, whose values can be changed', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const content = {
    subject: 'Invoice {{invoice.number}}',
    message: 'Dear {{recipient_name}}, {{invoice.total}} of the {{plan}} plan is open.',
    recipients: [],
  };
  const body = { ...trial, name: 'Dunning', content };
  const { json: written } = await fixture.ann.call('POST', '/api/reminders', { workspace, body });
  const page = await fixture.open(`/reminders/${written.id}`, { as: fixture.ann, workspace });
  const dialog = page.getByRole('dialog', { name: 'Test Reminder' });
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true });
  const open = () => page.getByRole('button', { name: 'Test', exact: true }).click();
  await open();
  await dialog.getByText('Samples: no trial_ending is stored.').waitFor();
  await expect.poll(() => field('plan').inputValue()).toBe('Premium');
  await expectGood(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await fixture.ann.call('POST', '/api/events', {
    workspace,
    body: {
      event: 'trial_ending',
      data: { email: 'cleo@example.com', plan: 'Basic', invoice: { number: 'R-7', total: '49 €' } },
    },
  });
  await open();
  await dialog.getByText('As in the last trial_ending,').waitFor();
  await expect.poll(() => field('invoice.number').inputValue()).toBe('R-7');
  await expect.poll(() => field('invoice.total').inputValue()).toBe('49 €');
  await expectGood(page);
  await field('plan').fill('Gold');
  // A variable that is written now gets a field, which is blank because that event had no such value.
  await field('Message').fill('{{invoice.total}} of {{plan}}, {{seats}} seats');
  await field('seats').fill('4');
  await dialog.getByRole('button', { name: 'Send Test' }).click();
  await page.getByRole('dialog', { name: 'Test outcome' }).getByText('Completed').first().waitFor();
  const { json } = await fixture.ann.call('GET', '/api/inbox', { workspace });
  expect(json.data.map(({ subject, recipient }: Record<string, string>) => [subject, recipient])).toEqual([
    ['Invoice R-7', fixture.ann.email],
  ]);
  const { json: mail } = await fixture.ann.call('GET', `/api/inbox/${json.data[0].id}`, { workspace });
  expect(mail.text).toContain('49 € of Gold, 4 seats');
});

it('a test event that the server refuses keeps what was typed', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const { json } = await fixture.ann.call('POST', '/api/reminders', { workspace, body: trial });
  const page = await fixture.open(`/reminders?event=${json.id}`, { as: fixture.ann, workspace });
  const dialog = page.getByRole('dialog', { name: 'Send a test event' });
  await dialog.getByRole('textbox', { name: 'plan', exact: true }).fill('Gold');
  await page.route('**/test-event', (route) =>
    route.fulfill({
      status: 429,
      json: { error: { code: 'rate_limited', message: 'Too many tests came at once.', request_id: 'r' } },
    }),
  );
  await dialog.getByRole('button', { name: 'Send test event' }).click();
  await page.getByText('Too many tests came at once.').waitFor();
  await expect.poll(() => dialog.getByRole('textbox', { name: 'plan', exact: true }).inputValue()).toBe('Gold');
});

it('a reminder is paused, duplicated and deleted on its page, as on its card', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const { json: rent } = await fixture.ann.call('POST', '/api/reminders', {
    workspace,
    body: { ...sampleReminder, name: 'Rent', status: 'active' },
  });
  const page = await fixture.open(`/reminders/${rent.id}`, { as: fixture.ann, workspace });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const choose = async (name: string) => {
    await button('More actions for Rent').click();
    await page.getByRole('menuitem', { name }).click();
  };
  await button('Pause').click();
  await page.getByText('Reminder paused successfully').waitFor();
  await button('Undo').click();
  await button('Pause').waitFor();
  await choose('Pause until…');
  await page
    .getByRole('dialog', { name: 'Pause “Rent”' })
    .getByRole('button', { name: /^Until tomorrow/ })
    .click();
  await page.getByText(/^Paused until .*: then it resumes by itself\.$/).waitFor();
  await expectGood(page);
  await choose('Duplicate');
  await page.waitForURL(/\/edit$/);
  await expect.poll(() => page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Rent (copy)');
  await page.goto(`/reminders/${rent.id}`);
  await choose('Delete');
  await page.waitForURL(/\/reminders$/);
  await page.getByText('“Rent” has been deleted').waitFor();
  await button('Undo').last().click();
  await page.getByRole('article', { name: 'Rent', exact: true }).waitFor();
});

it('resuming several asks first when one of them reaches nobody', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const empty = { ...sampleReminder.content, message: 'Hello', subject: 'Hello', recipients: [] };
  for (const [name, more] of Object.entries({
    Rent: { content: { ...empty, recipients: ['ann@example.com'] } },
    Keys: {
      content: empty,
      metadata: { ...sampleReminder.metadata, channels: ['email'], audience: { everyone: true } },
    },
  }))
    await fixture.ann.call('POST', '/api/reminders', {
      workspace,
      body: { ...sampleReminder, ...more, name, status: 'paused' },
    });
  const page = await fixture.open('/reminders?view=table', { as: fixture.ann, workspace });
  for (const name of ['Rent', 'Keys']) await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
  const resume = page.getByRole('toolbar').getByRole('button', { name: 'Resume' });
  await resume.click();
  const dialog = page.getByRole('dialog', { name: 'Nobody would get this reminder' });
  await dialog.getByText('Nobody would get “Keys”.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  const statuses = async () => {
    const { json } = await fixture.ann.call('GET', '/api/reminders?sort=name', { workspace });
    return json.data.map(({ status }: { status: string }) => status);
  };
  expect(await statuses()).toEqual(['paused', 'paused']);
  await resume.click();
  await dialog.getByRole('button', { name: 'Activate anyway' }).click();
  await expect.poll(statuses).toEqual(['active', 'active']);
});

it('the weekday and the day of the month are fields, and parts of the start', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const page = await fixture.open('/reminders/new?tab=schedule', { as: fixture.ann, workspace });
  const choose = async (name: string, option: string) => {
    await page.getByRole('combobox', { name }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Schedule type', 'Weekly');
  await choose('Weekday', 'Thursday');
  await page.getByText('Every Thursday at 09:00').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Start date' }).innerText()).toMatch(/^Thu, /);
  await choose('Schedule type', 'Monthly');
  await choose('Day of the month', '31 (or the last day)');
  await page.getByText('Every month on day 31 (or the last day), at 09:00').waitFor();
  await expectGood(page);
});
