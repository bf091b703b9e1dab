import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { startStripeEmulator, stripePrices, stripeSecrets, type StripeEmulator } from '#testing/stripe-emulator.ts';
import { expectGood } from './looks.ts';
import { type Lease, openOwnPage } from './pages.ts';
import { cookiesOf, reads, toast } from './screens.fixture.ts';

let cuebird: TestCuebird;
let lease: Lease;
let page: Page;
let dana: TestPerson;
let workspace: string;

async function start(env: Record<string, string>): Promise<void> {
  cuebird = await startTestCuebird({ env });
  dana = await cuebird.signUp('Dana Owens');
  workspace = await dana.createWorkspace('Elm Street');
  lease = await openOwnPage({ baseURL: cuebird.url });
  ({ page } = lease);
  await page.context().addCookies(cookiesOf(dana, cuebird.url));
}

async function stop(): Promise<void> {
  await lease.giveBack();
  await cuebird.stop();
}

describe('without billing', () => {
  beforeAll(() => start({ BILLING: 'off' }));
  afterAll(stop);

  it('the billing page says that nothing is limited, and has no price and no plan', async () => {
    await page.goto('/billing');
    await reads(page, [
      'Billing is off',
      'No plan limits anything on this installation: every workspace has everything.',
    ]);
    for (const name of [/Subscribe to/, 'Manage Subscription', 'Current Plan'])
      await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('main').innerText()).not.toMatch(/\$|Premium|Free|plan is/);
    await expectGood(page);
    await page.getByRole('button', { name: 'Refresh Status' }).click();
    await toast(page, { title: 'Subscription updated', text: 'Subscription status has been refreshed' });
  });

  it('the landing page has no price and asks for no plan', async () => {
    const stranger = await openOwnPage({ baseURL: cuebird.url });
    await stranger.page.goto('/');
    await reads(stranger.page, [
      'This installation charges nothing. Everything is included, and there is no plan to choose.',
      'Everything is included, at no charge',
    ]);
    const text = await stranger.page.locator('body').innerText();
    expect(text).not.toMatch(/\$\d|\/month|Contact Sales|14-day trial|Start Free Trial/);
    await expect.poll(() => stranger.page.getByRole('link', { name: 'Pricing' }).count()).toBe(0);
    await expect.poll(() => stranger.page.getByRole('link', { name: 'Get started' }).count()).toBe(3);
    await expectGood(stranger.page);
    await stranger.giveBack();
  });

  it('the support page and the documentation name no plan of it', async () => {
    await page.goto('/support');
    await expect.poll(() => page.getByText('Enterprise only').count()).toBe(0);
    await page.goto('/docs/plans');
    await reads(page, ['This installation has no plans: nothing of what follows limits anything here.']);
    await expectGood(page, [390, 1440]);
  });

  it('the manage screen says so, too', async () => {
    await page.goto(`/admin/workspace/${workspace}/manage?tab=billing`);
    await reads(page, ['Billing is off on this installation: no plan limits anything.']);
    expect(await page.getByRole('tabpanel').innerText()).not.toMatch(/Free|Status/);
    await expect.poll(() => page.getByRole('button', { name: 'Manage Subscription' }).count()).toBe(0);
  });
});

describe('with payments by Stripe', () => {
  let stripe: StripeEmulator;
  beforeAll(async () => {
    stripe = await startStripeEmulator({ webhook: () => `${cuebird.url}/api/billing/webhook` });
    await start({
      STRIPE_SECRET_KEY: stripeSecrets.secretKey,
      STRIPE_WEBHOOK_SECRET: stripeSecrets.webhookSecret,
      STRIPE_PRICE_BASIC: stripePrices.basic,
      STRIPE_PRICE_PREMIUM: stripePrices.premium,
      STRIPE_PRICE_ENTERPRISE: stripePrices.enterprise,
      STRIPE_API: stripe.api.href,
    });
  });
  afterAll(async () => {
    await stop();
    await stripe.close();
  });

  async function opened(button: string): Promise<Page> {
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return tab;
  }

  it('a plan is ordered on its page, in a tab of its own, and is there when its event has come', async () => {
    await page.goto('/billing');
    await page.getByText('$19/month').waitFor();
    await expect.poll(() => page.getByText(/Sandbox|Billing is off/).count()).toBe(0);
    const order = await opened('Subscribe to Basic');
    await order.getByRole('heading', { name: 'Stripe: order' }).waitFor();
    await expect.poll(() => order.evaluate(() => window.opener)).toBeNull();
    await order.getByRole('button', { name: 'Pay' }).click();
    await order.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    await page.getByRole('button', { name: 'Current Plan' }).waitFor();
    await reads(page, [/Renews on/, '$9', 'Paid']);
    await order.close();
  });

  it('another plan is confirmed there, and the portal opens', async () => {
    const change = await opened('Subscribe to Enterprise');
    await change.getByRole('heading', { name: 'Stripe: change' }).waitFor();
    await change.getByRole('button', { name: 'Pay' }).click();
    await change.close();
    await page.getByRole('heading', { level: 2, name: 'Enterprise' }).waitFor();
    const portal = await opened('Manage Subscription');
    await portal.getByRole('heading', { name: 'Stripe: portal' }).waitFor();
    await portal.close();
  });

  it('a lost event is made up for by Refresh Status, and the manage screen shows the plan', async () => {
    const [subscription] = (await stripe.provider.subscriptionsOf(await customer())) ?? [];
    // Cancelled at the provider by its own dashboard, of which no event comes through.
    await cuebird.owner.query("update subscriptions set cancels_at = null, checked_at = '2020-01-01Z'");
    await stripe.provider.cancelAtPeriodEnd(subscription?.id ?? '', true);
    await page.getByRole('button', { name: 'Refresh Status' }).click();
    await toast(page, { title: 'Subscription updated', text: 'Subscription status has been refreshed' });
    await reads(page, [/Ends on/]);
    await page.goto(`/admin/workspace/${workspace}/manage?tab=billing`);
    await reads(page, ['Enterprise', 'Active', 'View Billing History']);
    await expectGood(page);
    await page.getByRole('link', { name: 'View Billing History' }).click();
    await reads(page, ['Invoices', '$9']);
  });

  it('a provider that is not there is said, and closes the tab again', async () => {
    await stripe.close();
    await page.goto('/billing');
    await toast(page, { title: 'Error', text: 'Failed to check subscription status' });
    await page.getByRole('button', { name: 'Manage Subscription' }).click();
    await toast(page, { title: 'Error', text: 'Failed to access customer portal' });
    await page.getByRole('button', { name: 'Subscribe to Premium' }).click();
    await toast(page, { title: 'Error', text: 'Failed to create checkout session' });
    await expect.poll(() => page.context().pages().length).toBe(1);
  });

  const customer = async (): Promise<string> =>
    (await cuebird.owner.query('select customer_id from billing_customers')).rows[0].customer_id;
});
