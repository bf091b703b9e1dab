import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { authenticatorOf } from '#testing/authenticator.ts';
import type { TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { password } from './person.ts';
import { describeScreens, reads, toast } from './screens.fixture.ts';

const fixture = describeScreens();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const section = (page: Page) => page.getByRole('region', { name: 'Two-factor authentication' });
const sectionReads = (page: Page, text: string) => section(page).getByText(text).waitFor();

/** The codes that were accepted: a test does not wait for half a minute to use another one. */
const forgetCodes = ({ userId }: TestPerson) =>
  fixture.owner.query('update auth_two_factors set last_step = null where user_id = $1', [userId]);

const passMinutes = ({ userId }: TestPerson, minutes: number) =>
  fixture.owner.query(
    `update auth_sessions set created_at = created_at - make_interval(mins => $2), reauthenticated_at = reauthenticated_at - make_interval(mins => $2)
      where user_id = $1`,
    [userId, minutes],
  );

/** Turns it on in the settings; ends there, with the recovery codes saved. */
async function enable(page: Page) {
  await section(page).getByRole('button', { name: 'Turn on' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  const app = authenticatorOf(`otpauth://totp/Cuebird:x?secret=${secret}`);
  await dialog.getByLabel('Code', { exact: true }).fill(app.code());
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const list = dialog.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  const codes = await list.getByRole('listitem').allInnerTexts();
  return { app, codes, dialog };
}

async function enabled(name: string) {
  const person = await fixture.signUp(name);
  await person.createWorkspace('Elm Street');
  const page = await fixture.open('/settings', { as: person });
  const { app, codes, dialog } = await enable(page);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await sectionReads(page, '10 left, each for one sign-in without your phone.');
  return { person, page, app, codes };
}

async function signIn(page: Page, { email }: TestPerson): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await heading(page, 'Enter your code');
}

const submitCode = async (page: Page, { label = 'Code', code }: { label?: string; code: string }) => {
  await page.getByLabel(label, { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
};

describe.concurrent('two-factor authentication', () => {
  it('is turned on with a QR code, shows its recovery codes once, and is turned off again', async ({ expect }) => {
    const person = await fixture.signUp('Tara Fields');
    await person.createWorkspace('Elm Street');
    const page = await fixture.open('/settings', { as: person });
    await section(page).getByText('Off', { exact: true }).waitFor();
    await expectGood(page);
    await section(page).getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('Enter your password').waitFor();
    await dialog.getByLabel('Your password').fill('wrong horse');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('This is not your password').waitFor();
    await dialog.getByLabel('Your password').fill(password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code' }).waitFor();
    await expectGood(page, [390, 1440]);
    await dialog.getByLabel('Code', { exact: true }).fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByText('This is not the code of your app').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await sectionReads(page, 'Off');

    const { codes } = await enable(page);
    expect(codes).toHaveLength(10);
    await page.keyboard.press('Escape');
    await reads(page, ['Save your recovery codes', codes[0] ?? '']);
    await expectGood(page, [390, 1440]);
    const saved = page.waitForEvent('download');
    await dialog.getByRole('link', { name: 'Download' }).click();
    expect((await saved).suggestedFilename()).toBe('cuebird-recovery-codes.txt');
    await dialog.getByRole('button', { name: 'I have saved them' }).click();
    await sectionReads(page, '10 left, each for one sign-in without your phone.');
    await expectGood(page, [390, 1440]);

    await section(page).getByRole('button', { name: 'Make new ones' }).click();
    await dialog.getByRole('button', { name: 'Make new codes' }).click();
    await page.getByRole('dialog', { name: 'Save your recovery codes' }).waitFor();
    const renewed = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await expect.poll(() => renewed.allInnerTexts()).not.toContain(codes[0]);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await dialog.waitFor({ state: 'detached' });

    await section(page).getByRole('button', { name: 'Turn off' }).click();
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await toast(page, { title: 'Two-factor authentication is off', text: 'Signing in no longer asks for a code.' });
    await sectionReads(page, 'Off');
  });

  it('asks for a code at sign-in, says what is wrong, and leads where the person was going', async ({ expect }) => {
    const { person, page: first, app } = await enabled('Uma Hart');
    await fixture.leave(first);
    const page = await fixture.open('/auth');
    await signIn(page, person);
    await expectGood(page);
    const code = page.getByLabel('Code', { exact: true });
    await expect.poll(() => code.evaluate((input) => input === document.activeElement)).toBe(true);
    await expect.poll(() => code.getAttribute('autocomplete')).toBe('one-time-code');
    await expect.poll(() => code.getAttribute('inputmode')).toBe('numeric');
    await page.getByRole('button', { name: 'Continue' }).click();
    await reads(page, ['Enter the code']);
    await submitCode(page, { code: '000000' });
    await reads(page, ['This is not the code of your app']);
    await expectAccessible(page);
    // However long it took to come here, the present code is one that was used.
    await fixture.owner.query('update auth_two_factors set last_step = last_step + 1000 where user_id = $1', [
      person.userId,
    ]);
    await submitCode(page, { code: app.code() });
    await reads(page, ['This code was used already: wait for the next one']);

    // No screen opens before the code, and the address that was asked for is kept.
    await page.goto('/contacts?search=Carl');
    await heading(page, 'Enter your code');
    await forgetCodes(person);
    await submitCode(page, { code: app.code() });
    await heading(page, 'Contacts');
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('Carl');
  });

  it('takes a recovery code once in place of the app', async ({ expect }) => {
    const { person, page, codes } = await enabled('Vera Cole');
    const [code = ''] = codes;
    for (const isUsed of [false, true]) {
      await page.context().clearCookies();
      await page.goto('/auth');
      await signIn(page, person);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await heading(page, 'Enter a recovery code');
      if (!isUsed) await expectGood(page, [390, 1440]);
      await submitCode(page, { label: 'Recovery code', code: code.toUpperCase() });
      if (isUsed) await reads(page, ['This is not one of your recovery codes, or it was used already']);
      else await heading(page, 'Dashboard');
    }
    const mails = async () => {
      const { rows } = await fixture.owner.query(
        "select 1 from sandbox_messages where recipient = $1 and subject = 'A recovery code was used'",
        [person.email],
      );
      return rows;
    };
    await expect.poll(mails).toHaveLength(1);
    await page.getByRole('button', { name: 'Back to sign-in' }).click();
    await page.getByLabel('Email').waitFor();
  });
});

describe.concurrent('what is sensitive', () => {
  it('asks for the password once more after ten minutes, then goes on with what was typed', async ({ expect }) => {
    const [dana, finn] = await Promise.all([fixture.signUp('Dana Owens'), fixture.signUp('Finn Moss')]);
    const name = `Oak Lane ${crypto.randomUUID().slice(0, 8)}`;
    const workspace = await dana.createWorkspace(name);
    await addMember(fixture.owner, { workspace, userId: finn.userId, role: 'member' });
    await passMinutes(dana, 11);
    const page = await fixture.open(`/admin/workspace/${workspace}/manage?tab=members`, { as: dana, workspace });
    await page.getByRole('button', { name: 'Transfer ownership' }).click();
    const form = page.getByRole('dialog', { name: 'Transfer ownership' });
    await form.getByRole('combobox', { name: 'New owner' }).click();
    await page.getByRole('option', { name: /^Finn Moss/ }).click();
    await form.getByRole('button', { name: 'Transfer ownership' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    const field = dialog.getByLabel('Your password');
    await field.waitFor();
    await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
    await expectGood(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await toast(page, {
      title: 'Error transferring ownership',
      text: 'Nothing was changed, since you did not confirm that it is you.',
    });

    await form.getByRole('button', { name: 'Transfer ownership' }).click();
    await dialog.getByLabel('Your password').fill('wrong horse');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await reads(page, ['This is not your password']);
    await dialog.getByLabel('Your password').fill(password);
    await page.keyboard.press('Enter');
    await heading(page, name);
    await reads(page, ['Ownership transferred']);
  });

  it('asks for a code of the app where there is one, and mails one to who has neither', async () => {
    const { person, page, app } = await enabled('Wim Bass');
    await passMinutes(person, 11);
    await forgetCodes(person);
    await section(page).getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabel('Code', { exact: true }).waitFor();
    await expectGood(page, [390, 1440]);
    await dialog.getByRole('button', { name: 'Use a recovery code' }).click();
    await dialog.getByLabel('Recovery code').waitFor();
    await dialog.getByRole('button', { name: 'Use a code of your app' }).click();
    await dialog.getByLabel('Code', { exact: true }).fill(app.code());
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await section(page).getByText('Off', { exact: true }).waitFor();

    // As somebody who signs in with Google only.
    await fixture.owner.query("update auth_accounts set provider_id = 'google' where user_id = $1", [person.userId]);
    await passMinutes(person, 11);
    await page.reload();
    await section(page).getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'Mail me a code' }).waitFor();
    await expectGood(page, [390, 1440]);
    await dialog.getByRole('button', { name: 'Mail me a code' }).click();
    await dialog.getByLabel('Code', { exact: true }).fill(await mailedCode(person));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
  });
});

async function mailedCode({ email }: TestPerson): Promise<string> {
  for (;;) {
    const { rows } = await fixture.owner.query<{ text: string }>(
      "select body_text as text from sandbox_messages where recipient = $1 and subject = 'Your confirmation code'",
      [email],
    );
    const code = /^\d{6}$/m.exec(rows[0]?.text ?? '')?.[0];
    if (code !== undefined) return code;
  }
}

describe.concurrent('an administrator without two-factor authentication', () => {
  const title = 'Set up two-factor authentication';

  async function administrator(name: string, { askedDaysAgo = 0 } = {}) {
    const person = await fixture.signUp(name);
    await person.createWorkspace('Elm Street');
    await fixture.owner.query('update profiles set is_system_admin = true where id = $1', [person.userId]);
    await fixture.owner.query(
      'update profiles set second_factor_asked_at = now() - make_interval(days => $2) where id = $1',
      [person.userId, askedDaysAgo],
    );
    return person;
  }
  async function signIn({ email }: TestPerson): Promise<Page> {
    const page = await fixture.open('/auth');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    return page;
  }
  async function setUp(page: Page): Promise<void> {
    await page.getByLabel('Your password').fill(password);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    await expectGood(page, [390, 1440]);
    const secret = (await page.locator('code').innerText()).replaceAll(' ', '');
    const app = authenticatorOf(`otpauth://totp/Cuebird:x?secret=${secret}`);
    await page.getByLabel('Code', { exact: true }).fill(app.code());
    await page.getByRole('button', { name: 'Turn on' }).click();
    await heading(page, 'Save your recovery codes');
    await page.getByRole('button', { name: 'I have saved them' }).click();
  }

  it('is led to it by signing in, may put it off for seven days, and is asked again the next time', async ({
    expect,
  }) => {
    const person = await administrator('Vera Stone', { askedDaysAgo: 6 });
    const page = await signIn(person);
    await heading(page, title);
    await reads(page, [/The admin console closes to you on .* unless this is on by then/]);
    await expectGood(page);
    await page.getByRole('button', { name: 'Not now' }).click();
    await heading(page, 'Dashboard');
    await page.goto('/admin');
    await heading(page, 'Admin Console');
    await page.getByRole('link', { name: 'Set it up now' }).click();
    await heading(page, title);
    await page.getByRole('button', { name: 'Not now' }).click();
    await heading(page, 'Admin Console');
    await fixture.leave(page);

    const again = await signIn(person);
    await heading(again, title);
    await setUp(again);
    await heading(again, 'Dashboard');
    await again.goto('/auth/two-factor');
    await heading(again, 'Dashboard');
    expect((await person.call('GET', '/api/two-factor')).json).toMatchObject({ error: { code: 'unauthenticated' } });
  });

  it('reaches nothing of the administration after seven days before it is set up, and all else', async ({ expect }) => {
    const person = await administrator('Wade Brook', { askedDaysAgo: 7 });
    const page = await signIn(person);
    await heading(page, title);
    await reads(page, [/The admin console is closed to you until this is on\.$/]);
    await expectGood(page, [390, 1440]);
    await page.getByRole('button', { name: 'Go to the dashboard' }).click();
    await heading(page, 'Dashboard');
    for (const path of ['/admin', '/admin?tab=settings', '/admin?tab=system']) {
      await page.goto(path);
      await heading(page, title);
    }
    expect((await person.call('GET', '/api/admin/system')).json.error.code).toBe('two_factor_setup_required');
    await setUp(page);
    await heading(page, 'Admin Console');
    await expect.poll(() => new URL(page.url()).search).toBe('?tab=system');
  });

  it('who is no administrator is not asked', async ({ expect }) => {
    const person = await fixture.signUp('Xena Field');
    await person.createWorkspace('Elm Street');
    const page = await signIn(person);
    await heading(page, 'Dashboard');
    await page.goto('/auth/two-factor');
    await heading(page, 'Dashboard');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/dashboard');
  });
});
