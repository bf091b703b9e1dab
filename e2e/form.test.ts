import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sampleReminder, sampleTemplate } from '#testing/samples.ts';
import { sample } from '#testing/sample.ts';
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

const openForm = async (workspace: string, { path = '/reminders/new', ...visit }: Visit & { path?: string } = {}) => {
  const page = await fixture.open(path, { as: fixture.ann, workspace, ...visit });
  await page.getByLabel('Title').waitFor();
  return page;
};
const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const recipient = (page: Page) => page.getByRole('combobox', { name: 'Recipients', exact: true });
const several = (page: Page) => page.getByLabel('Add several recipients');
/** Waits for the first: a tab of the form is fetched when it is opened. */
const chips = async (page: Page): Promise<string[]> => {
  const written = page.getByRole('list', { name: 'Recipients' }).locator('li > span');
  await written.first().waitFor();
  return written.allInnerTexts();
};
const cron = (page: Page) => page.getByLabel('Cron expression');

async function choose(page: Page, { label, option }: { label: string; option: string }): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function post(workspace: string, path: string, body: object) {
  const { status, json } = await fixture.ann.call('POST', path, { workspace, body });
  expect([status, json.error]).toEqual([201, undefined]);
  return json;
}

describe.concurrent('a one-time reminder', () => {
  it('asks before it is sent at once because its start has just passed', async ({ expect }) => {
    const past = Temporal.Now.zonedDateTimeISO('UTC')
      .subtract({ hours: 2 })
      .toPlainDateTime()
      .round('minute')
      .toString();
    const { id } = await post(fixture.empty, '/api/reminders', {
      ...sampleReminder,
      name: 'Key handover',
      status: 'draft',
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: past, timezone: 'UTC' },
    });
    const page = await openForm(fixture.empty, { path: `/reminders/${id}/edit` });
    await page.getByLabel('Start reminder immediately after creation').check();
    await press(page, 'Update Reminder');
    const question = page.getByRole('dialog', { name: 'Send it now?' });
    await question.getByText('has passed: this reminder is sent as soon as it is saved').waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await tab(page, 'Schedule').click();
    await page.getByText('this time has passed: sent as soon as it is active').waitFor();
    const { json } = await fixture.ann.call('GET', `/api/reminders/${id}`, { workspace: fixture.empty });
    expect(json.status).toBe('draft');
    await press(page, 'Update Reminder');
    await question.getByRole('button', { name: 'Send now' }).click();
    await toast(page, { title: 'Success!', text: 'Reminder has been updated successfully.' });
  });
});

describe.concurrent('a cron expression', () => {
  const openCron = async () => {
    const page = await openForm(fixture.empty);
    await tab(page, 'Schedule').click();
    await choose(page, { label: 'Schedule type', option: 'Custom (cron)' });
    return page;
  };

  it('is put together by choosing, told in words, and saved', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    const page = await openForm(workspace);
    await tab(page, 'Schedule').click();
    await choose(page, { label: 'Schedule type', option: 'Custom (cron)' });
    await choose(page, { label: 'Or choose how often', option: 'Every week, on some days' });
    await expect.poll(() => cron(page).inputValue()).toBe('0 9 * * MON');
    await press(page, 'Friday');
    await page.getByLabel('Hours').fill('17');
    await page.getByLabel('Minutes').fill('30');
    await reads(page, ['Every Monday and Friday at 17:30']);
    await expect.poll(() => cron(page).inputValue()).toBe('30 17 * * MON,FRI');

    await tab(page, 'Basic Info').click();
    await finish(page, 'Bins');
    const { json } = await fixture.ann.call('GET', '/api/reminders', { workspace });
    expect(json.data[0].schedule_config).toMatchObject({ scheduleType: 'custom', customCron: '30 17 * * MON,FRI' });
    const next = Temporal.Instant.from(json.data[0].next_run_at).toZonedDateTimeISO('UTC');
    expect([1, 5]).toContain(next.dayOfWeek);
    expect([next.hour, next.minute]).toEqual([17, 30]);
  });

  it('that is written by hand is shown as far as it could have been chosen', async ({ expect }) => {
    const page = await openCron();
    const chosen = () => page.getByRole('combobox', { name: 'Or choose how often' }).inputValue();
    await cron(page).fill('*/15 * * * *');
    await reads(page, ['Every 15 minutes']);
    await expect.poll(() => chosen()).toBe('Every few minutes');
    await cron(page).fill('0 9 * * 5#5');
    await reads(page, [
      'On the 5th Friday of every month at 09:00',
      'Months without a 5th one are skipped. “Last” exists in every month.',
    ]);
    await expect.poll(() => chosen()).toBe('Every month, on a weekday');
    await cron(page).fill('0 9 13 * FRI');
    await reads(page, ['On the 13th of every month and also every Friday at 09:00']);
    await expect.poll(() => chosen()).toBe('');

    await cron(page).fill('0 9 * * FRY');
    await reads(page, ['Weekday: "FRY" is not a number from 0 to 7 or a name from SUN to SAT']);
    await expect.poll(() => cron(page).getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
  });

  it('has days that the keyboard reaches', async () => {
    const page = await openCron();
    await choose(page, { label: 'Or choose how often', option: 'Every weekday (Monday to Friday)' });
    await page.getByRole('combobox', { name: 'Or choose how often' }).press('Tab');
    for (const day of ['Sunday', 'Monday']) {
      await page.waitForFunction((name) => document.activeElement?.textContent === name, day);
      await page.keyboard.press('Space');
      await page.keyboard.press('Tab');
    }
    await reads(page, ['Every Tuesday to Friday and Sunday at 09:00']);
  });
});

describe.concurrent('recipients', () => {
  it('are pasted as a list or as a table, and what cannot be used is told and kept', async ({ expect }) => {
    const page = await openForm(fixture.empty);
    await tab(page, 'Channels').click();
    await several(page).fill('Ada <ada@x.org>, bob@y.org; +49 30 1234567\nADA@x.org, nonsense');
    await press(page, 'Add all');
    await reads(page, [
      '3 added, 1 already added, 1 not valid',
      'Line 2, “nonsense”: it is neither an email address, a phone number nor a URL',
      'It is left in the box, to be corrected or removed.',
    ]);
    await expect.poll(() => chips(page)).toEqual(['Ada <ada@x.org>', 'bob@y.org', '+49 30 1234567']);
    await expect.poll(() => several(page).inputValue()).toBe('nonsense');

    await several(page).fill('name,email\n"Lee, Ann",ann@x.org\nNobody,');
    await press(page, 'Add all');
    await reads(page, [
      '1 added, 1 not valid',
      'Line 3, “Nobody”: there is neither an email address nor a phone number',
    ]);
    await expect.poll(async () => (await chips(page)).at(-1)).toBe('Lee, Ann <ann@x.org>');
    await expect.poll(() => several(page).inputValue()).toBe('name,email\nNobody,');
  });

  it('come from a file that is chosen or dropped', async ({ expect }) => {
    const page = await openForm(fixture.empty);
    await tab(page, 'Channels').click();
    const file = { name: 'tenants.csv', mimeType: 'text/csv', buffer: Buffer.from('email;name\nann@x.org;Ann\n') };
    const chooser = page.waitForEvent('filechooser');
    await press(page, 'Choose a file');
    await (await chooser).setFiles(file);
    await press(page, 'Only add the addresses');
    await reads(page, ['tenants.csv: 1 added']);
    await (await chooser).setFiles({ ...file, name: 'huge.csv', buffer: Buffer.alloc(2_000_001, 'x') });
    await reads(page, ['huge.csv is larger than 2 MB']);

    await several(page).fill('waiting@x.org');
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['ben@x.org\n?'], 'more.txt', { type: 'text/plain' }));
      return data;
    });
    await several(page).dispatchEvent('dragover', { dataTransfer: dropped });
    await several(page).dispatchEvent('drop', { dataTransfer: dropped });
    await reads(page, ['more.txt: 2 added']);
    await expect.poll(() => chips(page)).toEqual(['Ann <ann@x.org>', 'ben@x.org', '?']);
    await expect.poll(() => several(page).inputValue()).toBe('waiting@x.org');
  });

  it('of a table with more columns become contacts that keep them, and the people of the reminder', async ({
    expect,
  }) => {
    const workspace = await fixture.ann.createWorkspace('Elm Street 12');
    await post(workspace, '/api/contacts', { name: 'Ann Lee', email: 'ann@x.org', variables: { Miete: '1 €' } });
    const page = await openForm(workspace);
    await page.getByLabel('Title').fill('Rent of June');
    await tab(page, 'Channels').click();
    const table = 'Name;E-Mail;Telefon;Miete\nAnn Lee;ann@x.org;+49301234567;900 €\nBen Ode;ben@x.org;;800 €\n';
    const chooser = page.waitForEvent('filechooser');
    await press(page, 'Choose a file');
    await (await chooser).setFiles({ name: 'Mieter.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await reads(page, [/^Mieter\.csv lists 2 people\. Imported as contacts, they keep the column Miete,/]);
    await expectGood(page);
    await press(page, 'Import as contacts');
    await reads(page, ['1 new, 1 changed.', 'The reminder is sent to everyone with the first of them.']);
    await expectGood(page);
    await press(page, 'Import 2 contacts');
    await press(page, 'Done');
    await reads(page, ['Chosen under People: everyone with the tag Mieter.', '2 people belong to it now.']);
    expect(await page.getByRole('list', { name: 'Recipients' }).count()).toBe(0);
    expect(await page.getByLabel('Title').inputValue()).toBe('Rent of June');
    const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/contacts' });
    expect(data).toMatchObject([
      { name: 'Ann Lee', phone: '+49301234567', variables: { Miete: '900 €' }, tags: ['Mieter'] },
      { name: 'Ben Ode', variables: { Miete: '800 €' }, tags: ['Mieter'] },
    ]);

    // The same file again gets a tag of its own, and what is undone is no audience.
    await (await chooser).setFiles({ name: 'Mieter.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await press(page, 'Import as contacts');
    await press(page, 'Import 2 contacts');
    await press(page, 'Undo import');
    const question = page.getByRole('dialog', { name: /^Undo the import of/ });
    await question.getByText('2 contacts that it changed are changed back.').waitFor();
    await question.getByRole('button', { name: 'Undo import' }).click();
    await reads(page, ['The import is undone: 2 contacts restored.']);
    await press(page, 'Done');
    await reads(page, ['2 people belong to it now.']);
    expect(await page.getByText('Mieter 2').count()).toBe(0);
  });

  it('that cannot be used hold up the saving, and are led to', async ({ expect }) => {
    const page = await openForm(fixture.empty);
    await tab(page, 'Channels').click();
    await several(page).fill('ann@x.org, nonsense');
    await tab(page, 'Basic Info').click();
    await page.getByLabel('Title').fill('Rent');
    await tab(page, 'Content').click();
    await page.getByLabel('Subject').fill('Rent');
    await page.getByLabel('Message').fill('It is due.');
    await press(page, 'Create Reminder');
    await reads(page, ['These lines are not valid recipients: correct or remove them']);
    await expect.poll(() => tab(page, 'Channels').getAttribute('aria-selected')).toBe('true');
    await page.waitForFunction(() => document.activeElement instanceof HTMLTextAreaElement);
    await expect.poll(() => several(page).inputValue()).toBe('nonsense');
    await expect.poll(() => chips(page)).toEqual(['ann@x.org']);
    await several(page).fill('');
    await press(page, 'Create Reminder');
    await toast(page, { title: 'Success!', text: 'Reminder has been created successfully.' });
  });

  it('are checked softly against the chosen channels, of which there are six', async () => {
    const page = await openForm(fixture.empty);
    await tab(page, 'Channels').click();
    const tiles = page.getByRole('group', { name: 'Channels' }).getByRole('button');
    await expect
      .poll(async () => (await tiles.allInnerTexts()).map((text) => text.split('\n')[0]))
      .toEqual(['Email', 'SMS', 'WhatsApp', 'Webhook', 'Slack', 'Push']);
    await recipient(page).fill('+49 30 1234567');
    await recipient(page).press('Enter');
    await reads(page, ['+49301234567: A phone number fits none of the chosen channels (email)']);
    await tiles.filter({ hasText: 'SMS' }).click();
    await page.getByText(/fits none of the chosen channels/).waitFor({ state: 'detached' });
  });

  it('that look mistyped, or hold something that cannot be seen, are told before anything is saved', async () => {
    const page = await openForm(fixture.empty);
    await tab(page, 'Channels').click();
    for (const written of ['a@example..com', '.b@example.com', 'karl@ex\u00adample.com']) {
      await recipient(page).fill(written);
      await recipient(page).press('Enter');
    }
    await reads(page, [
      /^One recipient will be skipped:/,
      /: The email address has an invisible character at position 8: U\+00AD \(soft hyphen\)$/,
      /^2 addresses look mistyped:/,
      'a@example..com has two dots in a row',
      '.b@example.com begins with a dot',
    ]);
  });
});

describe.concurrent('what could never be sent', () => {
  it('is not started: an event that nobody has chosen is asked for under its field, and a draft may wait for it', async ({
    expect,
  }) => {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    const page = await openForm(workspace);
    await page.getByLabel('Title').fill('Welcome');
    await page
      .getByRole('group', { name: 'Trigger type' })
      .getByRole('button', { name: /^Event/ })
      .click();
    await tab(page, 'Channels').click();
    await recipient(page).fill('dana@example.com');
    await recipient(page).press('Enter');
    await tab(page, 'Content').click();
    await page.getByLabel('Subject').fill('Welcome');
    await page.getByLabel('Message').fill('Hello {{recipient_name}}');
    await press(page, 'Create Reminder');
    await page.getByRole('tab', { name: 'Schedule has errors', selected: true }).waitFor();
    const trigger = page.getByRole('combobox', { name: 'Event trigger' });
    await page.getByRole('tabpanel').getByText('Event trigger is required').waitFor();
    await expect.poll(() => trigger.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('checkbox', { name: 'Start reminder immediately after creation' }).uncheck();
    await press(page, 'Create Reminder');
    await reads(page, ['Event: Unknown', 'The schedule cannot run. Event trigger is required']);
  });

  it('is not started: a variable without a value is asked for in a field of its own, however it came into the text', async () => {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    const page = await openForm(workspace);
    await page.getByLabel('Title').fill('Rent');
    await tab(page, 'Channels').click();
    await recipient(page).fill('dana@example.com');
    await recipient(page).press('Enter');
    await tab(page, 'Content').click();
    await page.getByLabel('Subject').fill('Rent of {{due_date}}');
    await page.getByLabel('Message').fill('Dear {{recipient_name}}, ');
    await page.getByRole('button', { name: 'amount', exact: true }).first().click();
    await tab(page, 'Basic Info').click();
    await press(page, 'Create Reminder');
    await page.getByRole('tab', { name: 'Content has errors', selected: true }).waitFor();
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    await reads(page, [
      'Enter a value for due_date: without it no message can be sent',
      'Enter a value for amount: without it no message can be sent',
    ]);
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
    expect((await fixture.ann.call('GET', '/api/reminders', { workspace })).json.data).toEqual([]);
    await field('due_date').fill('1 December');
    await field('amount').fill('950 €');
    await press(page, 'Create Reminder');
    await toast(page, { title: 'Success!', text: 'Reminder has been created successfully.' });
  });
});

/** The mail in the preview. */
const mailIn = (page: Page) => page.frameLocator('iframe[title="The message as mail"]');

describe.concurrent('the preview', () => {
  it('shows the message as each recipient gets it, with the values of contacts, over each channel', async ({
    expect,
  }) => {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    await post(workspace, '/api/contacts', {
      name: 'Dana Reed',
      email: 'dana@example.com',
      variables: { amount: '950 €' },
    });
    const page = await openForm(workspace);
    await tab(page, 'Channels').click();
    await page.getByRole('group', { name: 'Channels' }).getByRole('button', { name: /^SMS/ }).click();
    await several(page).fill('dana@example.com\nBen <ben@example.com>\n+49 30 1234567');
    await press(page, 'Add all');
    await tab(page, 'Content').click();
    await page.getByLabel('Subject').fill('Rent at {{company_name}}');
    await page.getByLabel('Message').fill('Dear {{recipient_name}}, {{amount}} is due.');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Rent at Oak Lane').waitFor();
    await mailIn(page).getByText('Dear Dana Reed, 950 € is due.').waitFor();

    await choose(page, { label: 'For', option: 'Ben <ben@example.com>' });
    await preview.getByText('Without a value: amount.').waitFor();
    await expect.poll(() => mailIn(page).locator('mark').allInnerTexts()).toEqual(['{{amount}}']);
    await page.getByRole('button', { name: 'amount', exact: true }).first().click();
    await page.getByRole('textbox', { name: 'amount' }).fill('900 €');
    await mailIn(page).getByText('Dear Ben, 900 € is due.').waitFor();

    await choose(page, { label: 'For', option: '+49 30 1234567' });
    await preview.getByText(/^1 segment, GSM-7 · \d+ characters$/).waitFor();
    await expect.poll(() => preview.getByText('Rent at Oak Lane').count()).toBe(0);
  });

  it('tells what Liquid does not understand, with its line, and serves before there are recipients', async () => {
    const page = await openForm(fixture.empty);
    await tab(page, 'Content').click();
    await page.getByLabel('Message').fill('Hello {{recipient_name}}\n{% if amount %}');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('The message cannot be filled in: tag {% if amount %} not closed (line 2)').waitFor();
    await page.getByLabel('Message').fill('Hello {{recipient_name}}');
    await mailIn(page).getByText('Hello John Doe').waitFor();
    await preview.getByText('Shown for John Doe <john@example.com> until a recipient is added.').waitFor();
  });

  it('weighs nothing until somebody writes the message', async () => {
    const asked: string[] = [];
    const page = await openForm(fixture.empty, {
      before: async (fresh) => void fresh.on('request', (request) => asked.push(request.url())),
    });
    await tab(page, 'Channels').click();
    expect(asked.filter((url) => /MessagePreview|TemplatePicker/.test(url))).toEqual([]);
    await tab(page, 'Content').click();
    await page.getByRole('region', { name: 'Preview' }).waitFor();
    await expect.poll(() => asked.some((url) => url.includes('MessagePreview'))).toBe(true);
  });
});

describe.concurrent('the preview in Markdown', () => {
  it('is what each channel makes of it, and goes to oneself in one click', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    const page = await openForm(workspace);
    await tab(page, 'Channels').click();
    for (const channel of [/^SMS/, /^WhatsApp/, /^Slack/])
      await page.getByRole('group', { name: 'Channels' }).getByRole('button', { name: channel }).click();
    await several(page).fill('ann@example.com\n+49 30 1234567');
    await press(page, 'Add all');
    await tab(page, 'Content').click();
    await page.getByLabel('Subject').fill('Rent');
    await page.getByLabel('Message').fill('Pay **{{recipient_name}}**, [now](https://pay.example)');
    await expect.poll(() => mailIn(page).locator('strong').allInnerTexts()).toEqual(['ann@example.com']);
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Slack', { exact: true }).click();
    await preview.getByRole('link', { name: 'now' }).waitFor();
    await preview.getByText('Email', { exact: true }).click();
    await press(page, 'Send to myself');
    await toast(page, { title: 'Test sent', text: `This message is on its way to ${fixture.ann.email}.` });
    await choose(page, { label: 'For', option: '+49 30 1234567' });
    await preview.getByText(/^Pay \+49 ?30 ?1234567, now \(https:\/\/pay\.example\)$/).waitFor();
    await preview.getByText('WhatsApp', { exact: true }).click();
    await expect.poll(() => preview.locator('strong').allInnerTexts()).toEqual([expect.stringMatching(/^\+49/)]);
    await page.getByText('Plain text', { exact: true }).click();
    await preview.getByText('SMS', { exact: true }).click();
    await preview.getByText(/^Pay \*\*\+49/).waitFor();
  });
});

describe.concurrent('a reminder that starts from a template', () => {
  async function withTemplates() {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    const rent = await post(workspace, '/api/template-categories', { name: 'Rent', color: '#eab308' });
    const variable = { name: 'amount', type: 'text', description: '', required: true, defaultValue: '900 €' };
    const content = { subject: 'Rent of {{amount}}', body: 'Dear {{recipient_name}}, pay {{amount}}.', type: 'email' };
    const own = await post(workspace, '/api/templates', {
      name: 'Rent is due',
      category_id: rent.id,
      content,
      variables: { variables: [variable] },
    });
    await post(workspace, '/api/templates', { ...sampleTemplate, name: 'Bins', content: { ...content, type: 'sms' } });
    return { workspace, own };
  }
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Start from a template' });
  const names = (page: Page) => page.getByRole('list', { name: 'Templates' }).getByRole('heading').allInnerTexts();

  it('has its text, its variables and their defaults, and is counted once it is saved', async ({ expect }) => {
    const { workspace, own } = await withTemplates();
    const page = await openForm(workspace);
    await press(page, 'Start from a template');
    await dialog(page).getByText('Preview').last().click();
    await reads(page, ['Rent of 900 €', 'Dear John Doe, pay 900 €.']);
    await expect.poll(() => page.url()).toContain('pick=own');
    await press(page, 'Use Rent is due');
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => tab(page, 'Content').getAttribute('aria-selected')).toBe('true');
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Rent of {{amount}}');
    await expect.poll(() => page.getByRole('textbox', { name: 'amount' }).inputValue()).toBe('900 €');
    // The template is plain, and so is the mail.
    await page.getByRole('region', { name: 'Preview' }).getByText('Dear John Doe, pay 900 €.').waitFor();

    await tab(page, 'Channels').click();
    await recipient(page).fill('ann@example.com');
    await press(page, 'Create Reminder');
    await toast(page, { title: 'Success!', text: 'Reminder has been created successfully.' });
    const { json } = await fixture.ann.call('GET', `/api/templates/${own.id}`, { workspace });
    expect(json.usage_count).toBe(1);
    const uses = await fixture.ann.call('GET', `/api/templates/${own.id}/uses`, { workspace });
    expect(uses.json.data.map((use: { name: string }) => use.name)).toEqual(['Rent is due']);
  });

  it('is asked before what is written is replaced', async ({ expect }) => {
    const { workspace } = await withTemplates();
    const page = await openForm(workspace);
    await tab(page, 'Content').click();
    await page.getByLabel('Message').fill('Mine');
    await press(page, 'Start from a template');
    await press(page, 'Use Rent is due');
    const question = page.getByRole('dialog', { name: 'Replace subject and message?' });
    await question.getByText('The subject and the message become those of “Rent is due”.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Mine');
    await press(page, 'Start from a template');
    await press(page, 'Use Rent is due');
    await press(page, 'Replace');
    await page.waitForFunction(() => document.querySelector('textarea[rows="6"]')?.textContent !== 'Mine');
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Dear {{recipient_name}}, pay {{amount}}.');
  });

  it('begins from a link: of the template’s card, or of the address', async ({ expect }) => {
    const { workspace, own } = await withTemplates();
    const page = await fixture.open('/templates', { as: fixture.ann, workspace });
    await page.getByRole('link', { name: 'Use Bins in a reminder' }).click();
    await page.waitForURL(/\/reminders\/new/);
    await page.getByRole('tab', { name: 'Content', selected: true }).waitFor();
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Dear {{recipient_name}}, pay {{amount}}.');
    await tab(page, 'Channels').click();
    await expect.poll(() => page.getByRole('button', { name: /^SMS/ }).getAttribute('aria-pressed')).toBe('true');

    await page.goto(`/reminders/new?template=${own.id}`);
    await page.getByRole('dialog', { name: 'Replace subject and message?' }).waitFor();
    await press(page, 'Replace');
    await page.getByRole('tab', { name: 'Content', selected: true }).waitFor();
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Rent of {{amount}}');
    await expect.poll(() => page.url()).not.toContain('template=');
    await page.goto('/reminders/new?template=00000000-0000-4000-8000-000000000000');
    await toast(page, { title: 'Error loading templates', text: 'There is no such template' });
  });

  it('is found by search and category, which the address keeps, or among those of others', async ({ expect }) => {
    const { workspace } = await withTemplates();
    const page = await openForm(workspace, { path: '/reminders/new?pick=own&search=bin' });
    await dialog(page).waitFor();
    await page.waitForFunction(() => document.querySelectorAll('[role="dialog"] h3').length === 1);
    await expect.poll(() => names(page)).toEqual(['Bins']);
    await page.getByRole('searchbox').fill('');
    await choose(page, { label: 'Filter by category', option: 'Rent' });
    await page.waitForFunction(() => document.querySelector('[role="dialog"] h3')?.textContent === 'Rent is due');
    await page.waitForURL(/category=/);
    await page.getByRole('searchbox').fill('nothing like it');
    await reads(page, ['No templates found', 'Try adjusting your search or filters']);
    await page.getByRole('tab', { name: 'Public' }).click();
    await page.waitForURL(/pick=public/);
    await page.getByRole('tab', { name: 'Starters' }).click();
    await page.getByRole('searchbox').fill('certificate');
    await press(page, 'Use Certificate is about to expire');
    await dialog(page).waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByLabel('Subject').inputValue())
      .toBe('The certificate of {{domain}} expires on {{expiry_date}}');
    await press(page, 'Start from a template');
    await dialog(page).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.waitForURL(({ searchParams }) => !searchParams.has('pick') && !searchParams.has('search'));
  });

  it('says when templates cannot be had, and goes on to the starters where there are none', async () => {
    const workspace = await fixture.ann.createWorkspace('Mill Road');
    const page = await openForm(workspace, { before: (asked) => breakDown(asked, '/api/templates') });
    await press(page, 'Start from a template');
    await dialog(page).getByText('Error loading templates').waitFor();
    await dialog(page).getByText(outage).waitFor();
    await restore(page);
    await press(page, 'Retry');
    // It goes on where there is something.
    await dialog(page).getByRole('tab', { name: 'Starters', selected: true }).waitFor();
    await dialog(page).getByRole('tab', { name: 'Your workspace' }).click();
    await reads(page, ['No templates yet']);
  });
});

describe.concurrent('the reminder form', () => {
  it('fits and works for everyone on every tab and dialog, from 320 to 1440 px, in the light and in the dark', async () => {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    await post(workspace, '/api/templates', { ...sampleTemplate, name: 'W'.repeat(100) });
    const page = await openForm(workspace);
    await tab(page, 'Content').click();
    await page.getByLabel('Message').fill(`{{amount}} {{${'x'.repeat(90)}}} ${'long'.repeat(60)}`);
    await tab(page, 'Channels').click();
    await several(page).fill(`${'w'.repeat(80)}@example.com, ${'n'.repeat(90)}`);
    await press(page, 'Add all');
    await tab(page, 'Schedule').click();
    await choose(page, { label: 'Schedule type', option: 'Custom (cron)' });
    await cron(page).fill('0 9 * * MON-WED');
    await reads(page, ['Every Monday to Wednesday at 09:00']);
    await page.locator('ol[data-stale="false"]').waitFor();
    const widths = [320, 390, 768, 1440];
    const tabs = ['Basic Info', 'Schedule', 'Channels', 'Content'];
    for (const name of sample.draw(tabs, { name: 'tabs of the form', count: 2 })) {
      await tab(page, name).click();
      if (name === 'Content') await mailIn(page).locator('mark').first().waitFor();
      await expectGood(page, widths);
    }
    await tab(page, 'Content').click();
    await press(page, 'Start from a template');
    await page.getByRole('button', { name: /^Use W/ }).waitFor();
    await expectGood(page, widths);
  });

  it('says that it is loading, creating and updating, and then what it has done', async () => {
    const workspace = await fixture.ann.createWorkspace('Oak Lane');
    const page = await openForm(workspace);
    await reads(page, ['Create New Reminder', 'Set up automated reminders and notifications']);
    await page.getByLabel('Title').fill('Rent');
    await tab(page, 'Channels').click();
    await recipient(page).fill('ann@x.org');
    await tab(page, 'Content').click();
    await page.getByLabel('Subject').fill('Rent');
    await page.getByLabel('Message').fill('It is due.');
    let release = await delayRequests(page, '/api/reminders');
    await press(page, 'Create Reminder');
    await reads(page, ['Creating...']);
    release();
    await toast(page, { title: 'Success!', text: 'Reminder has been created successfully.' });

    const { id } = await post(workspace, '/api/reminders', { ...sampleReminder, name: 'Water' });
    release = await delayRequests(page, `/api/reminders/${id}`);
    await page.goto(`/reminders/${id}/edit`);
    await reads(page, ['Loading...', 'Back to Reminders']);
    release();
    await reads(page, ['Edit Reminder', 'Update your automated reminder', 'Start reminder immediately after creation']);
    release = await delayRequests(page, `/api/reminders/${id}`);
    await press(page, 'Update Reminder');
    await reads(page, ['Updating...']);
    release();
    await toast(page, { title: 'Success!', text: 'Reminder has been updated successfully.' });
    await page.waitForURL('**/reminders');
  });

  it('says that no workspace is selected when it is gone, and keeps what is written', async ({ expect }) => {
    const guest = await fixture.signUp('Ben Ito');
    const workspace = await guest.createWorkspace('Oak Lane');
    const page = await fixture.open('/reminders/new', { as: guest, workspace });
    await page.route('**/api/reminders', (route) =>
      route.fulfill({
        status: 404,
        json: {
          error: { code: 'not_found', message: 'There is no such workspace', resource: 'workspace', request_id: 'r-1' },
        },
      }),
    );
    await finish(page, 'Rent', { until: 'refused' });
    await toast(page, { title: 'Error', text: 'No workspace selected' });
    await tab(page, 'Basic Info').click();
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('Rent');
  });

  it('starts its week on Sunday, and finds a zone by its name or its offset of the day', async ({ expect }) => {
    const page = await openForm(fixture.empty);
    await tab(page, 'Schedule').click();
    await press(page, 'Start date');
    const head = page.locator('table thead th');
    await head.first().waitFor();
    await expect.poll(() => head.first().innerText()).toBe('Su');
    await page.keyboard.press('Escape');
    const zone = page.getByRole('combobox', { name: 'Timezone' });
    await zone.fill('tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo (UTC+09:00)' }).click();
    await zone.fill('+05:30');
    await page.getByRole('option', { name: 'Asia/Kolkata (UTC+05:30)' }).waitFor();
    await zone.fill('Atlantis');
    await reads(page, ['No timezone found']);
  });

  it('sets the priority, which its page and the dashboard show', async ({ expect }) => {
    const workspace = await fixture.ann.createWorkspace('Elm Priority');
    const { id } = await fixture.call(workspace, { path: '/api/reminders', body: sampleReminder });
    const page = await fixture.open(`/reminders/${id}/edit`, { as: fixture.ann, workspace });
    const priority = page.getByRole('combobox', { name: 'Priority' });
    await expect.poll(() => priority.inputValue()).toBe('Medium');
    await priority.click();
    await page.getByRole('option', { name: 'High' }).click();
    await reads(page, [/A high one is sent however many messages the workspace's frequency cap allows\.$/]);
    await expectGood(page);
    await page.getByRole('button', { name: 'Update Reminder' }).click();
    await toast(page, { title: 'Success!', text: 'Reminder has been updated successfully.' });
    await page.goto(`/reminders/${id}`);
    await reads(page, [/· high priority$/]);
    await page.goto('/dashboard');
    await reads(page, ['high priority']);
  });

  it('opens at the tab that the address names, and tells the address which is open', async () => {
    const page = await fixture.open('/reminders/new?tab=schedule', { as: fixture.ann, workspace: fixture.empty });
    await reads(page, [/^Every day at 09:00$/]);
    await tab(page, 'Channels').click();
    await page.waitForURL(/tab=channels/);
    await tab(page, 'Basic Info').click();
    await page.waitForURL((url) => url.search === '');
  });
});

async function finish(
  page: Page,
  title: string,
  { until = 'saved' }: { until?: 'saved' | 'refused' } = {},
): Promise<void> {
  await page.getByLabel('Title').fill(title);
  await tab(page, 'Channels').click();
  await recipient(page).fill('ann@example.com');
  await tab(page, 'Content').click();
  await page.getByLabel('Subject').fill(title);
  await page.getByLabel('Message').fill('It is due.');
  await press(page, 'Create Reminder');
  if (until === 'saved') await toast(page, { title: 'Success!', text: 'Reminder has been created successfully.' });
}
