import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Payments } from '#features/billing/payments.ts';
import { createStripePayments } from '#features/billing/stripe.ts';
import { definitionVersion, operations } from '#features/billing/stripe-definition.fixture.ts';
import { signatureOf } from '#sandbox/payments/signed-events.ts';
import {
  startStripeEmulator,
  stripePrices as prices,
  stripeSecrets,
  type StripeEmulator,
} from '#testing/stripe-emulator.ts';

const { webhookSecret } = stripeSecrets;
const workspaceId = '0198c0de-0000-7000-8000-000000000001';
const returnUrl = 'https://cuebird.example/billing';
const person = { userId: '0198c0de-0000-7000-8000-000000000002', email: 'dana@example.com', name: 'Dana Owens' };

describe('payments by Stripe', () => {
  let emulator: StripeEmulator;
  let payments: Payments;
  beforeEach(async () => {
    emulator = await startStripeEmulator({ now: () => Temporal.Instant.from('2026-03-10T12:00:00Z') });
    payments = createStripePayments({ ...stripeSecrets, prices, api: emulator.api });
  });
  afterEach(() => emulator.close());

  /** Someone who has paid for Basic. */
  async function subscribed(): Promise<{ customer: string; subscription: string }> {
    const customer = await payments.createCustomer(person);
    await payOn(await payments.order({ customer, tier: 'basic', workspaceId, returnUrl }));
    const [first] = await payments.subscriptionsOf(customer);
    return { customer, subscription: first?.id ?? '' };
  }

  async function payOn(url: string | null): Promise<void> {
    const found = await emulator.provider.page((url ?? '').split('/').at(-1) ?? '');
    if (found === null) throw new Error(`${url} is no page`);
    await emulator.provider.act(found.page, { act: 'pay', subscription: null });
  }

  it('hold the parameters of the published definition in every call', async () => {
    const newcomer = await payments.createCustomer({ ...person, userId: '0198c0de-0000-7000-8000-000000000004' });
    for (const tier of ['basic', 'premium'] as const)
      await payments.order({ customer: newcomer, tier, workspaceId, returnUrl });
    await payments.expireOrders({ customers: [newcomer], workspaceId });
    const { customer, subscription } = await subscribed();
    await payOn(await payments.change({ customer, tier: 'premium', subscription, returnUrl }));
    await payments.portal({ customer, returnUrl });
    await payments.subscription(subscription);
    await payments.invoicesOf({ customer, id: subscription });
    await payments.cancelAtPeriodEnd(subscription);
    const names = emulator.asked.map(({ method, path, form }) => {
      const name = `${method} ${path.replace(/\/sub_\w+$/, '/:subscription_exposed_id').replace(/\/page_\w+\/expire$/, '/:session/expire')}`;
      const operation = Object.entries(operations).find(([known]) => known === name)?.[1];
      expect(operation, name).toBeDefined();
      expect(operation?.parameters.safeParse(form).error?.message, name).toBeUndefined();
      return name;
    });
    expect([...new Set(names)].toSorted()).toEqual(Object.keys(operations).toSorted());
    // The client's own version of the API, not the account's, which its owner may change; none that is younger than the definition.
    for (const { version } of emulator.asked) {
      expect(version).toMatch(/^\d{4}-\d\d-\d\d\.\w+$/);
      expect(version?.localeCompare(definitionVersion)).toBeLessThanOrEqual(0);
    }
  });

  it('name the workspace in what is ordered, and read it back with the period of the item', async () => {
    const { subscription, customer } = await subscribed();
    expect(await payments.subscription(subscription)).toEqual({
      id: subscription,
      workspace_id: workspaceId,
      customer_id: customer,
      tier: 'basic',
      status: 'active',
      created_at: '2026-03-10T12:00:00Z',
      current_period_end: '2026-04-10T12:00:00Z',
      cancels_at: null,
      failed_at: null,
    });
    expect(await payments.subscription('sub_unknown')).toBeNull();
  });

  it('end with the period when they are cancelled', async () => {
    const { subscription } = await subscribed();
    await payments.cancelAtPeriodEnd(subscription);
    expect(await payments.subscription(subscription)).toMatchObject({
      status: 'active',
      cancels_at: '2026-04-10T12:00:00Z',
    });
  });

  it('shorten a name to what a customer may have', async () => {
    await payments.createCustomer({ ...person, name: 'N'.repeat(300) });
    expect(emulator.asked[0]?.form).toMatchObject({ name: 'N'.repeat(256) });
  });

  it('are unavailable when the provider refuses the key, without saying why to the caller', async () => {
    const wrong = createStripePayments({ secretKey: 'sk_test_2', webhookSecret, prices, api: emulator.api });
    const refusal = await wrong.subscriptionsOf('cus_1').catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'unavailable' });
    expect(String(refusal)).not.toContain('sk_test_2');
  });

  it('let only the later of two pages that are open for a workspace be paid', async () => {
    const customer = await payments.createCustomer(person);
    const order = async (of: string) => {
      await payments.expireOrders({ customers: ['cus_deleted', customer], workspaceId: of });
      return payments.order({ customer, tier: 'basic', workspaceId: of, returnUrl });
    };
    const elsewhere = await order('0198c0de-0000-7000-8000-000000000003');
    const [earlier, later] = [await order(workspaceId), await order(workspaceId)];
    await expect(payOn(earlier)).rejects.toThrow('is no page');
    await payOn(later);
    await payOn(elsewhere);
    // What is paid stays so.
    await payments.expireOrders({ customers: [customer], workspaceId });
    expect((await payments.subscriptionsOf(customer)).map(({ workspace_id: of }) => of)).toEqual([
      '0198c0de-0000-7000-8000-000000000003',
      workspaceId,
    ]);
  });

  it('open no page for a customer whom the provider has deleted, who has no subscriptions', async () => {
    const customer = 'cus_deleted';
    expect(await payments.order({ customer, tier: 'basic', workspaceId, returnUrl })).toBeNull();
    expect(await payments.portal({ customer, returnUrl })).toBeNull();
    expect(await payments.subscriptionsOf(customer)).toEqual([]);
    const again = { ...person, replaced: customer };
    expect(await payments.portal({ customer: await payments.createCustomer(again), returnUrl })).not.toBeNull();
  });

  it('tell of a subscription whose price is no longer that of a plan, without a plan', async () => {
    const { customer, subscription } = await subscribed();
    const dearer = { ...prices, basic: 'price_basic_2' };
    const later = createStripePayments({ ...stripeSecrets, prices: dearer, api: emulator.api });
    const expected = { id: subscription, tier: null, status: 'active' };
    expect(await later.subscription(subscription)).toMatchObject(expected);
    expect(await later.subscriptionsOf(customer)).toMatchObject([expected]);
  });

  describe('read an event', () => {
    const event = (type: string, object: object) =>
      JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } });
    const read = (body: string, signature: string | null) => payments.readEvent(Buffer.from(body), signature);
    const signed = (body: string, age = { seconds: 0 }) =>
      signatureOf(body, { secret: webhookSecret, now: Temporal.Now.instant().subtract(age) });

    it.each([
      ['customer.subscription.updated', { object: 'subscription', id: 'sub_1' }],
      ['checkout.session.completed', { object: 'checkout.session', subscription: 'sub_1' }],
      ['invoice.paid', { object: 'invoice', parent: { subscription_details: { subscription: 'sub_1' } } }],
      ['invoice.paid', { object: 'invoice', parent: { subscription_details: { subscription: { id: 'sub_1' } } } }],
    ])('%s for the subscription that it is about', (type, object) => {
      const body = event(type, object);
      expect(read(body, signed(body))).toEqual({ id: 'evt_1', type, subscription: 'sub_1' });
    });

    it.each([
      ['invoice.paid', { object: 'invoice', parent: null }],
      ['customer.created', { object: 'customer' }],
      ['setup.unknown', {}],
    ])('%s that is about no subscription', (type, object) => {
      const body = event(type, object);
      expect(read(body, signed(body))).toMatchObject({ subscription: null });
    });

    it('only with a signature of this account that is at most five minutes old', () => {
      const body = event('invoice.paid', { object: 'invoice', parent: null });
      expect(read(body, signed(body, { seconds: 290 }))).toMatchObject({ id: 'evt_1' });
      const forged = signatureOf(body, { secret: 'whsec_2', now: Temporal.Now.instant() });
      for (const signature of [null, '', 't=1,v1=00', forged, signed(`${body} `), signed(body, { seconds: 310 })])
        expect(() => read(body, signature)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    });
  });
});
