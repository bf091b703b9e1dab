import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { expectAccessible } from './accessible.ts';
import { openOwnPage } from './pages.ts';
import { cookiesOf } from './screens.fixture.ts';

/** Runs in the page: whatever shows a number on the screen of jobs fails, in words that somebody has typed. */
function breakJobs(): void {
  const asText = Number.prototype.toLocaleString;
  Number.prototype.toLocaleString = function shown(...given: []) {
    if (location.pathname === '/jobs') throw new TypeError('The rent of Dana Owens is broken');
    return asText.apply(this, given);
  };
}

describe('a screen that breaks', () => {
  let cuebird: TestCuebird;
  let ann: TestPerson;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { LOG_LEVEL: 'warn' } });
    ann = await cuebird.signUp('Ann');
    await cuebird.owner.query('update profiles set is_system_admin = true where id = $1', [ann.userId]);
    await ann.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  async function open(path: string, { isBroken = false, person = ann } = {}): Promise<Page> {
    const { page, addInitScript } = await openOwnPage({ baseURL: cuebird.url });
    await page.context().addCookies(cookiesOf(person, cuebird.url));
    if (isBroken) await addInitScript(breakJobs);
    await page.goto(path);
    return page;
  }

  it('is not what opens first on the way from the welcome to the settings, without a workspace', async () => {
    const page = await open('/dashboard', { person: await cuebird.signUp('Ben') });
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Create a workspace' }).click();
    await page.getByText('Welcome to Cuebird, Ben').waitFor();
    expect(errors).toEqual([]);
  });

  it('shows its boundary with a way on, and its report reaches the logs of administrators', async () => {
    const page = await open('/jobs', { isBroken: true });
    const boundary = page.getByRole('alert').filter({ hasText: 'Something went wrong' });
    const id = await boundary.locator('code').innerText();
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    // What stands around the screen is still there.
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await expectAccessible(page);
    await boundary.getByRole('button', { name: 'Try again' }).click();
    await boundary.waitFor();
    await boundary.getByRole('link', { name: 'To the dashboard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    const found = async () => (await ann.call('GET', `/api/admin/log?search=${id}`)).json.data;
    await expect.poll(found).toHaveLength(1);
    expect(JSON.stringify(await found())).not.toContain('Dana Owens');
    expect(await found()).toMatchObject([
      {
        level: 'warn',
        details: {
          screen: '/jobs',
          name: 'TypeError',
          caller: ann.userId,
          frames: expect.arrayContaining([expect.stringMatching(/\/assets\/[\w.-]+\.js:\d+:\d+$/)]),
        },
      },
    ]);
    await page.goto(`/admin?tab=logs&log=application&search=${id}`);
    await page.getByText('a screen broke in a browser').waitFor();
    await page.context().close();
  });

  it('of a script that fails elsewhere administrators hear too', async () => {
    const page = await open('/dashboard');
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await page.evaluate(() => {
      setTimeout(() => {
        throw new RangeError('The rent of Dana Owens is out of range');
      });
    });
    await expect
      .poll(async () => (await ann.call('GET', '/api/admin/log?search=RangeError')).json.data)
      .toMatchObject([{ message: 'a script failed in a browser', details: { screen: '/dashboard' } }]);
    await page.context().close();
  });
});
