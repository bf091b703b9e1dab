import type { Page } from 'playwright-core';
import { beforeAll, describe, it } from 'vitest';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, outage, reads, restore } from './screens.fixture.ts';

describe.concurrent('finding jobs by a person', () => {
  const fixture = describeScreens();
  let workspace: string;
  beforeAll(async () => {
    workspace = await fixture.ann.createWorkspace('Found Street');
    const contact = (body: object) => fixture.ann.call('POST', '/api/contacts', { workspace, body });
    await contact({ name: 'Paula Berg', email: 'paula@example.com', phone: '+4915123456789' });
    const contacts = Array.from({ length: 25 }, (_, at) => ({ name: `Tenant ${at}`, email: `t${at}@example.com` }));
    await fixture.ann.call('POST', '/api/contacts/batch', { workspace, body: { contacts } });
    await fixture.owner.query(
      `with made as (
         insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, started_at)
         select $1, name, 'api_notification', 'completed', '2026-03-02T09:00:00Z', '2026-03-02T09:00:00Z', now(), now()
           from unnest(array['Rent of June', 'Water']) as name
         returning id, name, scheduled_for
       ), run as (
         insert into job_executions (workspace_id, job_id, status, started_at, completed_at, duration_ms, logs)
         select $1, id, 'completed', scheduled_for, scheduled_for, 400, '{}' from made
       )
       insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
       select $1, id, scheduled_for, 'sms', case name when 'Water' then '+4930111111' else '+4915123456789' end, 'accepted', 1 from made`,
      [workspace],
    );
  });

  const open = (path: string) => fixture.open(path, { as: fixture.ann, workspace });
  const box = (page: Page) => page.getByRole('searchbox', { name: 'Search by name or recipient' });

  it('finds the jobs and the runs of a contact by name and by number, with a link to its page', async ({ expect }) => {
    const page = await open('/jobs');
    await box(page).fill('paula');
    await reads(page, ['Rent of June', /^Includes what goes or went to Paula Berg$/]);
    await expect.poll(() => page.getByText('Water', { exact: true }).count()).toBe(0);
    await expectGood(page);
    await page.getByRole('tab', { name: 'Execution History' }).click();
    await reads(page, ['Rent of June', /^Includes what goes or went to Paula Berg$/]);
    await expect.poll(() => page.getByText('Water', { exact: true }).count()).toBe(0);
    const file = page.getByRole('link', { name: 'Export CSV' });
    await expect.poll(() => file.getAttribute('href')).toContain('search=paula');
    await expectGood(page);
    await box(page).fill('+49 30 111111');
    await reads(page, ['Water']);
    await expect.poll(() => page.getByText('Rent of June', { exact: true }).count()).toBe(0);
    await box(page).fill('paula');
    await page.getByRole('link', { name: 'Paula Berg' }).click();
    await page.getByRole('heading', { level: 1, name: 'Paula Berg' }).waitFor();
  });

  it('says where it looks for the first contacts only, what it does not find, and why it fails', async () => {
    const page = await open('/jobs?search=tenant');
    await reads(page, ['No jobs match', /^Includes what goes or went to the first 20 of 25 contacts/]);
    await expectGood(page);
    await page.getByRole('tab', { name: 'Execution History' }).click();
    await reads(page, ['No runs match', /the first 20 of 25 contacts/]);
    await expectGood(page);
    await page.getByRole('button', { name: 'Show all runs' }).click();
    await reads(page, ['Rent of June', 'Water']);
    await breakDown(page, '/api/job-executions');
    await box(page).fill('berg');
    await reads(page, ['Error loading job executions', outage]);
    await restore(page);
    await page.getByRole('button', { name: 'Retry', exact: true }).click();
    await reads(page, ['Rent of June']);
  });
});
