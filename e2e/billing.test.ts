import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { breakDown, delayRequests, type Fixture, openFixture, reads, restore, toast } from './screens.fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

async function newOwner(): Promise<{ workspace: string; dana: TestPerson }> {
  const dana = await fixture.signUp('Dana Owens');
  return { dana, workspace: await dana.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`) };
}

/** The tab that a button opens. */
async function opened(page: Page, button: string): Promise<Page> {
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return tab;
}

describe.concurrent('the billing page', () => {
  it('orders a plan in a tab of its own, changes it, and shows what was charged', async ({ expect }) => {
    const { dana, workspace } = await newOwner();
    const page = await fixture.open('/billing', { as: dana, workspace });
    await reads(page, [
      'Free',
      'Active',
      /Free trial until .* everything of Premium is included/,
      'Nothing was charged yet.',
    ]);
    for (const text of [
      'Up to 100 reminders/month',
      '$9/month',
      'Most Popular',
      '$19/month',
      'White-label',
      '$49/month',
    ])
      await page.getByText(text, { exact: true }).first().waitFor();
    await expectGood(page);

    const order = await opened(page, 'Subscribe to Basic');
    await expectGood(order, [390, 1440]);
    await order.getByRole('button', { name: 'Pay' }).click();
    await order.getByText('Paid.').waitFor();
    await page.getByRole('button', { name: 'Current Plan' }).waitFor();
    expect(await page.getByRole('button', { name: 'Current Plan' }).isDisabled()).toBe(true);
    await reads(page, [/Renews on/, '$9', 'Paid']);
    await expectGood(page);

    const change = await opened(page, 'Subscribe to Premium');
    await change.getByRole('button', { name: 'Confirm the change' }).click();
    await change.getByText('Paid.').waitFor();
    await page.getByRole('button', { name: 'Subscribe to Basic' }).waitFor();
    await page.getByRole('button', { name: 'Refresh Status' }).click();
    await toast(page, { title: 'Subscription updated', text: 'Subscription status has been refreshed' });
    await fixture.leave(page);
  });

  it('says that a payment failed and that a subscription ends, and goes on when it is paid and kept', async () => {
    const { dana, workspace } = await newOwner();
    const page = await fixture.open('/billing', { as: dana, workspace });
    const order = await opened(page, 'Subscribe to Premium');
    await order.getByRole('button', { name: 'Pay' }).click();
    await order.getByText('Paid.').waitFor();
    await page.getByRole('button', { name: 'Current Plan' }).waitFor();
    const portal = await opened(page, 'Manage Subscription');
    await portal.getByRole('button', { name: 'Let a payment fail' }).click();
    await reads(page, ['Past due', /the last payment failed/]);
    await expectAccessible(page);
    await expectGood(portal, [390, 1440]);
    await portal.getByRole('button', { name: 'Pay the invoice' }).click();
    await page.getByRole('button', { name: 'Current Plan' }).waitFor();
    await portal.getByRole('button', { name: 'Cancel at the end of the month' }).click();
    await reads(page, [/Ends on/]);
    await portal.getByRole('button', { name: 'Keep the subscription' }).click();
    await reads(page, [/Renews on/]);
    await portal.getByRole('button', { name: 'End it now' }).click();
    await reads(page, ['Free', 'Canceled']);
    await page.getByRole('button', { name: 'Subscribe to Premium' }).waitFor();
    await fixture.leave(page);
  });

  it('shows a member the plan, and says who may change it', async () => {
    const { dana, workspace } = await newOwner();
    const finn = await fixture.signUp('Finn Moss');
    await addMember(fixture.owner, { workspace, userId: finn.userId, role: 'member' });
    const page = await fixture.open('/billing', { as: finn, workspace });
    await page.getByRole('button', { name: 'Subscribe to Premium' }).click();
    await page.getByText('Failed to create checkout session').first().waitFor();
    await fixture.leave(page);
    await dana.call('GET', '/api/billing', { workspace });
  });

  it('is in its shape while it loads, and says what fails', async () => {
    const { dana, workspace } = await newOwner();
    const page = await fixture.open('/reminders', { as: dana, workspace });
    await delayRequests(page, '/api/billing');
    await page.getByRole('link', { name: 'Billing' }).click();
    await page.getByRole('status', { name: 'Loading the plan' }).waitFor();
    await expectAccessible(page);
    await restore(page);
    await breakDown(page, '/api/billing');
    await page.reload();
    await reads(page, ['Failed to check subscription status']);
    await expectGood(page, [390, 1440]);
    await restore(page);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: 'Subscribe to Premium' }).waitFor();
    await fixture.leave(page);
  });

  it('leads from a refusal to the plans', async () => {
    const { dana, workspace } = await newOwner();
    await fixture.owner.query(
      `with ended as (update profiles set trial_ends_at = now() - interval '1 second' where id = $1)
       update workspaces set trial_ends_at = now() - interval '1 second' where id = $2`,
      [dana.userId, workspace],
    );
    const page = await fixture.open('/reminders', { as: dana, workspace });
    await page
      .getByRole('button', { name: /Switch workspace|Oak Lane/ })
      .first()
      .click();
    await page
      .getByRole('menuitem', { name: 'Create Workspace' })
      .or(page.getByRole('button', { name: 'Create Workspace' }))
      .first()
      .click();
    await page.getByRole('dialog').getByLabel('Name').fill('Birch Road');
    await page.getByRole('dialog').getByRole('button', { name: 'Create Workspace' }).click();
    await toast(page, {
      title: 'Error creating workspace',
      text: 'The Free plan includes one workspace. Subscribe to Premium for more.',
    });
    await page.getByRole('link', { name: 'See the plans' }).click();
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    await fixture.leave(page);
  });
});
