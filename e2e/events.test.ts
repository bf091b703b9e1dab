import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { addMember } from '#testing/owner.ts';
import { sampleReminder } from '#testing/samples.ts';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const execute = promisify(execFile);

const fixture = describeScreens();

const form = {
  ...sampleReminder,
  name: 'Contact form',
  status: 'active',
  schedule_config: {
    type: 'event-based',
    eventTrigger: 'custom_webhook',
    delayAmount: 2,
    delayUnit: 'days',
    timezone: 'UTC',
  },
  content: { subject: 'Form', message: 'From {{customer}}', recipients: ['erin@example.com'] },
};

async function workspaceWith(body: object): Promise<{ workspace: string; id: string }> {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const { id } = await fixture.call(workspace, { path: '/api/reminders', body });
  return { workspace, id };
}

const hookOf = (page: Page) => page.getByRole('region', { name: 'Hook' });
const lastCalls = (page: Page) => hookOf(page).getByRole('list', { name: 'Last calls' });

/** Runs the command that is shown, as somebody who has copied it; `answer` is what they type. */
async function runShown(page: Page, { label, answer = '' }: { label: string; answer?: string }) {
  const command = await page.getByRole('region', { name: label }).innerText();
  const running = execute('bash', ['-c', command]);
  running.child.stdin?.end(`${answer}\n`);
  return JSON.parse((await running).stdout);
}

it('the page of a reminder shows its hook, a command that calls it as it is, and what became of the calls', async () => {
  const { workspace, id } = await workspaceWith(form);
  const page = await fixture.open(`/reminders/${id}`, { as: fixture.ann, workspace });
  await hookOf(page).getByText('Nobody has called it yet.').waitFor();
  await expectGood(page);
  const sent = await runShown(page, { label: 'Call the hook with curl' });
  expect(sent.jobs).toHaveLength(1);
  await lastCalls(page).getByText('201 Accepted').waitFor();
  await lastCalls(page).getByRole('link', { name: 'Contact form' }).waitFor();

  await hookOf(page).getByRole('button', { name: 'Require signatures' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Secret of the sender' }).fill('too short');
  await dialog.getByRole('button', { name: 'Require signatures' }).click();
  await dialog.getByText('must be at least 16 characters').waitFor();
  await expectGood(page);
  await dialog.getByRole('textbox', { name: 'Secret of the sender' }).fill('');
  await dialog.getByRole('button', { name: 'Require signatures' }).click();
  await dialog.getByText(/shown only this time/).waitFor();
  await expectGood(page);
  const secret = (await dialog.getByText(/^whsec_/).innerText()).trim();
  expect((await runShown(page, { label: 'Call the hook with this secret' })).jobs).toHaveLength(1);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByText(secret).count()).toBe(0);
  expect((await runShown(page, { label: 'Call the hook with curl', answer: secret })).jobs).toHaveLength(1);
  const wrong = await runShown(page, { label: 'Call the hook with curl', answer: 'another secret' });
  expect(wrong.error.message).toBe('The signature does not match the body');
  await lastCalls(page).getByText('401 Refused').waitFor();
  await lastCalls(page).getByText('The signature does not match the body').waitFor();
  await expectGood(page);

  await hookOf(page).getByRole('button', { name: 'Remove secret' }).click();
  await dialog.getByRole('button', { name: 'Remove secret' }).click();
  await hookOf(page).getByText('Whoever knows the address can call it.').waitFor();
  const address = () =>
    hookOf(page)
      .getByText(/^http\S+\/api\/hooks\/[\w-]+$/)
      .innerText();
  const before = await address();
  await hookOf(page).getByRole('button', { name: 'Rotate address' }).click();
  await dialog.getByRole('button', { name: 'Replace address' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(address).not.toBe(before);
  expect((await fetch(before, { method: 'POST' })).status).toBe(404);
  expect((await fetch(await address(), { method: 'POST' })).status).toBe(201);
});

it('the form shows the hook of a reminder that is saved, and says where that of a new one will be', async () => {
  const { workspace, id } = await workspaceWith(form);
  const page = await fixture.open(`/reminders/${id}/edit`, { as: fixture.ann, workspace });
  await page.getByRole('tab', { name: 'Schedule', exact: true }).click();
  await hookOf(page).getByRole('button', { name: 'Copy the address of the hook' }).waitFor();
  await expectGood(page);
  await page.goto('/reminders/new');
  await page.getByRole('button', { name: /^Event-based/ }).click();
  await page.getByRole('tab', { name: 'Schedule', exact: true }).click();
  await page.getByRole('combobox', { name: 'Event trigger' }).click();
  await page.getByRole('option', { name: 'Custom webhook' }).click();
  await page.getByText(/The address that other systems call is shown here/).waitFor();
});

it('a member sees the hook and changes nothing of it, and a hook that cannot be read says so', async () => {
  const { workspace, id } = await workspaceWith(form);
  const ben = await fixture.signUp('Ben Ash');
  await addMember(fixture.owner, { workspace, userId: ben.userId, role: 'member' });
  const page = await fixture.open(`/reminders/${id}`, {
    as: ben,
    workspace,
    before: async (fresh) => {
      for (const path of ['hook', 'hook/calls']) await breakDown(fresh, `/api/reminders/${id}/${path}`);
    },
  });
  await reads(page, ['Error loading the hook', 'Error loading the last calls', outage]);
  await restore(page);
  const retry = hookOf(page).getByRole('button', { name: 'Retry' });
  await retry.first().click();
  await hookOf(page).getByRole('button', { name: 'Copy the address of the hook' }).waitFor();
  await retry.click();
  await hookOf(page).getByText('Nobody has called it yet.').waitFor();
  for (const name of ['Rotate address', 'Require signatures'])
    expect(await hookOf(page).getByRole('button', { name }).count()).toBe(0);
});

it('the list of events is found by tab and name, leads to the jobs, and sends one again once, by keyboard', async () => {
  const { workspace } = await workspaceWith({
    ...form,
    name: 'Ask for the card',
    schedule_config: { ...form.schedule_config, eventTrigger: 'payment_failed' },
  });
  const report = (event: string, key: string) =>
    fixture.call(workspace, { path: '/api/events', body: { event, key, data: { customer: 'Finn' } } });
  await report('payment_failed', 'invoice-1');
  await report('user_signup', 'user-1');
  await report('a_name_that_no_reminder_waits_for', 'k'.repeat(200));
  const page = await fixture.open('/jobs', { as: fixture.ann, workspace });
  await page.getByRole('tab', { name: 'Events' }).click();
  await reads(page, ['No active reminder of this workspace waits for user_signup', 'Ask for the card']);
  await expectGood(page);
  await page.getByRole('searchbox', { name: 'Filter by event name' }).fill('pay');
  await page.waitForURL(/event=pay/);
  await expect.poll(() => page.getByText('user_signup', { exact: true }).count()).toBe(0);
  await page.getByRole('link', { name: 'Ask for the card' }).click();
  await page.getByRole('dialog').getByText('erin@example.com').first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  const again = page.getByRole('button', { name: 'Send again: payment_failed invoice-1' });
  await again.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Send this event again?' });
  await dialog.waitFor();
  await expectGood(page);
  await dialog.getByRole('button', { name: 'Send again' }).dblclick();
  await toast(page, { title: 'Event sent again', text: 'It set off 1 job.' });
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Sent again', { exact: true }).waitFor();
  const { data } = await fixture.call(workspace, { method: 'GET', path: '/api/events?event=payment_failed' });
  expect(data.map((event: { is_repeat: boolean }) => event.is_repeat)).toEqual([true, false]);
});

it('what comes in appears by itself, and more than a page is loaded when it is asked for', async () => {
  const workspace = await fixture.ann.createWorkspace('Oak Lane');
  const page = await fixture.open('/jobs?tab=events', { as: fixture.ann, workspace });
  await page.getByText('No events yet').waitFor();
  await fixture.call(workspace, { path: '/api/events', body: { event: 'user_signup', key: 'the first' } });
  await page.getByText('the first').waitFor();
  await fixture.owner.query(
    `insert into events (workspace_id, key, event, request_hash, occurred_at, created_at)
     select $1, 'earlier ' || n, 'user_signup', 'h', now(), now() - n * interval '1 minute' from generate_series(1, 60) n`,
    [workspace],
  );
  await page.reload();
  await page.getByText('The latest 50 events').waitFor();
  await page.getByRole('button', { name: 'Load more' }).click();
  await page.getByText('61 events').waitFor();
});
