import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { expectGood } from './looks.ts';
import { password } from './person.ts';
import { breakDown, delayRequests, describeScreens, outage, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

const widths = [390, 1440];
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** The path of the link in the newest mail with this subject; waits for the mail. */
async function linkFor(email: string, subject: string): Promise<string> {
  for (;;) {
    const { rows } = await fixture.owner.query<{ text: string }>(
      `select body_text as text from sandbox_messages
        where workspace_id is null and recipient = $1 and subject = $2 order by id desc limit 1`,
      [email, subject],
    );
    const link = /https?:\/\/\S+(\/auth\/\S+)/.exec(rows[0]?.text ?? '')?.[1];
    if (link !== undefined) return link;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function mailsTo(email: string): Promise<number> {
  const { rows } = await fixture.owner.query('select 1 from sandbox_messages where recipient = $1', [email]);
  return rows.length;
}

async function newPerson(): Promise<{ person: TestPerson; workspace: string }> {
  const person = await fixture.signUp('Ada Okafor');
  return { person, workspace: await person.createWorkspace('Elm Street') };
}

async function signIn(page: Page, { email, given }: { email: string; given: string }): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(given);
  await press(page, 'Sign In');
}

describe.concurrent('an account', () => {
  it('gets a new password by a mailed link, which works once', async () => {
    const { person, workspace } = await newPerson();
    const elsewhere = await fixture.open('/dashboard', { as: person, workspace });
    await heading(elsewhere, 'Dashboard');
    const page = await fixture.open('/auth');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await heading(page, 'Forgot your password?');
    await press(page, 'Send the link');
    await reads(page, ['Enter an email address']);
    await expectGood(page, widths);
    await page.getByLabel('Email').fill(person.email);
    await press(page, 'Send the link');
    await heading(page, 'Check your email');
    await expectGood(page, widths);

    const link = await linkFor(person.email, 'Set a new password');
    await page.goto(link);
    await heading(page, 'Set a new password');
    await reads(page, [person.email]);
    const field = page.getByLabel('New password', { exact: true });
    await field.fill('short');
    await press(page, 'Set password');
    await reads(page, ['Password must be at least 6 characters long', 'Weak.']);
    await field.fill('Passw0rd1');
    await reads(page, ['Very weak.']);
    await expectGood(page, widths);
    await field.fill('a better horse');
    await press(page, 'Set password');
    await toast(page, { title: 'Password changed', text: 'Sign in with your new password.' });
    await elsewhere.getByRole('tab', { name: 'Sign In' }).waitFor();
    await fixture.leave(elsewhere);
    await signIn(page, { email: person.email, given: 'a better horse' });
    await heading(page, 'Dashboard');

    await page.goto(link);
    await heading(page, 'This link no longer works');
    await expectGood(page, widths);
    await page.getByRole('link', { name: 'Send a new link' }).click();
    await heading(page, 'Forgot your password?');
  });

  it('is confirmed by the button behind its link, which a mere visit does not use up', async ({ expect }) => {
    const { person } = await newPerson();
    await fixture.owner.query('update profiles set email_verified = false where id = $1', [person.userId]);
    await fetch(`${fixture.url}/api/auth/send-verification-email`, {
      method: 'POST',
      headers: { origin: fixture.url, 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email }),
    });
    const link = await linkFor(person.email, 'Confirm your email address');
    const isVerified = async () =>
      (await fixture.owner.query('select email_verified from profiles where id = $1', [person.userId])).rows[0]
        .email_verified;
    for (const method of ['GET', 'HEAD']) expect((await fetch(`${fixture.url}${link}`, { method })).status).toBe(200);
    const page = await fixture.open(link);
    await heading(page, 'Confirm your email address');
    await reads(page, [person.email]);
    await expectGood(page, widths);
    expect(await isVerified()).toBe(false);
    await press(page, 'Confirm your email address');
    await toast(page, { title: 'Address confirmed', text: 'You are signed in.' });
    await heading(page, 'Dashboard');
    expect(await isVerified()).toBe(true);
    await fixture.leave(page);

    const broken = await fixture.open(link.replace(/\.[^.]+$/, '.expired'));
    await press(broken, 'Confirm your email address');
    await heading(broken, 'This link does not work');
    await expectGood(broken, widths);
    await press(broken, 'Send a new link');
    await heading(broken, 'Check your email');
  });

  it('changes its address once the new one is confirmed', async ({ expect }) => {
    const { person, workspace } = await newPerson();
    const page = await fixture.open('/dashboard', { as: person, workspace });
    await press(page, 'Your account');
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await heading(page, 'Settings');
    await press(page, 'Change email');
    const dialog = page.getByRole('dialog', { name: 'Change your email' });
    const email = `ada.${randomUUID()}@example.com`;
    await dialog.getByLabel('New email').fill('nobody');
    await press(page, 'Send the link');
    await reads(page, ['Enter an email address']);
    await dialog.getByLabel('New email').fill(email);
    await expectGood(page, widths);
    await press(page, 'Send the link');
    await reads(page, [new RegExp(`^${email.replaceAll('.', '\\.')} waits to be confirmed`)]);
    await expectGood(page, widths);
    expect(await linkFor(person.email, 'Your email address is about to change')).toBe('/auth/forgot-password');
    await press(page, 'Cancel the change');
    await page.getByText('waits to be confirmed').waitFor({ state: 'detached' });

    const ask = async () => (await person.call('POST', '/api/account/email', { body: { email } })).status;
    expect(await ask()).toBe(200);
    const cancelled = await linkFor(email, 'Confirm your new email address');
    await page.goto(cancelled.replace(/token=.*/, 'token=none'));
    await heading(page, 'Confirm your new address');
    await expectGood(page, widths);
    await press(page, 'Confirm this address');
    await heading(page, 'This link does not work');
    await expectGood(page, widths);
    const stranger = await fixture.open(cancelled);
    await stranger.getByRole('tab', { name: 'Sign In' }).waitFor();
    await fixture.leave(stranger);
    // No mail of a cancelled change is still on its way.
    await expect.poll(() => mailsTo(email)).toBe(2);
    await fixture.owner.query('delete from sandbox_messages where recipient = $1', [email]);
    await ask();
    await page.goto(await linkFor(email, 'Confirm your new email address'));
    await press(page, 'Confirm this address');
    await heading(page, 'Your address is changed');
    await expectGood(page, widths);
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await press(page, 'Your account');
    await reads(page, [email]);
  });

  it('changes its password and goes on, while its other browsers leave at once', async () => {
    const { person, workspace } = await newPerson();
    const elsewhere = await fixture.open('/auth');
    await signIn(elsewhere, { email: person.email, given: password });
    await heading(elsewhere, 'Dashboard');
    const page = await fixture.open('/settings', { as: person, workspace });
    await press(page, 'Change password');
    const dialog = page.getByRole('dialog', { name: 'Change your password' });
    await dialog.getByLabel('Current password').fill('wrong horse');
    await dialog.getByLabel('New password').fill('Ada Okafor');
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await reads(page, ['This is not your password']);
    await expectGood(page, widths);
    await dialog.getByLabel('Current password').fill(password);
    await dialog.getByLabel('New password').fill(password);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await reads(page, ['This is your password already: choose another one']);
    await dialog.getByLabel('New password').fill('a better horse');
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await toast(page, { title: 'Password changed', text: 'Every other browser was signed out.' });
    await elsewhere.getByRole('tab', { name: 'Sign In' }).waitFor();
    await signIn(elsewhere, { email: person.email, given: 'a better horse' });
    await heading(elsewhere, 'Dashboard');
    await fixture.leave(elsewhere);
    await page.reload();
    await heading(page, 'Settings');
  });

  it('lists the devices in which it is signed in, and signs out one, or all others', async ({ expect }) => {
    const { person, workspace } = await newPerson();
    const page = await fixture.open('/settings', {
      as: person,
      workspace,
      before: (opened) => breakDown(opened, '/api/account/devices'),
    });
    await reads(page, ['Error loading your devices', outage]);
    await expectGood(page, widths);
    await restore(page);
    const release = await delayRequests(page, '/api/account/devices');
    await press(page, 'Retry');
    release();
    const rows = page.getByRole('list', { name: 'Devices' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByText('(this one)').waitFor();

    const others = [await fixture.open('/auth'), await fixture.open('/auth')];
    for (const other of others) {
      await signIn(other, { email: person.email, given: password });
      await heading(other, 'Dashboard');
    }
    await page.reload();
    await expect.poll(() => rows.count()).toBe(3);
    await expectGood(page, widths);
    await rows
      .getByRole('button', { name: /^Sign out / })
      .first()
      .click();
    await expect.poll(() => rows.count()).toBe(2);
    await press(page, 'Sign out all others');
    const question = page.getByRole('dialog', { name: 'Sign out all others?' });
    await question.getByRole('button', { name: 'Sign out all others' }).click();
    await toast(page, { title: 'Signed out', text: 'You are signed in here only.' });
    await expect.poll(() => rows.count()).toBe(1);
    for (const other of others) {
      await other.getByRole('tab', { name: 'Sign In' }).waitFor();
      await fixture.leave(other);
    }
  });
});
