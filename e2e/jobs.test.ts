import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobStatuses } from '#contract/job-states.ts';
import { isOffered, type JobAction } from '#domain/job-state.ts';
import { sampleReminder } from '#testing/samples.ts';
import { rangeOf } from '#web/api/job-filter.ts';
import { sample } from '#testing/sample.ts';
import { installJobs, type JobsInstalled, keepRunning } from './jobs.fixture.ts';
import { allowRequests, cutOff, stopRequests } from './interception.ts';
import { expectGood } from './looks.ts';
import {
  breakDown,
  delayRequests,
  describeScreens,
  outage,
  reads,
  restore,
  toast,
  type Visit,
} from './screens.fixture.ts';

const fixture = describeScreens();

describe.concurrent('the Job Scheduler', () => {
  let workspace: string;
  let installed: JobsInstalled;
  let stopRunning = () => {};
  beforeAll(async () => {
    workspace = await fixture.ann.createWorkspace('Harbour Lane');
    installed = await installJobs(fixture.owner, workspace);
    stopRunning = keepRunning(fixture.owner, installed);
  });
  afterAll(() => stopRunning());

  const open = (path: string, visit: Visit = {}) => fixture.open(path, { as: fixture.ann, workspace, ...visit });
  const jobPath = (status: keyof JobsInstalled['jobs']) => `/jobs?job=${installed.jobs[status]}`;
  const dialogOf = (page: Page) => page.getByRole('dialog');

  describe('unfolds a recipient', () => {
    it('into every attempt with its times and answer, and the message in the words that would be sent', async () => {
      const page = await open(jobPath('failed'));
      await dialogOf(page)
        .getByRole('button', { name: /https:\/\/hooks.example.com\/rent/ })
        .click();
      const timeline = dialogOf(page).getByRole('list', { name: 'Timeline' });
      await timeline.getByText('Attempt 2').waitFor();
      expect((await timeline.innerText()).split('\n').filter((line) => line !== '')).toEqual([
        'Attempt 1',
        'Will retry',
        '2 Mar 2026, 09:00:00',
        'Answered at 2 Mar 2026, 09:00:02, after 2.0s · through http',
        'HTTP 503: busy',
        'Next attempt at 2 Mar 2026, 09:05:00',
        'Attempt 2',
        'Failed',
        '2 Mar 2026, 09:05:00',
        'Answered at 2 Mar 2026, 09:05:02, after 2.0s · through http',
        'HTTP 503 (gave up after 2 attempts)',
        'HTTP 503: maintenance',
      ]);
      await expectGood(page);
    });

    it('into the acceptance and the report that it arrived, with the mail in a frame where nothing runs', async ({
      expect,
    }) => {
      const page = await open(jobPath('failed'));
      await dialogOf(page)
        .getByRole('button', { name: /ann@example.com/ })
        .click();
      await reads(page, ['Attempt 1', '250 2.0.0 Ok: queued as 4Xk2', 'Reported delivered', 'Rent of Ann']);
      const frame = page.locator('iframe');
      await expect.poll(() => frame.getAttribute('sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox');
      await frame.contentFrame().getByText('Dear Ann,').waitFor();
      await frame.contentFrame().getByRole('link', { name: 'https://example.com/pay' }).waitFor();
      await expectGood(page);
    });

    it('of a job that is still ahead into what it is to get', async () => {
      const page = await open(jobPath('pending'));
      await dialogOf(page)
        .getByRole('button', { name: /bob@example.com/ })
        .click();
      await reads(page, ['Message as it would be sent now', 'Rent of bob@example.com']);
      await expectGood(page);
    });

    it('by keyboard alone, and Esc leads back to the row', async ({ expect }) => {
      const page = await open('/jobs?status=failed');
      await page.getByRole('link', { name: 'Rent, failed' }).focus();
      await page.keyboard.press('Enter');
      const line = dialogOf(page).getByRole('button', { name: /ann@example.com/ });
      await line.waitFor();
      for (let steps = 0; steps < 30; steps += 1) {
        if (await line.evaluate((element) => element === document.activeElement)) break;
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Space');
      await reads(page, ['Reported delivered']);
      await expect.poll(() => line.getAttribute('aria-expanded')).toBe('true');
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'detached' });
      await page.waitForFunction(() => document.activeElement?.textContent === 'Rent, failed');
    });

    it('shows the shape of the message while it comes, and says why it does not', async () => {
      const path = `/api/jobs/${installed.jobs.failed}/message`;
      const page = await open(jobPath('failed'), { before: (fresh) => breakDown(fresh, path) });
      await dialogOf(page)
        .getByRole('button', { name: /ann@example.com/ })
        .click();
      await reads(page, ['Error loading the message', outage]);
      await restore(page);
      const release = await delayRequests(page, path);
      await dialogOf(page).getByRole('button', { name: 'Retry', exact: true }).click();
      release();
      await reads(page, ['Rent of Ann']);
    });
  });

  describe('shows the recipients of a job', () => {
    it('as the shape of what comes, and in their absence says why and offers Retry', async () => {
      const path = `/api/jobs/${installed.jobs.failed}/deliveries`;
      let release = () => {};
      const delayed = await open(jobPath('failed'), {
        before: async (fresh) => {
          release = await delayRequests(fresh, path);
        },
      });
      await dialogOf(delayed).locator('.mantine-Skeleton-root').first().waitFor();
      release();
      await reads(delayed, ['ann@example.com']);
      await fixture.leave(delayed);
      const page = await open(jobPath('failed'), { before: (fresh) => breakDown(fresh, path) });
      await reads(page, ['Error loading deliveries', outage]);
      await restore(page);
      await dialogOf(page).getByRole('button', { name: 'Retry', exact: true }).click();
      await reads(page, ['ann@example.com']);
    });

    it('with what went wrong in a plain sentence, and the receiver’s own words behind Details', async ({ expect }) => {
      const page = await open(jobPath('failed'));
      await reads(page, ['The receiver answered with an error.']);
      const words = dialogOf(page).getByText('HTTP 503: maintenance');
      await expect.poll(() => words.isVisible()).toBe(false);
      await dialogOf(page).getByRole('region', { name: 'Recipients' }).getByText('Details', { exact: true }).focus();
      await page.keyboard.press('Enter');
      await words.waitFor();
      await expectGood(page);
    });

    it('with the sum of the run, counters that filter, and a search, all in the address', async ({ expect }) => {
      const page = await open('/jobs?search=Summer');
      await page.getByText('189 of 193 people · 4 failed', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Summer party' }).click();
      const dialog = dialogOf(page);
      await dialog.getByText('Sent to 189 of 193 people', { exact: false }).waitFor();
      await dialog.getByRole('button', { name: 'Retry 4 failed Summer party' }).waitFor();
      const lines = dialog.getByRole('button', { name: /@example.com/ });
      // Problems first, a page at a time.
      await expect.poll(() => lines.first().innerText()).toContain('nobody');
      await expect.poll(() => lines.count()).toBe(50);
      await dialog.getByText('This address does not exist.').first().waitFor();
      await expectGood(page);
      await dialog.getByRole('button', { name: 'Load more' }).click();
      await lines.nth(99).waitFor();
      await dialog.getByRole('button', { name: 'Failed 4' }).click();
      await lines.nth(4).waitFor({ state: 'detached' });
      await expect.poll(() => lines.count()).toBe(4);
      await expect.poll(() => new URL(page.url()).searchParams.get('recipients')).toBe('problems');
      await dialog.getByRole('searchbox', { name: 'Search recipients' }).fill('nobody3');
      await lines.nth(1).waitFor({ state: 'detached' });
      await page.waitForURL(/recipient=nobody3/);
      await page.reload();
      await lines.first().waitFor();
      await expect.poll(() => lines.count()).toBe(1);
      await dialog.getByRole('searchbox', { name: 'Search recipients' }).fill('none such');
      await reads(page, ['No recipient matches.']);
      await expectGood(page);
      await dialog.getByRole('button', { name: 'Show all recipients' }).click();
      await lines.nth(49).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => new URL(page.url()).search).toBe('?search=Summer');
    });

    it('and says where nobody was sent to', async () => {
      const page = await open(jobPath('cancelled'));
      await reads(page, ['No messages were sent.']);
    });

    it('as a file for a spreadsheet', async () => {
      const page = await open(`/jobs?job=${installed.long}`);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialogOf(page).getByRole('link', { name: 'Export CSV' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`job-${installed.long}.csv`);
      const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
      expect(lines).toHaveLength(121);
    });

    it('on paper, all of them, with every time in UTC and the reader’s zone and nothing of the screen around', async ({
      expect,
    }) => {
      const page = await open(`/jobs?job=${installed.long}`);
      await dialogOf(page).getByRole('link', { name: 'Print' }).click();
      await page.getByRole('heading', { level: 1, name: 'Delivery report' }).waitFor();
      await page.getByRole('table').waitFor();
      await expect.poll(() => page.getByRole('row').count()).toBe(121);
      await reads(page, [
        installed.long,
        'Newsletter',
        '120 of 120 people',
        '120: 120 Accepted',
        '2 Mar 2026, 09:00:00 UTC',
        '250 Ok',
      ]);
      await expect.poll(() => new URL(page.url()).pathname).toBe(`/jobs/${installed.long}/report`);
      await expectGood(page);
      await page.evaluate(() => {
        window.print = () => document.body.setAttribute('data-printed', 'yes');
      });
      await page.getByRole('button', { name: 'Print' }).click();
      await page.locator('body[data-printed="yes"]').waitFor();

      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await expect.poll(() => page.getByRole('banner').isVisible()).toBe(false);
      await expect.poll(() => page.getByRole('contentinfo').isVisible()).toBe(false);
      await expect.poll(() => page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
      await expect.poll(() => page.getByRole('link', { name: 'Back to the job' }).isVisible()).toBe(false);
      const colours = await page.getByRole('table').evaluate((table) => {
        const { color } = getComputedStyle(table);
        return { color, page: getComputedStyle(document.documentElement).backgroundColor };
      });
      expect(colours).toEqual({ color: 'rgb(0, 0, 0)', page: 'rgb(255, 255, 255)' });
      const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
      expect(pages.length).toBeGreaterThan(3);
    });

    it('on paper says so where they cannot be had, and brings them with Retry', async () => {
      const path = `/api/jobs/${installed.long}/report`;
      const page = await open(`/jobs/${installed.long}/report`, { before: (fresh) => breakDown(fresh, path) });
      await reads(page, ['Error loading job', outage]);
      await restore(page);
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.getByRole('table').waitFor();
    });
  });

  describe('opens a run of the engine from its address', () => {
    it('however far back it is, with its logs in sentences', async ({ expect }) => {
      const page = await open(`/jobs?execution=${installed.farRun}`);
      await reads(page, ['Execution details', '1m 01s', 'Run 2 of this job', 'Started 2m 05s late']);
      await reads(page, ['1 recipient failed so far', 'Error', 'Warning']);
      await expect.poll(() => page.title()).toBe('Rent, failed, execution · Cuebird');
      await expectGood(page);
      await dialogOf(page).getByRole('button', { name: 'Show the job' }).click();
      await page.getByRole('dialog', { name: 'Job details' }).getByText('Rent, failed').first().waitFor();
    });

    it('and says where it is not kept any more, or cannot be had', async () => {
      const gone = await open('/jobs?tab=history&execution=00000000-0000-4000-8000-000000000000');
      await reads(gone, [
        'Execution not found',
        'It was deleted after its retention period, or it belongs to another workspace.',
      ]);
      await fixture.leave(gone);
      const page = await open(`/jobs?tab=history&execution=${installed.farRun}`, {
        before: (fresh) => breakDown(fresh, `/api/job-executions/${installed.farRun}`),
      });
      await dialogOf(page).getByText(outage).waitFor();
      await restore(page);
      await dialogOf(page).getByRole('button', { name: 'Retry', exact: true }).click();
      await reads(page, ['Run 2 of this job']);
    });
  });

  const words: Record<JobAction, string> = { pause: 'Pause', resume: 'Resume', retry: 'Retry', cancel: 'Cancel' };
  const actions = Object.keys(words) as JobAction[];

  it.for(sample.draw(jobStatuses, { name: 'statuses of jobs', count: 3 }))(
    'offers for a %s job what its state allows, in its row and in its dialog',
    async (status, { expect }) => {
      const name = `Rent, ${status}`;
      const wordOf = (action: JobAction) =>
        action === 'retry' && status === 'failed' ? 'Retry 1 failed' : words[action];
      const offered = actions
        .filter((action) => isOffered(action, { status, type: 'reminder' }))
        .map((action) => `${wordOf(action)} ${name}`);
      const page = await open(`/jobs?status=${status}&search=Rent&job=${installed.jobs[status]}`);
      await dialogOf(page).getByRole('heading', { name }).waitFor();
      const buttonsIn = async (within: ReturnType<Page['locator']>) =>
        (
          await within
            .getByRole('button', { name: new RegExp(`^(Pause|Resume|Retry|Retry 1 failed|Cancel) ${name}$`) })
            .all()
        ).length;
      for (const label of offered) await dialogOf(page).getByRole('button', { name: label, exact: true }).waitFor();
      await expect.poll(() => buttonsIn(dialogOf(page))).toBe(offered.length);
      await expect.poll(() => page.title()).toBe(`${name} · Cuebird`);
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'detached' });
      await expect.poll(() => buttonsIn(page.locator('tbody'))).toBe(offered.length);
      await expect.poll(() => page.title()).toBe('Job Scheduler · Cuebird');
      await fixture.leave(page);
    },
  );

  it('does in its dialog what each button says, and tells so', async () => {
    const { rows } = await fixture.owner.query<{ id: string }>(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, payload)
       values ($1, 'Keys', 'api_notification', 'pending', '2098-01-01Z', '2098-01-01Z',
               '{"channels": ["email"], "recipients": ["ann@example.com"], "content": {"subject": "Keys", "message": "Bring them"}}')
       returning id`,
      [workspace],
    );
    const page = await open(`/jobs?job=${rows[0]?.id}`);
    const job = page.getByRole('dialog', { name: 'Job details' });
    const press = (name: string) =>
      job.getByRole('button', { name: new RegExp(`^${name}( 1 skipped)? Keys$`) }).click();
    await press('Pause');
    await toast(page, { title: 'Job updated', text: 'Keys is paused.' });
    await press('Resume');
    await toast(page, { title: 'Job updated', text: 'Keys will run.' });
    await press('Cancel');
    const question = page.getByRole('dialog', { name: 'Cancel this job?' });
    await question.getByText('will not be sent.').waitFor();
    const cancelling = `/api/jobs/${rows[0]?.id}/cancel`;
    await stopRequests(page, { path: cancelling, outcome: cutOff });
    await question.getByRole('button', { name: 'Cancel job' }).click();
    await toast(page, {
      title: 'Error updating job',
      text: 'Cuebird cannot be reached. Check your connection and try again.',
    });
    await allowRequests(page, [cancelling]);
    await question.getByRole('button', { name: 'Cancel job' }).click();
    await toast(page, { title: 'Job updated', text: 'Keys is cancelled.' });
    // It was not sent: that is no retry, and is asked before.
    await job.getByRole('button', { name: 'Send now Keys', exact: true }).click();
    const sending = page.getByRole('dialog', { name: 'Send this job now?' });
    await sending.getByText(/^Keys was cancelled before it was sent\. .* 2098/).waitFor();
    await expectGood(page);
    await sending.getByRole('button', { name: 'Do not send' }).click();
    await sending.waitFor({ state: 'detached' });
    await job.getByText('Cancelled', { exact: true }).first().waitFor();
    await job.getByRole('button', { name: 'Send now Keys', exact: true }).click();
    await sending.getByRole('button', { name: 'Send now' }).click();
    await toast(page, { title: 'Job updated', text: 'Keys is sent now.' });
    // Until then the line is that of whom the job will reach.
    await job.getByRole('button', { name: /ann@example.com.*1 attempt/ }).click();
    await job.getByText('Message exactly as it was sent').waitFor();
    await job.getByText('Attempt 1').waitFor();
  });

  const times = [
    ['today', 'of', 'today'],
    ['tomorrow', 'of', 'tomorrow'],
    ['next-7-days', 'of', 'the next 7 days'],
    ['past-due', 'that are', 'past due'],
  ] as const;
  it.for(sample.draw(times, { name: 'times of jobs', count: 2 }))(
    'keeps its filter %s in the address, and counts what it shows',
    async ([time, before, phrase], { expect }) => {
      const page = await open(`/jobs?time=${time}`);
      await page.getByText(new RegExp(`jobs ${before}\\s*${phrase}`)).waitFor();
      const range = new URLSearchParams(rangeOf(time, new Date()));
      const { json } = await fixture.ann.call('GET', `/api/jobs/counts?${range}`, { workspace });
      const expected = time === 'past-due' ? json.pending : json.total;
      await page.getByRole('button', { name: `Total ${expected}`, exact: true }).waitFor();
      await page.locator('main .mantine-Card-root[aria-busy="false"]').waitFor();
      await expect.poll(() => page.locator('tbody tr').count()).toBe(expected);
      await fixture.leave(page);
    },
  );

  it('finds the jobs of a month and of any days, and takes them along as a file', async ({ expect }) => {
    const page = await open('/jobs');
    await page.getByRole('link', { name: 'Newsletter' }).waitFor();
    await page.getByRole('button', { name: 'Time: All Time' }).click();
    await page.getByRole('menuitemradio', { name: 'Last Month' }).click();
    await page.waitForURL(/time=last-month/);
    await reads(page, ['No jobs match']);
    await page.getByRole('button', { name: 'Time: Last Month' }).click();
    await page.getByRole('menuitemradio', { name: 'Chosen Days' }).click();
    await page.getByLabel('First day').fill('2026-03-01');
    await page.getByLabel('Last day').fill('2026-03-02');
    await page.waitForURL(/from=2026-03-01.*to=2026-03-02/);
    await page.getByRole('button', { name: 'Total 2', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Newsletter' }).waitFor();
    await expect.poll(() => page.locator('main tbody tr').count()).toBe(2);
    await expectGood(page);
    const linesOf = async () => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Download' }).click(),
      ]);
      return (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    };
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const listed = await linesOf();
    expect(listed).toHaveLength(3);
    expect(listed.join('\n')).toContain('Summer party');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('radio', { name: 'All deliveries' }).check();
    const lastDay = page.getByRole('dialog').getByLabel('Last day');
    await lastDay.fill('2026-02-01');
    await reads(page, ['is before the first day']);
    await expectGood(page);
    await lastDay.fill('2026-03-02');
    // The calendar may lie over the button.
    await lastDay.press('Tab');
    const deliveries = await linesOf();
    expect(deliveries[0]).toContain('Recipient,Name,Result');
  });

  it('finds runs by status, time, channel and reminder, says where none match, and takes them along as a file', async () => {
    const page = await open('/jobs?tab=history');
    await page.getByText('The latest 100 runs').waitFor();
    await page.getByRole('button', { name: 'Status: All' }).click();
    await page.getByRole('menuitemradio', { name: 'Failed' }).click();
    await page.getByText('1 run', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Channel: Any channel' }).click();
    await page.getByRole('menuitemradio', { name: 'Webhook' }).click();
    await page.waitForURL(/channel=webhook/);
    await page.getByText('1 run', { exact: true }).waitFor();
    await expectGood(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    expect((await readFile(await download.path(), 'utf8')).trim().split('\r\n')).toHaveLength(2);
    await page.getByRole('button', { name: 'Time: All Time' }).click();
    await page.getByRole('menuitemradio', { name: 'Yesterday' }).click();
    await reads(page, ['No runs match', 'No run of this workspace fits these filters.']);
    await expectGood(page);
    await page.getByRole('button', { name: 'Show all runs' }).click();
    await page.getByText('The latest 100 runs').waitFor();
    const { json } = await fixture.ann.call('POST', '/api/reminders', {
      workspace,
      body: { ...sampleReminder, name: 'Never ran' },
    });
    await page.getByRole('combobox', { name: 'Reminder' }).fill('never');
    await page.getByRole('option', { name: 'Never ran' }).click();
    await page.waitForURL(new RegExp(`reminder=${json.id}`));
    await reads(page, ['No runs match']);
  });

  it('shows archived jobs where they are asked for, with nothing to do about them, and says why there are none', async ({
    expect,
  }) => {
    const other = await fixture.ann.createWorkspace('Archive Lane');
    const visit = { workspace: other };
    const empty = await open('/jobs?archived=only', visit);
    await reads(empty, ['No archived jobs', 'This workspace does not archive its jobs: they stay in the list.']);
    await expectGood(empty);
    await empty.getByRole('button', { name: 'Archive completed jobs after 30 days' }).click();
    await toast(empty, { title: 'Settings updated', text: 'Workspace settings have been saved successfully.' });
    await reads(empty, ['A completed job moves here 30 days after it has ended.']);
    await fixture.leave(empty);
    await fixture.owner.query(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, archived_at)
       select $1, u.name, 'reminder', 'completed', '2026-01-02Z', '2026-01-02Z', '2026-01-02Z', u.archived_at
         from (values ('Old rent', timestamptz '2026-02-02Z'), ('New rent', null)) as u (name, archived_at)`,
      [other],
    );
    const page = await open('/jobs', visit);
    await page.getByRole('button', { name: 'Total 1', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Archive: Without archived' }).click();
    await page.getByRole('menuitemradio', { name: 'With archived', exact: true }).click();
    await page.getByRole('button', { name: 'Total 2', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Archive: With archived' }).click();
    await page.getByRole('menuitemradio', { name: 'Only archived' }).click();
    await page.waitForURL(/archived=only/);
    await page.getByRole('button', { name: 'Total 1', exact: true }).waitFor();
    await page.getByRole('link', { name: 'New rent' }).waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('button', { name: /^(Pause|Resume|Retry|Cancel) Old rent$/ }).count())
      .toBe(0);
    await expectGood(page);
    await page.getByRole('link', { name: 'Old rent' }).click();
    await dialogOf(page).getByText('Archived', { exact: true }).waitFor();
  });

  it('asks for another today at midnight, while the screen stays open', async () => {
    const page = await open('/jobs', {
      own: {},
      // It goes on by itself as well.
      before: (fresh) => fresh.clock.install({ time: '2026-11-20T23:50:00' }),
    });
    await page.getByRole('link', { name: 'Newsletter' }).waitFor();
    const asksFrom = (day: string) =>
      page.waitForRequest(
        (request) => request.url().includes(`/api/jobs?`) && request.url().includes(`from=${day}T00`),
      );
    const today = asksFrom('2026-11-20');
    await page.getByRole('button', { name: 'Time: All Time' }).click();
    await page.getByRole('menuitemradio', { name: 'Today' }).click();
    await today;
    const tomorrow = asksFrom('2026-11-21');
    await page.clock.fastForward('11:00');
    await tomorrow;
  });
});

describe.concurrent('jobs that took hours, and more than a hundred runs', () => {
  let workspace: string;
  let job: string;
  beforeAll(async () => {
    workspace = await fixture.ann.createWorkspace('Harbour Lane');
    const { rows } = await fixture.owner.query<{ id: string }>(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, started_at, completed_at, attempts, max_attempts)
       select $1, 'Rent, ' || status, 'reminder', status, now(), '2099-01-01Z', now() - interval '2:05:09', now(), 2, 5
         from unnest(array['completed', 'completed', 'cancelled', 'failed']) status
       returning id`,
      [workspace],
    );
    job = rows.at(-1)?.id ?? '';
    await fixture.owner.query(
      `insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms, logs)
       select $1, $2, (array['completed', 'failed', 'running', 'pending'])[1 + n % 4], now() - n * interval '1 minute', now(), n * 1000, '{"attempt": 2}'
         from generate_series(60, 160) n`,
      [workspace, job],
    );
  });

  const open = (path: string) => fixture.open(path, { as: fixture.ann, workspace });

  it('counts five ways, and shows attempts of how many and durations in hours, minutes and seconds', async ({
    expect,
  }) => {
    const page = await open(`/jobs?job=${job}`);
    const counters = page.getByRole('group', { name: 'Filter jobs by status' }).getByRole('button');
    await page.getByRole('dialog', { name: 'Job details' }).getByText('2h 5m 09s').waitFor();
    await page.getByRole('dialog').getByText('2/5', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => counters.count()).toBe(5);
    for (const name of ['Total 4', 'Pending 0', 'Running 0', 'Completed 2', 'Failed 1'])
      await counters.and(page.getByRole('button', { name, exact: true })).waitFor();
    // The five do not add up to the total without it.
    await page
      .getByText('The total includes 1 cancelled. Failed includes jobs that are partly sent.', { exact: true })
      .waitFor();
    await expect
      .poll(() => page.getByRole('tab').allInnerTexts())
      .toEqual(['Scheduled Jobs', 'Execution History', 'Events']);
    const row = page.getByRole('row').filter({ hasText: 'Rent, failed' });
    await expect
      .poll(() => row.getByRole('cell').allInnerTexts())
      .toEqual(expect.arrayContaining(['2/5', '2h 5m 09s']));
  });

  it('shows the latest hundred runs, the last one first, in every status, and the details of each', async ({
    expect,
  }) => {
    const page = await open('/jobs?tab=history');
    await reads(page, ['The latest 100 runs']);
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(100);
    const durations = await page.locator('tbody tr td:nth-child(5)').allInnerTexts();
    expect([durations.at(0), durations.at(-1)]).toEqual(['1m 00s', '2m 39s']);
    expect(durations).toEqual(durations.toSorted());
    const states = await page.locator('tbody tr td:first-child').allInnerTexts();
    expect(states.slice(0, 4)).toEqual(['Completed', 'Failed', 'Running', 'Pending']);
    await rows.nth(1).getByRole('link', { name: 'Rent, failed' }).click();
    const details = page.getByRole('dialog', { name: 'Execution details' });
    for (const text of ['Failed', '1m 01s', 'Run 2 of this job']) await details.getByText(text).first().waitFor();
  });
});
