import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { showIn } from './looks.ts';
import { describeScreens } from './screens.fixture.ts';

const fixture = describeScreens();

describe('the installed app', () => {
  async function open(path: string): Promise<Page> {
    const page = await fixture.open(path, {
      as: fixture.ann,
      workspace: fixture.full,
      own: { serviceWorkers: 'allow' },
    });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    return page;
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  it('says that the device is offline, on an open screen and in place of another one, and comes back by itself', async () => {
    const page = await open('/dashboard');
    await heading(page, 'Dashboard');
    // The line is in a file that loads beside the screen.
    await page.locator('.mantine-Notifications-root').first().waitFor({ state: 'attached' });
    await page.context().setOffline(true);
    await page.getByText('You are offline. What you see may be out of date.').waitFor();
    await page.goto('/jobs');
    await heading(page, 'You are offline');
    await expect.poll(() => page.title()).toBe('Offline · Cuebird');
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    await page.context().setOffline(false);
    await heading(page, 'Job Scheduler');
    await showIn(page, 'light');
  });

  it('stores no answer of the server, nor any file', async () => {
    const page = await open('/dashboard');
    await heading(page, 'Dashboard');
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
    const { headers } = await fetch(`${fixture.url}/sw.js`);
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      expect.stringMatching(/^text\/javascript/),
      'no-cache',
    ]);
  });

  it('can be installed', async () => {
    const page = await open('/dashboard');
    const session = await page.context().newCDPSession(page);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // A context of a test is a private window.
    expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
  });
});
