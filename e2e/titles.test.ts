import { glob, readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { sample } from '#testing/sample.ts';
import { type Fixture, describeScreens } from './screens.fixture.ts';

/** Every screen by the path of its route, with what the browser's tab says. */
const titles: {
  route: string;
  path?: (fixture: Fixture) => string;
  title: string;
  isPublic?: true;
  isForAdministrator?: true;
}[] = [
  { route: '/auth', title: 'Sign in', isPublic: true },
  { route: '/auth/code', title: 'Two-factor authentication', isPublic: true },
  { route: '/auth/two-factor', title: 'Set up two-factor authentication', isForAdministrator: true },
  { route: '/auth/forgot-password', title: 'Forgot your password?', isPublic: true },
  { route: '/auth/reset-password', title: 'New password', isPublic: true },
  { route: '/auth/verify-email', title: 'Confirm your email address', isPublic: true },
  { route: '/auth/confirm-email', title: 'Confirm your new address' },
  { route: '/setup', title: 'Become administrator' },
  { route: '/invitation/$token', path: () => '/invitation/nothing', title: 'Invitation', isPublic: true },
  { route: '/inbox/account', title: 'Account mail', isPublic: true },
  { route: '/dashboard', title: 'Dashboard' },
  { route: '/agenda', title: 'Agenda' },
  { route: '/reminders', title: 'Reminders' },
  { route: '/reminders/new', title: 'Create New Reminder' },
  { route: '/reminders/$id', path: ({ things }) => `/reminders/${things.reminder}`, title: 'Rent' },
  {
    route: '/reminders/$id/edit',
    path: ({ things }) => `/reminders/${things.reminder}/edit`,
    title: 'Edit Reminder',
  },
  { route: '/billing', title: 'Billing' },
  { route: '/sandbox-payments/$id', path: () => '/sandbox-payments/nothing', title: 'Sandbox payments' },
  { route: '/contacts', title: 'Contacts' },
  { route: '/contacts/$id', path: ({ things }) => `/contacts/${things.contact}`, title: 'Anna Smith' },
  {
    route: '/contacts/$id/consents',
    path: ({ things }) => `/contacts/${things.contact}/consents`,
    title: 'Proof of consent',
  },
  { route: '/templates', title: 'Templates' },
  { route: '/api-docs', title: 'API Documentation' },
  { route: '/channels', title: 'Notification Channels' },
  { route: '/jobs', title: 'Job Scheduler' },
  {
    route: '/jobs/$id/report',
    path: ({ things }) => `/jobs/${things.failedJob}/report`,
    title: 'Delivery report',
  },
  {
    route: '/admin/workspace/$workspaceId/manage',
    path: ({ full }) => `/admin/workspace/${full}/manage`,
    title: 'Elm Street',
  },
  {
    route: '/admin/workspace/$workspaceId/manage',
    path: ({ full }) => `/admin/workspace/${full}/manage?tab=audit`,
    title: 'Audit log · Elm Street',
  },
  {
    route: '/admin/workspace/$workspaceId/manage',
    path: ({ full }) => `/admin/workspace/${full}/manage?tab=topics`,
    title: 'Topics · Elm Street',
  },
  {
    route: '/admin/workspace/$workspaceId/analytics',
    path: ({ full }) => `/admin/workspace/${full}/analytics`,
    title: 'Elm Street Analytics',
  },
  { route: '/admin', title: 'Admin Console' },
  { route: '/profile', title: 'Profile' },
  { route: '/settings', title: 'Settings' },
  { route: '/inbox', title: 'Inbox' },
  { route: '$id', path: ({ things }) => `/inbox/${things.mail}`, title: 'Rent' },
];

describe.concurrent('every screen', () => {
  const fixture = describeScreens();
  let administrator: TestPerson;
  beforeAll(async () => {
    administrator = await fixture.signUp('Ada Hill');
    await fixture.owner.query('update profiles set is_system_admin = true where id = $1', [administrator.userId]);
  });

  const open = (path: string, { isPublic, isForAdministrator }: { isPublic?: true; isForAdministrator?: true } = {}) =>
    fixture.open(
      path,
      isPublic ? {} : isForAdministrator ? { as: administrator } : { as: fixture.ann, workspace: fixture.full },
    );

  it('is in the list below', async () => {
    const declared: string[] = [];
    for await (const file of glob('src/web/features/**/*.route.ts'))
      for (const [, path = ''] of (await readFile(file, 'utf8')).matchAll(/^ {2}path: '([^']+)'/gm))
        declared.push(path);
    const known = new Set(titles.map(({ route }) => route));
    // The first page of the inbox has its parent's title.
    expect(declared.filter((path) => path !== '/' && !known.has(path))).toEqual([]);
    expect(declared.length).toBeGreaterThan(10);
  });

  it.each(sample.draw(titles, { name: 'titles', count: 8 }))(
    'names the tab: $route is $title',
    async ({ route, path, title, ...whose }) => {
      const page = await open(path?.(fixture) ?? route, whose);
      await expectTitle(page, title);
    },
  );

  it('names the tab where there is none', async () => {
    const page = await open('/nowhere');
    await expectTitle(page, 'Page not found');
  });

  it('takes the keyboard to its heading when it comes by a click, and is announced', async () => {
    const page = await open('/dashboard');
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    expect(await page.evaluate(() => document.activeElement === document.body), 'not when it is loaded').toBe(true);
    const links = await page.getByRole('banner').getByRole('navigation').getByRole('link').allInnerTexts();
    expect(links.length).toBeGreaterThan(5);
    for (const name of links.filter((link) => link !== 'Dashboard')) {
      await page.getByRole('banner').getByRole('navigation').getByRole('link', { name, exact: true }).click();
      await page.waitForFunction(() => document.activeElement?.nodeName === 'H1');
      const heading = await page.evaluate(() => document.activeElement?.textContent);
      await page
        .getByTestId('route-announcer')
        .getByText(`${heading} · Cuebird`, { exact: true })
        .waitFor({ state: 'attached' });
    }
    await page.goBack();
    await page.waitForFunction(() => document.activeElement?.nodeName === 'H1');
  });

  it('leaves the keyboard where it is while only a filter or a dialog changes', async ({ expect }) => {
    const page = await open('/jobs');
    const counter = page.getByRole('button', { name: /^Failed/ });
    await counter.click();
    await page.waitForURL(/status=failed/);
    await expect.poll(() => counter.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

const expectTitle = (page: Page, title: string) =>
  page
    .waitForFunction((expected) => document.title === expected, `${title} · Cuebird`)
    .catch(async () => {
      expect(await page.title()).toBe(`${title} · Cuebird`);
    });
