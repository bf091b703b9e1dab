import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sampleReminder } from '#testing/samples.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import {
  breakDown,
  delayRequests,
  describeScreens,
  outage,
  reads,
  restore,
  shiftOf,
  type Visit,
} from './screens.fixture.ts';

const fixture = describeScreens();

const visit = (workspace: string, { path, ...more }: Visit & { path: string }) =>
  fixture.open(path, { as: fixture.ann, workspace, ...more });

async function made(workspace: string, path: string, body: object): Promise<string> {
  const { json } = await fixture.ann.call('POST', path, { workspace, body });
  expect(json.error).toBeUndefined();
  return json.id;
}

const newWorkspace = () => fixture.ann.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`);

/** A run of the reminder, one each month, to as many addresses. */
async function insertRun(
  workspace: string,
  of: { reminder: string; month: string; sent: number; failed?: number; to?: string },
) {
  const { reminder, month, sent, failed = 0, to = 'tenant1@example.com' } = of;
  await fixture.owner.query(
    `with run as (
       insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, started_at, completed_at)
       values ($1, $2, 'Rent', 'reminder', case when $5 = 0 then 'completed' else 'failed' end, $3, $3, $3, $3) returning id
     )
     insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts, reason, reason_code, provider, first_attempt_at,
       last_attempt_at, completed_at)
     select $1, run.id, $3, 'email', case n when 1 then $6 else 'tenant' || n || '@example.com' end,
            case when n <= $4::int then 'accepted' else 'failed' end, 1, case when n > $4::int then '550 5.1.1 User unknown' end,
            case when n > $4::int then 'no_such_address' end, 'smtp', $3, $3, $3
       from run, generate_series(1, $4::int + $5::int) n`,
    [workspace, reminder, `${month}-01T08:00:00Z`, sent, failed, to],
  );
}

const monthly = (more: object = {}) => ({
  ...sampleReminder,
  name: 'Rent',
  status: 'active',
  schedule_config: {
    type: 'scheduled',
    scheduleType: 'monthly',
    startDate: '2098-01-01T09:00:00',
    timezone: 'Europe/Berlin',
  },
  content: {
    subject: 'Rent is due',
    message: 'Dear {{recipient_name}}, the rent is due.',
    recipients: ['anna@example.com'],
  },
  ...more,
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

describe.concurrent('the page of a contact', () => {
  it('tells what they got in two clicks, what comes next, and since when nothing is sent to which address', async ({
    expect,
  }) => {
    const workspace = await newWorkspace();
    const anna = await made(workspace, '/api/contacts', {
      name: 'Anna Smith',
      email: 'anna@example.com',
      phone: '+4915112345678',
      tags: ['tenant', '12 Elm'],
      variables: { rent: '950 €' },
    });
    const reminder = await made(workspace, '/api/reminders', monthly());
    await insertRun(workspace, { reminder, month: '2026-03', sent: 2, to: 'Anna@example.com' });
    await insertRun(workspace, { reminder, month: '2026-04', sent: 0, failed: 1, to: 'anna@example.com' });
    await made(workspace, '/api/suppressions', { channel: 'sms', recipient: '+4915112345678' });
    const page = await visit(workspace, { path: '/contacts' });
    await page.getByRole('searchbox').fill('anna');
    await page.getByRole('link', { name: 'Anna Smith', exact: true }).click();
    await heading(page, 'Anna Smith');
    const got = page.getByRole('list', { name: 'What they got' }).getByRole('listitem');
    await expect.poll(() => got.count()).toBe(2);
    expect((await got.allInnerTexts()).map((text) => text.match(/Failed|Accepted/)?.[0])).toEqual([
      'Failed',
      'Accepted',
    ]);
    await reads(
      page,
      [
        'This address does not exist',
        'Nothing is sent to +4915112345678 by SMS',
        'Jan 2098',
        'Monthly',
        'tenant',
        '950 €',
      ].map((text) => new RegExp(text.replace('+', '\\+'))),
    );
    await got.last().getByRole('button').first().click();
    await page.frameLocator('iframe').getByText('Dear Anna Smith, the rent is due.').waitFor();
    await expectGood(page);

    await page.getByRole('button', { name: 'Write to them now' }).click();
    const dialog = page.getByRole('dialog', { name: 'Write to Anna Smith' });
    await dialog.getByLabel('Subject').fill('Your key');
    // A value that she does not have is told before anything is sent, and what was typed stays.
    await dialog.getByLabel('Message').fill('It is at the office until {{closing_time}}.');
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.getByText('Has no value for closing_time').waitFor();
    await expect.poll(() => dialog.getByLabel('Subject').inputValue()).toBe('Your key');
    await dialog.getByLabel('Message').fill('It is at the office, {{recipient_name}}.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Send now' }).click();
    await dialog.waitFor({ state: 'detached' });
    await got.first().getByText('To Anna Smith: Your key').waitFor();
    await got.first().getByText('Accepted', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Rent', exact: true }).first().click();
    await heading(page, 'Rent');
    await page.goBack();
    await heading(page, 'Anna Smith');
    await fixture.leave(page);

    const shape = await visit(workspace, {
      path: `/contacts/${anna}`,
      before: (opened) => breakDown(opened, `/api/contacts/${anna}/deliveries`),
    });
    await reads(shape, ['Error loading deliveries', outage, 'What comes next']);
    await restore(shape);
    await shape.getByRole('button', { name: 'Retry' }).click();
    await shape.getByText('To Anna Smith: Your key').waitFor();
  });

  it('writes over the channel that they prefer, unless nothing may be sent to them there', async ({ expect }) => {
    const workspace = await newWorkspace();
    const person = { email: 'ben@example.com', phone: '+4915112345679', preferred_channel: 'sms' };
    const ben = await made(workspace, '/api/contacts', { name: 'Ben', ...person });
    const page = await visit(workspace, { path: `/contacts/${ben}` });
    const dialog = page.getByRole('dialog', { name: 'Write to Ben' });
    const channel = dialog.getByRole('combobox', { name: 'Channel' });
    await page.getByRole('button', { name: 'Write to them now' }).click();
    await expect.poll(() => channel.inputValue()).toBe('SMS');
    await dialog.getByText('Their preferred channel').waitFor();
    await expectGood(page, [390, 1440]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await made(workspace, '/api/suppressions', { channel: 'sms', recipient: person.phone });
    await reads(page, ['Nothing is sent to +4915112345679 by SMS']);
    await page.getByRole('button', { name: 'Write to them now' }).click();
    await expect.poll(() => channel.inputValue()).toBe('Email');
  });

  it('says that nothing was sent yet, and that there is no such contact', async ({ expect }) => {
    const workspace = await newWorkspace();
    const bert = await made(workspace, '/api/contacts', { name: 'Bert' });
    const page = await visit(workspace, { path: `/contacts/${bert}` });
    await reads(page, ['Nothing yet', 'No active reminder is sent to them.']);
    await expect.poll(() => page.getByRole('button', { name: 'Write to them now' }).count()).toBe(0);
    await expectGood(page, [390, 1440]);
    await page.goto(`/contacts/${crypto.randomUUID()}`);
    await reads(page, ['This contact is not here', 'Show all contacts']);
    await expectAccessible(page);
  });
});

describe.concurrent('the page of a reminder', () => {
  it('tells in two clicks whether the last one went out, what it says to whom and when, and who changed it', async ({
    expect,
  }) => {
    const workspace = await newWorkspace();
    await made(workspace, '/api/contacts', { name: 'Anna Smith', email: 'anna@example.com', tags: ['tenant'] });
    const audience = { tags: ['tenant'] };
    const reminder = await made(
      workspace,
      '/api/reminders',
      monthly({ metadata: { channels: ['email'], priority: 'medium', audience } }),
    );
    await insertRun(workspace, { reminder, month: '2026-03', sent: 12 });
    await insertRun(workspace, { reminder, month: '2026-04', sent: 90, failed: 2 });
    const page = await visit(workspace, { path: '/dashboard' });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reminders' }).click();
    await reads(page, ['partly sent, 90 of 92 people']);
    await expectGood(page, [390, 1440]);
    await page.getByRole('link', { name: 'Rent', exact: true }).click();
    await heading(page, 'Rent');
    await reads(page, [
      'Partly sent',
      '90 of 92 people · 2 failed',
      '12 of 12 people',
      'Dear {{recipient_name}}, the rent is due.',
      'anna@example.com',
      'Tag tenant',
      '1 person belongs to it now',
      /1 Jan 2098/,
    ]);
    await expectGood(page);
    await page.getByRole('list', { name: 'Runs' }).getByRole('link').first().click();
    await page.getByRole('dialog', { name: 'Job details' }).getByText('Sent to 90 of 92 people').waitFor();
    await page.goBack();
    await heading(page, 'Rent');
    const edited = monthly({ content: { ...monthly().content, message: 'It is due on Monday.' } });
    await fixture.ann.call('PUT', `/api/reminders/${reminder}`, { workspace, body: edited });
    await reads(page, ['It is due on Monday.', /last sent/]);
    await page.getByRole('list', { name: 'Earlier texts' }).getByText('Rent is due', { exact: true }).click();
    await reads(page, ['Dear {{recipient_name}}, the rent is due.']);
    await page.getByRole('button', { name: 'Pause' }).click();
    await reads(page, ['Paused: nothing is sent until it is resumed.']);
    const changes = page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await expect
      .poll(async () => (await changes.allInnerTexts()).map((text) => text.split('\n')[0]))
      .toEqual(['Paused', 'Changed message, recipients', 'Created']);
    await changes.first().getByText('Ann Lee').waitFor();
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByRole('dialog', { name: 'Test Reminder' }).getByRole('button', { name: 'Send Test' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await heading(page, 'Edit Reminder');
  });

  it('says that it was not sent yet, what it could not load, and that there is no such reminder', async () => {
    const workspace = await newWorkspace();
    const reminder = await made(workspace, '/api/reminders', monthly({ status: 'draft' }));
    let release = () => {};
    const page = await visit(workspace, {
      path: `/reminders/${reminder}`,
      before: async (opened) => {
        release = await delayRequests(opened, `/api/reminders/${reminder}`);
      },
    });
    await page.getByRole('status', { name: 'Loading the reminder' }).waitFor();
    release();
    await reads(page, ['Not sent yet', 'A draft: nothing is sent until it is started.']);
    expect(await shiftOf(page)).toBeLessThan(0.1);
    await expectGood(page, [390, 1440]);
    await breakDown(page, `/api/reminders/${reminder}/runs`);
    await breakDown(page, `/api/reminders/${reminder}/changes`);
    await page.reload();
    await reads(page, ['Error loading runs', 'Error loading changes', outage, 'Rent is due']);
    await page.goto(`/reminders/${crypto.randomUUID()}`);
    await reads(page, ['This reminder is not here', 'Show all reminders']);
    await page.goto('/reminders/rent');
    await reads(page, ['This reminder is not here']);
    await expectAccessible(page);
  });
});
