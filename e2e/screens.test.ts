import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sample } from '#testing/sample.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood, loadedWidths } from './looks.ts';
import {
  breakDown,
  delayRequests,
  expectFits,
  describeScreens,
  outage,
  reads,
  restore,
  shiftOf,
  toast,
} from './screens.fixture.ts';

const fixture = describeScreens();

type Screen = {
  name: string;
  path: () => string;
  /** Nobody is signed in, or somebody without a workspace. */
  who?: 'nobody' | 'newcomer';
  /** Leads from the page to what is looked at. */
  act?: (page: Page) => Promise<void>;
  shows: readonly string[];
};

const press = (role: 'tab' | 'button' | 'link', name: string | RegExp) => (page: Page) =>
  page
    .getByRole(role, { name, exact: typeof name === 'string' })
    .first()
    .click();

const statuses = ['Total', 'Pending', 'Running', 'Completed', 'Failed'];
const tabs = ['Basic Info', 'Schedule', 'Channels', 'Content'];
const formFoot = ['Start reminder immediately after creation', 'Cancel'];

const screens: Screen[] = [
  {
    name: 'the sign-in',
    path: () => '/auth',
    who: 'nobody',
    shows: ['Never Miss a Thing', 'Sign In', 'Sign Up', 'Email', 'Password'],
  },
  {
    name: 'the sign-up',
    path: () => '/auth',
    who: 'nobody',
    act: press('tab', 'Sign Up'),
    shows: ['Full name', 'Email', 'Password', 'At least 6 characters'],
  },
  {
    name: 'the first workspace',
    path: () => '/dashboard',
    who: 'newcomer',
    shows: ['Create Workspace', 'Description'],
  },
  {
    name: 'the dashboard',
    path: () => '/dashboard',
    shows: [
      'Dashboard',
      "Welcome back! Here's what's happening today.",
      'Active Reminders',
      'Completed This Week',
      'Team Members',
      'Templates',
      'Recent Reminders',
      'Quick Actions',
      'New Reminder',
      'View All Reminders',
      'Create New Reminder',
      'View Analytics',
      'No description',
      'Every first of the month',
    ],
  },
  {
    name: 'the list of workspaces',
    path: () => '/dashboard',
    act: press('button', /^Workspace: /),
    shows: ['Elm Street', 'Mill Road', 'Create Workspace'],
  },
  {
    name: 'the list of reminders',
    path: () => '/reminders',
    shows: [
      'Reminders',
      'Manage your automated reminders and notifications',
      'Create Reminder',
      'Schedule',
      'Channels',
      'Created',
      'Status',
      'Monthly',
      'Edit',
      'Test',
      'Resume',
    ],
  },
  {
    name: 'the test dialog',
    path: () => '/reminders',
    act: press('button', 'Test'),
    shows: ['Test Reminder', 'Test recipients', 'Subject', 'Message', 'Send Test'],
  },
  {
    name: 'the form for a new reminder',
    path: () => '/reminders/new',
    shows: [
      'Create New Reminder',
      'Set up automated reminders and notifications',
      ...tabs,
      ...formFoot,
      'Create Reminder',
    ],
  },
  {
    name: "the form's schedule",
    path: () => `/reminders/${fixture.things.reminder}/edit`,
    act: press('tab', 'Schedule'),
    shows: ['Edit Reminder', 'Update your automated reminder', 'Schedule type', 'Start date', 'Timezone', ...formFoot],
  },
  {
    name: "the form's channels",
    path: () => `/reminders/${fixture.things.reminder}/edit`,
    act: press('tab', 'Channels'),
    shows: ['Email', 'SMS', 'WhatsApp', 'Webhook', 'Clear All', 'Dana <dana@example.com>', 'Update Reminder'],
  },
  {
    name: "the form's content",
    path: () => `/reminders/${fixture.things.reminder}/edit`,
    act: press('tab', 'Content'),
    shows: ['Subject *', 'Message *', 'recipient_name', 'current_date', 'due_date', 'product_name', 'Custom variable'],
  },
  {
    name: 'the Job Scheduler',
    path: () => '/jobs',
    shows: ['Job Scheduler', ...statuses, 'Scheduled Jobs', 'Execution History', 'Paused'],
  },
  {
    name: 'the details of a job',
    path: () => `/jobs?job=${fixture.things.failedJob}`,
    shows: [
      'Job details',
      'Scheduled for',
      'Attempts',
      'dana@example.com',
      'This address does not exist.',
      'Executions',
    ],
  },
  {
    name: 'the execution history',
    path: () => '/jobs?tab=history',
    shows: ['Execution History', 'Failed', '1m 01s', 'The mail server refused'],
  },
  {
    name: 'the events',
    path: () => '/jobs?tab=events',
    shows: ['Events', 'user_signup', 'API', 'Nothing', 'Send again'],
  },
  {
    name: 'the details of a run',
    path: () => '/jobs?tab=history',
    act: (page) => page.locator('main').getByRole('link', { name: 'Rent' }).first().click(),
    shows: ['Execution details', '1m 01s', 'Logs'],
  },
  {
    name: 'the inbox',
    path: () => '/inbox',
    shows: ['Inbox', 'Failures are being simulated', 'Push: no answer', 'Rent', 'b@example.com'],
  },
  {
    name: 'a message of the inbox',
    path: () => `/inbox/${fixture.things.mail}`,
    shows: ['From', 'To', 'Received', 'Message', 'Text', 'Headers', 'a@example.com'],
  },
  {
    name: 'an SMS of the inbox',
    path: () => `/inbox/${fixture.things.sms}`,
    shows: ['SMS to +14155552671', 'Twilio, SMS', '1 segment', 'Reply START', 'The rent of June is due.'],
  },
  {
    name: 'a WhatsApp message of the inbox with what was answered',
    path: () => '/inbox?channel=whatsapp',
    act: (page) => page.getByRole('link', { name: 'Rent of June' }).click(),
    shows: [
      'WhatsApp to +4915112345678',
      'WAHA, WhatsApp',
      'Reported to Cuebird: delivered; it answered HTTP 204',
      'due today',
      'Thanks, paid',
    ],
  },
  {
    name: 'a Slack message of the inbox',
    path: () => '/inbox?channel=slack',
    act: (page) => page.getByRole('link', { name: 'Rent & water' }).click(),
    shows: ['Slack message in #rent', 'App', 'Open the plan'],
  },
  {
    name: 'a push notification of the inbox',
    path: () => '/inbox?channel=push',
    act: (page) => page.getByRole('link', { name: 'Rent of July' }).click(),
    shows: ['Web push service', 'It is due on Monday'],
  },
  {
    name: 'the simulation of failures',
    path: () => '/inbox',
    act: async (page) => {
      await page.getByRole('button', { name: 'Simulate failures' }).click();
      await page.getByText('Recipients that simulate failures').click();
    },
    shows: ['Failure', 'Retry time', 'Refused: not a valid number', '+15005550017', 'Start simulating'],
  },
  {
    name: 'the claim',
    path: () => '/setup?token=none',
    shows: ['This link cannot be used', 'Go to the dashboard'],
  },
  {
    name: 'any other path',
    path: () => '/no/such/page',
    who: 'nobody',
    shows: ['404', 'Oops! Page not found', 'Return to Home'],
  },
];

const visitOf = (screen: Screen) =>
  screen.who === 'nobody'
    ? {}
    : screen.who === 'newcomer'
      ? { as: fixture.newcomer }
      : { as: fixture.ann, workspace: fixture.full };

describe.concurrent('every screen', () => {
  it.each(sample.draw(screens, { name: 'screens', count: screens.length / 3 }))(
    '$name shows what it must and works for everyone, at a desk and on a phone',
    async (screen) => {
      const page = await fixture.open(screen.path(), visitOf(screen));
      await screen.act?.(page);
      await reads(page, screen.shows);
      await expectGood(page, [1440, 390]);
      await reads(page, screen.shows.slice(-1));
    },
  );
});

type Loaded = {
  name: string;
  path: () => string;
  /** What the screen asks the API for. */
  asks: () => string;
  /** Nothing is there yet. */
  empty?: readonly string[];
  /** In its own file, where left out. */
  broken?: readonly string[];
  full: string;
  toast?: { title: string; text: string };
};

const loaded: Loaded[] = [
  {
    name: 'the dashboard',
    path: () => '/dashboard',
    asks: () => '/api/dashboard',
    empty: ['No reminders found', 'Create Your First Reminder'],
    broken: ['Error loading the dashboard', outage, 'Retry'],
    full: 'Every first of the month',
  },
  {
    name: 'the list of reminders',
    path: () => '/reminders',
    asks: () => '/api/reminders',
    full: 'Every first of the month',
  },
  {
    name: 'the Job Scheduler',
    path: () => '/jobs',
    asks: () => '/api/jobs',
    empty: ['No jobs yet'],
    broken: ['Error loading jobs', outage, 'Retry'],
    toast: { title: 'Error loading jobs', text: outage },
    full: 'Paused',
  },
  {
    name: 'the details of a job',
    path: () => `/jobs?job=${fixture.things.failedJob}`,
    asks: () => `/api/jobs/${fixture.things.failedJob}`,
    broken: ['Error loading job', outage, 'Retry'],
    full: 'This address does not exist.',
  },
  {
    name: 'the execution history',
    path: () => '/jobs?tab=history',
    asks: () => '/api/job-executions',
    empty: ['Nothing has run yet'],
    broken: ['Error loading job executions', outage, 'Retry'],
    toast: { title: 'Error loading job executions', text: outage },
    full: '1m 01s',
  },
  {
    name: 'the events',
    path: () => '/jobs?tab=events',
    asks: () => '/api/events',
    empty: ['No events yet', 'How to report an event'],
    broken: ['Error loading events', outage, 'Retry'],
    toast: { title: 'Error loading events', text: outage },
    full: 'user_signup',
  },
  {
    name: 'the inbox',
    path: () => '/inbox',
    asks: () => '/api/inbox',
    empty: ['No messages yet', 'Create a reminder'],
    broken: ['Error loading the inbox', outage, 'Retry'],
    full: 'b@example.com',
  },
];

describe.concurrent('a screen with data of its own', () => {
  it.each(sample.draw(loaded, { name: 'screens that wait', count: 3 }))(
    '$name shows its shape while it waits, and nothing jumps when the answer comes',
    async (screen) => {
      for (const width of loadedWidths()) {
        let release = () => {};
        const page = await fixture.open(screen.path(), {
          as: fixture.ann,
          workspace: fixture.full,
          width,
          async before(fresh) {
            release = await delayRequests(fresh, screen.asks());
          },
        });
        await page.locator('.mantine-Skeleton-root').filter({ visible: true }).first().waitFor();
        expect(await page.getByText(screen.full, { exact: true }).filter({ visible: true }).count()).toBe(0);
        release();
        await reads(page, [screen.full]);
        await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
        // What Google calls a good experience.
        expect(await shiftOf(page)).toBeLessThan(0.1);
        await fixture.leave(page);
      }
    },
  );

  const breaking = loaded.filter(({ broken }) => broken);
  it.each(sample.draw(breaking, { name: 'screens that fail', count: 3 }))(
    '$name says what failed, and Retry brings it',
    async (screen) => {
      const page = await fixture.open(screen.path(), {
        as: fixture.ann,
        workspace: fixture.full,
        before: (fresh) => breakDown(fresh, screen.asks()),
      });
      await reads(page, screen.broken ?? []);
      if (screen.toast) await toast(page, screen.toast);
      await expectAccessible(page);
      await restore(page);
      await page.getByRole('button', { name: 'Retry', exact: true }).click();
      await reads(page, [screen.full]);
    },
  );

  const emptied = loaded.filter(({ empty }) => empty);
  it.each(sample.draw(emptied, { name: 'screens that are empty', count: 3 }))(
    '$name says what it is for while it is empty',
    async (screen) => {
      const page = await fixture.open(screen.path(), { as: fixture.ann, workspace: fixture.empty });
      await reads(page, screen.empty ?? []);
      await expectFits(page);
      await expectAccessible(page);
    },
  );

  it('the workspaces themselves may fail to load', async () => {
    const page = await fixture.open('/dashboard', {
      as: fixture.ann,
      before: (fresh) => breakDown(fresh, '/api/workspaces'),
    });
    await toast(page, { title: 'Error loading workspaces', text: outage });
    await expectAccessible(page);
    await restore(page);
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    await reads(page, ['Dashboard']);
  });
});
