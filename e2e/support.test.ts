import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { Status } from '#contract/status.ts';
import { startTestCuebird } from '#testing/cuebird.ts';
import { connectOwner } from '#testing/owner.ts';
import { sample } from '#testing/sample.ts';
import { expectGood } from './looks.ts';
import { sharedBrowser } from './pages.ts';
import { expectFits, describeScreens, reads, shiftOf } from './screens.fixture.ts';

const fixture = describeScreens();

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function newAdministrator() {
  const as = await fixture.signUp('Ada Hill');
  await fixture.owner.query('update profiles set is_system_admin = true where id = $1', [as.userId]);
  return as;
}

const isOperational = async ({ url }: { url: string }) =>
  Status.parse(await (await fetch(`${url}/api/status`)).json()).is_operational;

describe.concurrent('the support page', () => {
  it('takes a request of a stranger, which an administrator answers by mail and closes', async ({ expect }) => {
    const subject = `No mail since Monday ${crypto.randomUUID().slice(0, 8)}`;
    const page = await fixture.open('/support');
    // Nobody is told of requests here, so nobody promises an answer.
    await reads(page, [
      'Read by the administrators of this installation',
      'Coming Soon',
      'Mon-Fri 9 AM-6 PM PST',
      'Enterprise only',
    ]);
    await press(page, 'Submit request');
    await reads(page, ['Enter an email address', 'Choose a category', 'Enter a subject', 'Enter a message']);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('email');
    await page.getByRole('textbox', { name: 'Email' }).fill('kim@example.com');
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Technical problem');
    await page.getByRole('textbox', { name: 'Subject' }).fill(subject);
    await page.getByRole('textbox', { name: 'Message' }).fill('Where are\nmy mails?');
    await press(page, 'Submit request');
    await reads(page, ['Support request submitted', /^Its number is \d+\.$/]);
    await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('');
    await fixture.leave(page);

    const console = await fixture.open('/admin?tab=support', { as: await newAdministrator() });
    await press(console, `Open ${subject}`);
    const dialog = console.getByRole('dialog');
    await dialog.getByText('kim@example.com, Technical problem').waitFor();
    await dialog.getByText('Where are').waitFor();
    await dialog.getByRole('textbox', { name: 'Answer' }).fill('They were late, and are sent now.');
    await dialog.getByRole('checkbox', { name: 'Close the request' }).uncheck();
    await dialog.getByRole('button', { name: 'Send answer' }).click();
    await reads(console, ['Answer sent', 'Mailed to kim@example.com.', /Answered by Ada Hill/]);
    await expectGood(console);
    await dialog.getByRole('button', { name: 'Close without an answer' }).click();
    await dialog.getByRole('button', { name: 'Open again' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => console.getByText(subject).count()).toBe(0);
    await console.getByText('Closed', { exact: true }).click();
    await console.getByText(subject).waitFor();
    await expectGood(console);
    await fixture.leave(console);
    const { rows } = await fixture.owner.query(
      "select subject, body_text from sandbox_messages where workspace_id is null and recipient = 'kim@example.com' and subject like $1",
      [`Re: ${subject} (request %)`],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].body_text).toContain('They were late, and are sent now.');
  });

  it('answers eight questions, and knows whose plan has phone support', async ({ expect }) => {
    const page = await fixture.open('/support');
    await expect.poll(() => page.locator('details').count()).toBe(8);
    await page.getByText('What happens if I miss a payment?').click();
    await page.getByText(/grace period of seven days/).waitFor();
    await reads(page, ['The number is shown here once a workspace of yours has the plan.']);
    await expectGood(page);
    await fixture.leave(page);
    const as = await fixture.signUp('Otto Key');
    const workspace = await as.createWorkspace('Big Firm');
    await fixture.owner.query("update workspaces set subscription_tier = 'enterprise' where id = $1", [workspace]);
    const own = await fixture.open('/support', { as });
    await reads(own, ['This installation names no number.']);
    await expect.poll(() => own.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(as.email);
  });

  it('does not move while it loads', async ({ expect }) => {
    const page = await fixture.open('/support');
    await page
      .getByRole('img', { name: /uptime in 1 day|not measured yet/ })
      .first()
      .waitFor();
    expect(await shiftOf(page)).toBe(0);
  });

  it.for<{ env: Record<string, string>; says: string | RegExp }>([
    { env: {}, says: 'This form needs JavaScript.' },
    {
      env: { SUPPORT_EMAIL: 'help@example.com' },
      says: /^This form needs JavaScript. Write to help@example.com instead./,
    },
  ])('can be read without a script, with $env', async ({ env, says }, { expect }) => {
    const cuebird = await startTestCuebird({ env });
    const context = await (await sharedBrowser()).newContext({
      baseURL: cuebird.url,
      javaScriptEnabled: false,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    // The page without a script does not ask again.
    await expect.poll(() => isOperational(cuebird), { interval: 500 }).toBe(true);
    await page.goto('/support');
    await reads(page, [
      'All Systems Operational',
      env.SUPPORT_EMAIL === undefined ? 'Read by the administrators of this installation' : 'Response within 24 hours',
      'Coming Soon',
      'Mon-Fri 9 AM-6 PM PST',
      'Enterprise only',
      says,
    ]);
    await expect.poll(() => page.getByRole('button', { name: 'Submit request' }).isVisible()).toBe(false);
    await page.getByText('Can I export my data?').click();
    await page.getByText(/is one JSON file with its reminders/).waitFor();
    await expectFits(page);
    await context.close();
    await cuebird.stop();
  });
});

describe('the status on the support page', () => {
  it('says that the database is stopped, and that all systems are operational again', async ({ expect }) => {
    const cuebird = await startTestCuebird();
    const name = new URL(cuebird.databaseUrl).pathname.slice(1);
    const maintenance = new URL(cuebird.databaseUrl);
    maintenance.pathname = '/postgres';
    const admin = await connectOwner(maintenance.href);
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [name]);
    const page = await fixture.open('/support', { own: { baseURL: cuebird.url } });
    await reads(page, ['Some systems are down', 'The database does not answer.']);
    await page.getByRole('textbox', { name: 'Email' }).fill('kim@example.com');
    await page.getByRole('combobox', { name: 'Category' }).selectOption('Technical problem');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Is it down?');
    await page.getByRole('textbox', { name: 'Message' }).fill('I see an error.');
    await press(page, 'Submit request');
    await reads(page, ['The request was not sent', /database cannot be reached at the moment.* is still here\.$/]);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('I see an error.');
    await expectGood(page);
    await admin.query(`alter database ${name} allow_connections true`);
    await expect.poll(() => isOperational(cuebird), { interval: 500 }).toBe(true);
    await page.reload();
    await reads(page, ['All Systems Operational']);
    await expectGood(page);
    await admin.end();
    await fixture.leave(page);
    await cuebird.stop();
  });
});

describe.concurrent('privacy, terms and the footer', () => {
  it.for([
    { path: '/privacy', texts: ['Privacy Policy', /You get a reply within 30 days/, /is not stated/] },
    { path: '/terms', texts: ['Terms of Service', /The goal is 99\.9% uptime/, /is not stated/] },
  ])('$path says what holds, to everybody', async ({ path, texts }) => {
    const page = await fixture.open(path);
    await reads(page, texts);
    await expectGood(page);
  });

  it('name who runs the installation', async () => {
    const cuebird = await startTestCuebird({
      env: {
        OPERATOR_NAME: 'Müller & Söhne',
        OPERATOR_ADDRESS: '1 High Street, Leeds',
        SUPPORT_EMAIL: 'help@example.com',
      },
    });
    for (const path of ['/privacy', '/terms']) {
      const page = await fixture.open(path, { own: { baseURL: cuebird.url } });
      await reads(page, [/Müller & Söhne/, /1 High Street, Leeds/]);
      await page.getByRole('link', { name: 'help@example.com' }).waitFor();
      await fixture.leave(page);
    }
    await cuebird.stop();
  });

  const screens = ['/dashboard', '/reminders', '/settings', '/admin', '/jobs'];
  it.for(sample.draw(screens, { name: 'screens with the footer', count: 2 }))(
    '%s has the footer',
    async (path, { expect }) => {
      const page = await fixture.open(path, { as: fixture.ann, workspace: fixture.full });
      const footer = page.getByRole('contentinfo');
      await footer.getByText(/^© \d{4} Cuebird\./).waitFor();
      await expect
        .poll(() => footer.getByRole('link').allInnerTexts())
        .toEqual(['Documentation', 'Privacy', 'Terms', 'Support']);
      await footer.getByRole('link', { name: 'Terms' }).click();
      await page.getByRole('heading', { level: 1, name: 'Terms of Service' }).waitFor();
      await page.goBack();
      await fixture.leave(page);
    },
  );
});

it('a path without a page answers 404, leads home, and is seen by administrators', async ({ expect }) => {
  const path = `/remindres-${crypto.randomUUID().slice(0, 8)}`;
  const page = await fixture.open('/support');
  const response = await page.goto(path);
  expect(response?.status()).toBe(404);
  await reads(page, ['Oops! Page not found']);
  await expectGood(page);
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await page.waitForURL(/\/(auth)?$/);
  await fixture.leave(page);
  // Written a moment after the answer.
  const isWritten = async () =>
    (await fixture.owner.query('select from unknown_paths where path = $1', [path])).rowCount === 1;
  await expect.poll(isWritten).toBe(true);
  const console = await fixture.open('/admin?tab=logs&log=unknown', { as: await newAdministrator() });
  await console.getByRole('table').getByText(path, { exact: true }).waitFor();
  await expectGood(console);
});

it('a path without a page that a link within the app leads to is recorded too', async () => {
  const page = await fixture.open('/auth');
  await page.getByRole('tab', { name: 'Sign In' }).waitFor();
  const path = `/within-${crypto.randomUUID().slice(0, 8)}`;
  const recorded = page.waitForResponse((response) => response.request().method() === 'HEAD');
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await reads(page, ['Oops! Page not found']);
  const response = await recorded;
  expect([new URL(response.url()).pathname, response.status()]).toEqual([path, 404]);
});
