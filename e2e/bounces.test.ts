import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { untilFound } from '#testing/changes.ts';
import { expectAccessible, expectFits, type House, openHouse, reads } from './screens.house.ts';

describe('a mail that comes back', () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse();
  });
  afterAll(() => house.close());

  it('is rehearsed by its address: the ledger has it as failed, and the inbox has what came back', async () => {
    const workspace = house.empty;
    const { json: reminder } = await house.ann.call('POST', '/api/reminders', {
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
    const job = await untilFound(house.cuebird.databaseUrl, async () => {
      const { json } = await house.ann.call('GET', `/api/jobs?reminder_id=${reminder.id}`, { workspace });
      return json.data.find(({ status }: { status: string }) => status === 'failed');
    });

    const page = await house.open('/inbox', { as: house.ann, workspace });
    await page.getByRole('link', { name: /Undelivered Mail Returned to Sender/ }).click();
    await page.getByText('<bounce@cuebird.test>: 550 5.1.1 No such user here').waitFor();
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByText(/Content-Type: message\/delivery-status/).waitFor();
    await expectFits(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: /Rent of July/ }).click();
    await reads(page, ['Told Cuebird: failed; it answered HTTP 200']);

    await page.goto(`/jobs?job=${job.id}`);
    await page
      .getByRole('dialog')
      .getByText(/Bounced: 550 5\.1\.1 No such user here/)
      .first()
      .waitFor();
    await page.context().close();
    const { json: list } = await house.ann.call('GET', '/api/suppressions', { workspace });
    expect(list.data).toMatchObject([{ recipient: 'bounce@cuebird.test', reason: 'bounced' }]);
  });
});
