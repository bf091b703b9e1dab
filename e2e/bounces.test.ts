import { describe, expect, it } from 'vitest';
import { untilFound } from '#testing/changes.ts';
import { expectAccessible } from './accessible.ts';
import { expectFits, describeScreens, reads } from './screens.fixture.ts';

describe('a mail that comes back', () => {
  const fixture = describeScreens();

  it('is simulated by its address: the ledger has it as failed, and the inbox has what came back', async () => {
    const workspace = fixture.empty;
    const { json: reminder } = await fixture.ann.call('POST', '/api/reminders', {
      workspace,
      body: {
        name: 'Rent of July',
        status: 'active',
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'once',
          startDate: new Date(Date.now() - 60_000).toISOString().slice(0, 19),
          timezone: 'UTC',
        },
        content: { subject: 'Rent of July', message: 'It is due.', recipients: ['bounce@cuebird.test'] },
        metadata: { channels: ['email'] },
      },
    });
    const job = await untilFound(fixture.databaseUrl, async () => {
      const { json } = await fixture.ann.call('GET', `/api/jobs?reminder_id=${reminder.id}`, { workspace });
      return json.data.find(({ status }: { status: string }) => status === 'failed');
    });

    const page = await fixture.open('/inbox', { as: fixture.ann, workspace });
    await page.getByRole('link', { name: /Undelivered Mail Returned to Sender/ }).click();
    await page.getByText('<bounce@cuebird.test>: 550 5.1.1 No such user here').waitFor();
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByText(/Content-Type: message\/delivery-status/).waitFor();
    await expectFits(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: /Rent of July/ }).click();
    await reads(page, ['Reported to Cuebird: failed; it answered HTTP 200']);

    await page.goto(`/jobs?job=${job.id}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This address does not exist.').first().waitFor();
    await dialog.getByText('Details', { exact: true }).first().click();
    await dialog
      .getByText(/Bounced: 550 5\.1\.1 No such user here/)
      .locator('visible=true')
      .first()
      .waitFor();
    await fixture.leave(page);
    const { json: list } = await fixture.ann.call('GET', '/api/suppressions', { workspace });
    expect(list.data).toMatchObject([{ recipient: 'bounce@cuebird.test', reason: 'bounced' }]);
  });
});
