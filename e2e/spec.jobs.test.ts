import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Fixture, openFixture, reads } from './screens.fixture.ts';

describe.concurrent('the Job Scheduler', () => {
  let fixture: Fixture;
  let workspace: string;
  let job: string;
  beforeAll(async () => {
    fixture = await openFixture();
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
  afterAll(() => fixture.close());

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
    await page.getByText('The total includes 1 cancelled', { exact: true }).waitFor();
    await expect
      .poll(() => page.getByRole('tab').allInnerTexts())
      .toEqual(['Scheduled Jobs', 'Execution History', 'Events']);
    const row = page.getByRole('row').filter({ hasText: 'Rent, failed' });
    await expect
      .poll(() => row.getByRole('cell').allInnerTexts())
      .toEqual(expect.arrayContaining(['2/5', '2h 5m 09s']));
    await fixture.leave(page);
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
    await fixture.leave(page);
  });
});
