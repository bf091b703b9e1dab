import { createHmac, randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFailed } from 'vitest';
import { type CuebirdProcess, createInstallation, type TestInstallation } from '#testing/process.ts';
import { type Sink, startSink } from '#testing/sink.ts';
import { sharedBrowser } from './pages.ts';
import { createFirstWorkspace, openPerson, type Person, saveEvidence, signUp } from './person.ts';
import { writeReminder } from './reminder-form.ts';

const timezone = 'Europe/Berlin';
const key = randomBytes(24);

let installation: TestInstallation;
let sink: Sink;
let browser: Browser;
let cuebird: CuebirdProcess;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  [installation, sink, browser] = await Promise.all([createInstallation(), startSink(), sharedBrowser()]);
  cuebird = installation.start();
  const { url } = await cuebird.ready;
  ann = await openPerson(browser, { name: 'Ann Lee', url, timezone });
  ben = await openPerson(browser, { name: 'Ben Ito', url });
});

beforeEach(() => {
  onTestFailed(async () => console.error(`Evidence: ${await saveEvidence([ann, ben], cuebird.output())}`));
});

afterAll(async () => {
  await Promise.all([ann.leave(), ben.leave()]);
  await sink.close();
  await installation.remove();
});

describe('somebody who wants others reminded', () => {
  it('signs up, creates a workspace and writes a reminder', async () => {
    const { page } = ann;
    await signUp(ann);
    await createFirstWorkspace(ann, 'Elm Street');
    await writeReminder(page, {
      title: 'Rent is due',
      due: Temporal.Now.zonedDateTimeISO(timezone).add({ days: 1 }),
      channels: ['Webhook'],
      recipients: ['Maya Fischer <maya@example.com>', 'jonas@example.com', sink.urlFor('board')],
      subject: 'Rent for Elm Street',
      greeting: 'Dear ',
    });
    await page.getByText('Reminder has been created successfully.').waitFor();
    await statusOf(page, 'Rent is due', 'Active').waitFor();
    expect(ann.surprises()).toEqual([]);
  });

  it('sees the job wait, and become completed without doing anything', async () => {
    const { page } = ann;
    await page.getByRole('link', { name: 'Jobs' }).click();
    const row = page.getByRole('row', { name: /Rent is due/ });
    await row.getByText('Pending', { exact: true }).waitFor();
    expect(sink.calls).toEqual([]);
    await dueInSeconds(ann, 2);
    await row.getByText('Completed', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Completed\s*1$/ }).waitFor();
    expect(ann.surprises()).toEqual([]);
  });

  it('finds exactly one accepted delivery for each recipient in the details', async () => {
    const { page } = ann;
    await page
      .getByRole('row', { name: /Rent is due/ })
      .getByRole('link', { name: 'Rent is due' })
      .click();
    const details = page.getByRole('dialog', { name: 'Job details' });
    const ledger = details.getByRole('region', { name: 'Recipients' }).getByRole('listitem');
    await ledger.first().waitFor();
    await expect.poll(() => ledger.count()).toBe(3);
    const lines = await ledger.allInnerTexts();
    for (const recipient of ['maya@example.com', 'jonas@example.com', sink.urlFor('board')]) {
      const [line, ...others] = lines.filter((text) => text.includes(recipient));
      expect(line).toMatch(/Accepted\s+1 attempt\b/);
      expect(others).toEqual([]);
    }
    const runs = details.getByRole('region', { name: 'Executions' }).getByText(/^(Completed|Failed)$/);
    await runs.first().waitFor();
    await expect.poll(() => runs.allInnerTexts()).toEqual(['Completed']);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'hidden' });
    expect(ann.surprises()).toEqual([]);
  });

  it('reads in the inbox that each mail names the one it went to', async () => {
    const { page } = ann;
    await page.getByRole('link', { name: 'Inbox' }).click();
    const messages = page.getByRole('region', { name: 'Messages' }).getByRole('listitem');
    for (const [address, name] of [
      ['maya@example.com', 'Maya Fischer'],
      ['jonas@example.com', 'jonas@example.com'],
    ] as const) {
      await messages.filter({ hasText: address }).getByRole('link').click();
      const mail = page.getByRole('article');
      await mail.getByText(address).first().waitFor();
      await mail.getByRole('heading', { name: 'Rent for Elm Street' }).waitFor();
      const body = mail.frameLocator('iframe[title="The message: Rent for Elm Street"]').locator('body');
      await expect
        .poll(async () => (await body.innerText()).trim().split(/\s*\n\s*/))
        .toEqual([`Dear ${name}`, 'Elm Street', 'Unsubscribe']);
    }
    await expect.poll(() => messages.count()).toBe(2);
    expect(ann.surprises()).toEqual([]);
  });

  it('had the webhook called once, by the rules of Standard Webhooks', () => {
    expect(sink.calls).toHaveLength(1);
    const [call] = sink.calls;
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': expect.stringMatching(/^[\w-]{36}$/),
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    });
    // A URL among the recipients has no secret to sign with.
    expect(call?.headers).not.toHaveProperty('webhook-signature');
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      type: 'reminder.due',
      id: call?.id,
      data: { name: 'Rent is due', subject: 'Rent for Elm Street', recipient: sink.urlFor('board'), is_test: false },
    });
  });

  it('sends a test that is signed once the workspace has a webhook channel with a secret', async () => {
    const { page } = ann;
    const { data } = await (await page.request.get('/api/workspaces')).json();
    const created = await page.request.post('/api/channels', {
      headers: { 'x-workspace-id': data[0].id },
      data: {
        name: 'Board',
        type: 'webhook',
        configuration: {
          secret: `whsec_${key.toString('base64')}`,
          trusted_origins: new URL(sink.urlFor('board')).origin,
        },
      },
    });
    expect(created.status()).toBe(201);

    await page.getByRole('link', { name: 'Reminders' }).click();
    await page.getByRole('article', { name: 'Rent is due' }).getByRole('button', { name: 'Test' }).click();
    await page.getByRole('textbox', { name: 'Test recipients' }).fill(sink.urlFor('board'));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send Test' }).click();
    await page.getByText('Test reminder will be sent to 2 recipient(s)').waitFor();
    const outcome = page.getByRole('dialog', { name: 'Test outcome' });
    await outcome.getByText('Accepted').nth(1).waitFor();
    await page.keyboard.press('Escape');
    await outcome.waitFor({ state: 'hidden' });
    await sink.received(2);
    const call = sink.calls[1];
    const signed = [call?.id, call?.headers['webhook-timestamp'], call?.body].join('.');
    expect(call?.headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(JSON.parse(call?.body ?? '').data).toMatchObject({ is_test: true, subject: 'Rent for Elm Street' });
    expect(ann.surprises()).toEqual([]);
  });

  it('is still signed in after a reload', async () => {
    const { page } = ann;
    await page.reload();
    await page.getByRole('button', { name: 'Workspace: Elm Street' }).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Reminders' }).waitFor();
    expect(ann.surprises()).toEqual([]);
  });

  it('pauses a reminder from the list, and resumes it', async () => {
    const { page } = ann;
    await writeReminder(page, {
      title: 'Inspection round',
      recipients: ['tomasz@example.com'],
      subject: 'Inspection',
      greeting: 'Good morning ',
    });
    const card = page.getByRole('article', { name: 'Inspection round' });
    await statusOf(page, 'Inspection round', 'Active').waitFor();
    await card.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Reminder paused successfully').waitFor();
    await statusOf(page, 'Inspection round', 'Paused').waitFor();
    await expectOneJob(page, 'Inspection round', 'Paused');

    await page.getByRole('link', { name: 'Reminders' }).click();
    await card.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Reminder resumed successfully').waitFor();
    await statusOf(page, 'Inspection round', 'Active').waitFor();
    await expectOneJob(page, 'Inspection round', 'Pending');
    expect(ann.surprises()).toEqual([]);
  });

  it('shows nothing of it to somebody else', async () => {
    const { page } = ben;
    await signUp(ben);
    await createFirstWorkspace(ben, 'Mill Road');
    for (const [screen, words] of [
      ['Reminders', 'No reminders found'],
      ['Jobs', 'No jobs yet'],
      ['Inbox', 'No messages yet'],
    ] as const) {
      await page.getByRole('link', { name: screen }).click();
      await page.getByText(words).waitFor();
    }
    expect(ben.surprises()).toEqual([]);

    ben.expects(/\b404\b/);
    for (const { address, words } of await recipientsOf(ann)) {
      await page.goto(address);
      await page.getByText(words).first().waitFor();
      await expect.poll(() => page.locator('body').innerText()).not.toMatch(/Rent|Maya|jonas|Elm Street/);
    }
    expect(ben.surprises()).toEqual([]);
  });

  it('signs out, and is asked to sign in again', async () => {
    const { page } = ann;
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/auth');
    await page.goto('/reminders');
    await page.waitForURL('**/auth');
    await page.getByRole('tab', { name: 'Sign In' }).waitFor();
    expect(ann.surprises()).toEqual([]);
    const warnings = cuebird.output().match(/^.*"level":[4-6]0.*$/gm) ?? [];
    // Somebody else asked for what is not theirs.
    expect(warnings.filter((line) => !line.includes('"msg":"a request was refused"'))).toEqual([]);
  });
});

/** Moves the only reminder of somebody's first workspace. By the API: the form knows minutes, and one would have to begin. */
async function dueInSeconds({ page }: Person, seconds: number): Promise<void> {
  const { data: workspaces } = await (await page.request.get('/api/workspaces')).json();
  const headers = { 'x-workspace-id': workspaces[0].id };
  const { data } = await (await page.request.get('/api/reminders', { headers })).json();
  const path = `/api/reminders/${data[0].id}`;
  const { name, description, status, schedule_config, content, metadata } = await (
    await page.request.get(path, { headers })
  ).json();
  const startDate = Temporal.Now.plainDateTimeISO(timezone).add({ seconds }).toString({ smallestUnit: 'second' });
  const moved = await page.request.put(path, {
    headers,
    data: { name, description, status, schedule_config: { ...schedule_config, startDate }, content, metadata },
  });
  expect(moved.status()).toBe(200);
}

/** A reminder's card where it says so. */
const statusOf = (page: Person['page'], name: string, status: string) =>
  page
    .getByRole('article', { name })
    .getByRole('definition')
    .filter({ hasText: new RegExp(`^${status}$`) });

async function expectOneJob(page: Person['page'], name: string, status: string): Promise<void> {
  await page.getByRole('link', { name: 'Jobs' }).click();
  const rows = page.getByRole('row', { name });
  await rows.getByText(status, { exact: true }).waitFor();
  await expect.poll(() => rows.count()).toBe(1);
}

/** Where somebody's reminder, job and mail are, and what others are told there. */
async function recipientsOf({ page }: Person): Promise<{ address: string; words: string }[]> {
  const recipients: { address: string; words: string }[] = [];
  for (const [screen, heading, link, words] of [
    ['Reminders', 'Reminders', 'Rent is due', 'This reminder is not here'],
    ['Jobs', 'Job Scheduler', 'Rent is due', 'Error loading job'],
    ['Inbox', 'Inbox', /Rent for Elm Street/, 'No messages yet'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }).click();
    // The screen before has a link of the same name.
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    const found = page.getByRole('main').getByRole('link', { name: link }).first();
    recipients.push({ address: (await found.getAttribute('href')) ?? '', words });
  }
  return recipients;
}
