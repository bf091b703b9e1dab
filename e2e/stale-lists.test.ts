import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { answer, stopRequests } from './interception.ts';
import { breakDown, describeScreens, outage, reads, restore } from './screens.fixture.ts';

const fixture = describeScreens();

type Listed = { name: string; path: () => string; shows: string; breaks: () => string; failed: string };

const lists: readonly Listed[] = [
  {
    name: 'the inbox',
    path: () => '/inbox',
    shows: 'b@example.com',
    breaks: () => '/api/inbox',
    failed: 'Error loading the inbox',
  },
  {
    name: 'the recipients of a job',
    path: () => `/jobs?job=${fixture.things.failedJob}`,
    shows: 'This address does not exist.',
    breaks: () => `/api/jobs/${fixture.things.failedJob}/deliveries`,
    failed: 'Error loading deliveries',
  },
  {
    name: 'the executions of a job',
    path: () => `/jobs?job=${fixture.things.failedJob}`,
    // How long the run took: the title stands there before its runs do.
    shows: '1m 01s',
    breaks: () => '/api/job-executions',
    failed: 'Error loading job executions',
  },
  {
    name: 'the categories of templates',
    path: () => '/templates?open=categories',
    shows: 'New Category',
    breaks: () => '/api/template-categories',
    failed: 'Error loading categories',
  },
  {
    name: 'the agenda',
    path: () => '/agenda',
    shows: 'Nothing is planned',
    breaks: () => '/api/agenda',
    failed: 'Error loading the agenda',
  },
  {
    name: 'the contacts',
    path: () => '/contacts',
    shows: 'Anna Smith',
    breaks: () => '/api/contacts',
    failed: 'Error loading contacts',
  },
  {
    name: 'the suppression list',
    path: () => '/contacts?tab=suppressed',
    shows: 'Added manually',
    breaks: () => '/api/suppressions',
    failed: 'Error loading the suppression list',
  },
  {
    name: 'the topics',
    path: () => `/admin/workspace/${fixture.full}/manage?tab=topics`,
    shows: '0 reminders · nobody has left it',
    breaks: () => '/api/topics',
    failed: 'Error loading topics',
  },
];

describe.concurrent('a list that cannot be read again', () => {
  it.for(lists)('says why, and of when it is: $name', async ({ path, shows, breaks, failed }, { expect }) => {
    const page = await fixture.open(path(), {
      as: fixture.ann,
      workspace: fixture.full,
      own: { viewport: { width: 1440, height: 900 } },
      before: (opened) => opened.clock.install(),
    });
    await reads(page, [shows]);
    await stopRequests(page, {
      path: breaks(),
      outcome: answer(500, { error: { code: 'internal', message: outage, request_id: 'r-1' } }),
    });
    const line = page.getByRole('status').filter({ hasText: `${failed}: ${outage} What you see is from ` });
    // What was asked for before the requests were stopped may still arrive, and is new.
    const comesBack = async () => {
      await comeBackLater(page);
      return line.first().isVisible();
    };
    await expect.poll(comesBack, { interval: 1_000 }).toBe(true);
    await reads(page, [shows]);
  });
});

it('the executions of a job, where they cannot be read at all, say why, and Retry brings them', async () => {
  const page = await fixture.open(`/jobs?job=${fixture.things.failedJob}`, {
    as: fixture.ann,
    workspace: fixture.full,
    before: (opened) => breakDown(opened, '/api/job-executions'),
  });
  await reads(page, ['Error loading job executions', outage]);
  await restore(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Retry', exact: true }).click();
  await reads(page, ['1m 01s']);
});

/** Whoever comes back to the page after a while sees what is new. */
async function comeBackLater(page: Page): Promise<void> {
  await page.clock.fastForward('01:00');
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}
