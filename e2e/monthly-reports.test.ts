import { describe, it } from 'vitest';
import { sampleReminder, sampleRule } from '#testing/samples.ts';
import { expectGood } from './looks.ts';
import { breakDown, describeScreens, outage, reads, restore } from './screens.fixture.ts';

const fixture = describeScreens();

describe('monthly reports of a workspace', () => {
  it('are added for the workspace and a reminder, changed and deleted', async ({ expect }) => {
    const dana = await fixture.signUp('Dana Owens');
    const workspace = await dana.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`);
    await dana.call('POST', '/api/reminders', { workspace, body: { ...sampleReminder, name: 'Rent' } });
    await dana.call('POST', '/api/contact-groups', { workspace, body: { name: 'Tenants', rule: sampleRule } });
    const path = `/admin/workspace/${workspace}/manage?tab=reports`;
    const page = await fixture.open(path, { as: dana, workspace });
    await reads(page, ['No monthly reports yet']);
    await expectGood(page, [390, 1440]);
    const add = async (address: string, about?: string) => {
      await page.getByRole('button', { name: 'Add monthly report' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add a monthly report' });
      await dialog.getByLabel('Address').fill(address);
      if (about !== undefined) {
        await dialog.getByRole('combobox', { name: 'About' }).click();
        await page.getByRole('option', { name: about }).click();
      }
      await expectGood(page, [390, 1440]);
      await dialog.getByRole('button', { name: 'Add monthly report' }).click();
      return dialog;
    };
    await (await add('boss@example.com')).waitFor({ state: 'hidden' });
    await (await add('boss@example.com', 'Rent')).waitFor({ state: 'hidden' });
    await (await add('landlord@example.com', 'Tenants')).waitFor({ state: 'hidden' });
    await reads(page, ['The whole workspace', 'The reminder Rent', 'The people of the group Tenants']);
    await expectGood(page, [390, 1440]);
    const refused = await add('boss@example.com');
    await refused.getByText('boss@example.com gets this report already').waitFor();
    await refused.getByLabel('Address').fill('');
    await refused.getByRole('button', { name: 'Cancel' }).click();
    await refused.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Delete the report to landlord@example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete monthly report' }).click();
    await page.getByText('landlord@example.com', { exact: true }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Edit the report to boss@example.com' }).first().click();
    const edit = page.getByRole('dialog', { name: 'Edit the monthly report' });
    await edit.getByLabel('Address').fill('chief@example.com');
    await edit.getByRole('button', { name: 'Save monthly report' }).click();
    await reads(page, ['chief@example.com']);
    await expect.poll(() => page.getByText('boss@example.com', { exact: true }).count()).toBe(1);
  });

  it('say what the mail server answered, and when the report is tried again', async () => {
    const dana = await fixture.signUp('Dana Owens');
    const workspace = await dana.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`);
    await dana.call('POST', '/api/monthly-reports', { workspace, body: { address: 'typo@example.com' } });
    await fixture.owner.query(
      `update monthly_reports set refused_at = '2026-03-01T08:00:00Z', refusal = 'declined', refusal_words = '550 5.1.1 no such user',
              next_attempt_at = '2026-03-01T09:00:00Z' where workspace_id = $1`,
      [workspace],
    );
    const path = `/admin/workspace/${workspace}/manage?tab=reports`;
    const page = await fixture.open(path, { as: dana, workspace });
    await reads(page, [
      /^Not sent: the mail server did not take it for this address\. It said on .+: 550 5\.1\.1 no such user\./,
    ]);
    await expectGood(page, [390, 1440]);
  });

  it('say so where they cannot be had, and bring them with Retry', async () => {
    const dana = await fixture.signUp('Dana Owens');
    const workspace = await dana.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`);
    const path = `/admin/workspace/${workspace}/manage?tab=reports`;
    const before = (fresh: Parameters<typeof breakDown>[0]) => breakDown(fresh, '/api/monthly-reports');
    const page = await fixture.open(path, { as: dana, workspace, before });
    await reads(page, [outage]);
    await restore(page);
    await page.getByRole('button', { name: 'Retry' }).click();
    await reads(page, ['No monthly reports yet']);
  });
});
