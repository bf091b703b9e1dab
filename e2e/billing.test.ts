import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import type { TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { expectAccessible } from './accessible.ts';
import { expectGood } from './looks.ts';
import { breakDown, cutOffNews, delayRequests, describeScreens, reads, restore, toast } from './screens.fixture.ts';

const fixture = describeScreens();

async function newOwner(): Promise<{ workspace: string; dana: TestPerson }> {
  const dana = await fixture.signUp('Dana Owens');
  return { dana, workspace: await dana.createWorkspace(`Oak Lane ${crypto.randomUUID().slice(0, 8)}`) };
}

const endTrial = ({ dana, workspace }: { dana: TestPerson; workspace: string }) =>
  fixture.owner.query(
    `with ended as (update profiles set trial_ends_at = now() - interval '1 second' where id = $1)
     update workspaces set trial_ends_at = now() - interval '1 second' where id = $2`,
    [dana.userId, workspace],
  );

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
    await expect.poll(() => page.getByRole('button', { name: 'Current Plan' }).isDisabled()).toBe(true);
    await reads(page, [/Renews on/, '$9', 'Paid']);
    await expectGood(page);

    const change = await opened(page, 'Subscribe to Premium');
    await change.getByRole('button', { name: 'Confirm the change' }).click();
    await change.getByText('Paid.').waitFor();
    await page.getByRole('button', { name: 'Subscribe to Basic' }).waitFor();
    await page.getByRole('button', { name: 'Refresh Status' }).click();
    await toast(page, { title: 'Subscription updated', text: 'Subscription status has been refreshed' });
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
  });

  it('shows a member the plan, and says who may change it', async ({ expect }) => {
    const { workspace } = await newOwner();
    const finn = await fixture.signUp('Finn Moss');
    await addMember(fixture.owner, { workspace, userId: finn.userId, role: 'member' });
    const page = await fixture.open('/billing', { as: finn, workspace });
    await reads(page, ['Free', 'An owner of the workspace can change its plan.']);
    await expect.poll(() => page.getByRole('button', { name: 'Subscribe to Premium' }).isDisabled()).toBe(true);
    await expect.poll(() => page.getByRole('heading', { name: 'Invoices' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Manage Subscription' }).count()).toBe(0);
    await expectGood(page, [390, 1440]);
  });

  it('ends a plan whose payment has been due for seven days', async () => {
    const { dana, workspace } = await newOwner();
    const page = await fixture.open('/billing', { as: dana, workspace });
    const order = await opened(page, 'Subscribe to Premium');
    await order.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('button', { name: 'Current Plan' }).waitFor();
    const portal = await opened(page, 'Manage Subscription');
    await portal.getByRole('button', { name: 'Let a payment fail' }).click();
    await reads(page, ['Premium', 'Past due']);
    await fixture.owner.query(
      `update sandbox_payments set body = jsonb_set(body, '{created}', to_jsonb(floor(extract(epoch from now() - interval '7 days'))::bigint))
        where kind = 'invoice' and body ->> 'status' = 'open'
          and customer_id = (select customer_id from billing_customers where user_id = $1)`,
      [dana.userId],
    );
    await page.getByRole('button', { name: 'Refresh Status' }).click();
    await page.getByRole('heading', { level: 2, name: 'Free' }).waitFor();
    await expectGood(page, [390, 1440]);
    // Paid after all.
    await portal.getByRole('button', { name: 'Pay the invoice' }).click();
    await page.getByRole('heading', { level: 2, name: 'Premium' }).waitFor();
  });

  it('says that the month is used up, there and where a reminder was not sent', async () => {
    const { dana, workspace } = await newOwner();
    await endTrial({ dana, workspace });
    await fixture.owner.query(
      "insert into monthly_usage (workspace_id, month, occurrences) values ($1, date_trunc('month', now() at time zone 'UTC'), 25)",
      [workspace],
    );
    const { rows } = await fixture.owner.query<{ id: string }>(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, error_message, reason_code)
       values ($1, 'Rent', 'api_notification', 'cancelled', now(), now(), now(),
               'The Free plan''s 25 reminders of this month are used up', 'over_plan')
       returning id`,
      [workspace],
    );
    const page = await fixture.open(`/jobs?job=${rows[0]?.id}`, { as: dana, workspace });
    await page.getByRole('dialog').getByRole('link', { name: 'See the plans' }).click();
    await reads(page, [
      /25 of 25 reminders and messages sent this month/,
      'Nothing more is sent this month. A higher plan sends more.',
    ]);
    await expectGood(page);
  });

  it('says in a second workspace that it is not the one that the plan includes', async () => {
    const { dana, workspace } = await newOwner();
    const second = await dana.createWorkspace('Birch Road');
    await endTrial({ dana, workspace });
    await fixture.owner.query('update workspaces set trial_ends_at = now() where id = $1', [second]);
    const page = await fixture.open('/billing', { as: dana, workspace: second });
    await reads(page, [
      'The plan of its owner includes one workspace, and that is another one: nothing is sent from here.',
    ]);
    await expectGood(page, [390, 1440]);
  });

  it('says that there is no workspace where somebody was removed meanwhile', async () => {
    const { workspace } = await newOwner();
    const finn = await fixture.signUp('Finn Moss');
    await addMember(fixture.owner, { workspace, userId: finn.userId, role: 'owner' });
    const page = await fixture.open('/billing', { as: finn, workspace });
    await page.getByRole('button', { name: 'Subscribe to Premium' }).waitFor();
    await cutOffNews(page);
    await page.reload();
    // After the click: whoever is removed before it is shown another screen.
    await page.route('**/api/billing/create-checkout', async (route) => {
      await fixture.owner.query('delete from workspace_members where user_id = $1', [finn.userId]);
      await route.continue();
    });
    await page.getByRole('button', { name: 'Subscribe to Premium' }).click();
    await toast(page, { title: 'No workspace selected', text: 'Please select a workspace first' });
  });

  it('is in its shape while it loads, and says what fails', async () => {
    const { dana, workspace } = await newOwner();
    const page = await fixture.open('/reminders', { as: dana, workspace });
    for (const path of ['/api/billing', '/api/billing/check-subscription']) await delayRequests(page, path);
    await page.getByRole('link', { name: 'Billing' }).click();
    await page.getByRole('status', { name: 'Loading the plan' }).waitFor();
    await expectAccessible(page);
    await restore(page);
    for (const path of ['/api/billing', '/api/billing/check-subscription']) await breakDown(page, path);
    await page.reload();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    await expectGood(page, [390, 1440]);
    await restore(page);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: 'Subscribe to Premium' }).waitFor();
  });

  it('leads from a refusal to the plans', async () => {
    const { dana, workspace } = await newOwner();
    await endTrial({ dana, workspace });
    const page = await fixture.open('/reminders', { as: dana, workspace });
    await page.getByRole('button', { name: /^Workspace: / }).click();
    await page.getByRole('option', { name: 'Create Workspace' }).click();
    await page.getByRole('dialog').getByLabel('Workspace name').fill('Birch Road');
    await page.getByRole('dialog').getByRole('button', { name: 'Create Workspace' }).click();
    await page.getByText('Error creating workspace').waitFor();
    await page.getByText(/^The Free plan includes one workspace\. Subscribe to Premium for more\./).waitFor();
    await page.getByRole('link', { name: 'See the plans' }).click();
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
  });
});
