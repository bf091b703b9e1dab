import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember } from '#testing/owner.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';

describe('billing, paid in the sandbox', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird({ env: { BILLING: 'sandbox' } });
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const order = (tier: string) =>
    dana.call('POST', '/api/billing/create-checkout', {
      workspace,
      body: { priceId: `price_sandbox_${tier}`, workspaceId: workspace },
    });
  const pageOf = (url: string) => `/api/sandbox-payments/${url.split('/').at(-1)}`;
  const act = (page: string, body: object) => dana.call('POST', page, { body });
  const portal = async () => pageOf((await dana.call('POST', '/api/billing/customer-portal')).json.url);
  const billing = async () => (await dana.call('GET', '/api/billing', { workspace })).json;
  /** Waits for the events that the payment page has sent. */
  const until = (expected: object) => expect.poll(billing).toMatchObject(expected);

  it('subscribes to a plan, by the events of the provider alone', async () => {
    expect(await billing()).toMatchObject({ mode: 'sandbox', tier: 'free', status: 'active', end_date: null });
    const { json } = await order('basic');
    const page = pageOf(json.url);
    expect((await dana.call('GET', page)).json).toMatchObject({
      kind: 'order',
      tier: 'basic',
      is_done: false,
      email: dana.email,
    });
    expect((await act(page, { act: 'pay' })).json).toMatchObject({ is_done: true });
    await until({ tier: 'basic', status: 'active', ends: false });
  });

  it('changes to another plan, and refuses the one it has', async () => {
    expect((await order('basic')).json.error.message).toBe('The workspace has this plan already');
    const page = pageOf((await order('premium')).json.url);
    expect((await dana.call('GET', page)).json).toMatchObject({ kind: 'change', tier: 'premium' });
    await act(page, { act: 'pay' });
    await until({ tier: 'premium', status: 'active' });
    expect((await dana.call('GET', '/api/billing/invoices', { workspace })).json.data).toMatchObject([
      { status: 'paid', total: 1000 },
      { status: 'paid', total: 900 },
    ]);
  });

  it('keeps the plan while a payment is due, and says until when', async () => {
    const page = await portal();
    const { subscriptions } = (await dana.call('GET', page)).json;
    await act(page, { act: 'fail_payment', subscription: subscriptions[0].id });
    await until({ tier: 'premium', status: 'past_due', ends: true });
    // What is due is paid before the plan is changed.
    const other = pageOf((await order('enterprise')).json.url);
    expect((await dana.call('GET', other)).json).toMatchObject({ kind: 'portal' });
    const pay = pageOf((await order('premium')).json.url);
    expect((await dana.call('GET', pay)).json).toMatchObject({
      kind: 'portal',
      invoices: [{ status: 'open' }, {}, {}],
    });
    await act(page, { act: 'pay_invoice', subscription: subscriptions[0].id });
    await until({ tier: 'premium', status: 'active', ends: false });
  });

  it('keeps the plan to the end of the period after a cancellation, and is Free when the subscription ends', async () => {
    const page = await portal();
    const { subscriptions } = (await dana.call('GET', page)).json;
    await act(page, { act: 'cancel', subscription: subscriptions[0].id });
    await until({ tier: 'premium', ends: true });
    await act(page, { act: 'resume', subscription: subscriptions[0].id });
    await until({ tier: 'premium', ends: false });
    await act(page, { act: 'end_now', subscription: subscriptions[0].id });
    await until({ tier: 'free', status: 'canceled', end_date: null });
  });

  it('is told by the audit log of the workspace', async () => {
    const { rows } = await cuebird.owner.query(
      "select action, actor_kind, details ->> 'to' as plan from audit_log where workspace_id = $1 and kind = 'billing' order by id",
      [workspace],
    );
    expect(rows.map(({ action, plan }) => (plan === null ? action : `${action} ${plan}`))).toEqual([
      'billing.plan_changed Basic',
      'billing.plan_changed Premium',
      'billing.payment_failed',
      'billing.plan_continued',
      'billing.plan_cancelled',
      'billing.plan_continued',
      'billing.plan_ended',
    ]);
    expect(new Set(rows.map(({ actor_kind }) => actor_kind))).toEqual(new Set(['system']));
  });

  it('goes on with a new customer where the provider has deleted theirs, without what that one had', async () => {
    await act(pageOf((await order('basic')).json.url), { act: 'pay' });
    await until({ tier: 'basic' });
    await cuebird.owner.query('delete from sandbox_payments');
    const { json } = await dana.call('POST', '/api/billing/check-subscription', {
      workspace,
      body: { workspaceId: workspace },
    });
    expect(json).toMatchObject({ tier: 'free', status: 'canceled' });
    expect((await dana.call('GET', await portal())).json).toMatchObject({ subscriptions: [], email: dana.email });
    await act(pageOf((await order('premium')).json.url), { act: 'pay' });
    await until({ tier: 'premium' });
  });

  it('charges one of two owners who order and pay at the same moment', async () => {
    const eve = await cuebird.signUp('Eve');
    const shared = await dana.createWorkspace('Mill Road');
    await addMember(cuebird.owner, { workspace: shared, userId: eve.userId, role: 'owner' });
    const body = { priceId: 'price_sandbox_basic', workspaceId: shared };
    const orderAs = (person: TestPerson) =>
      person.call('POST', '/api/billing/create-checkout', { workspace: shared, body });
    // One after the other each gets a page, of which only the last can be paid.
    const pages = [
      { of: dana, url: (await orderAs(dana)).json.url },
      { of: eve, url: (await orderAs(eve)).json.url },
    ];
    const orders = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const of = n % 2 === 0 ? dana : eve;
        const { status, json } = await orderAs(of);
        return { of, status, url: json.url };
      }),
    );
    expect(orders.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const opened = [...pages, ...orders.filter(({ status }) => status === 200)];
    const paid = await Promise.all(
      opened.map(async ({ of, url }) => (await of.call('POST', pageOf(url), { body: { act: 'pay' } })).status),
    );
    expect(paid.filter((status) => status === 200)).toHaveLength(1);
    const billingOf = async () => (await dana.call('GET', '/api/billing', { workspace: shared })).json;
    await expect.poll(billingOf).toMatchObject({ tier: 'basic', status: 'active' });
    for (const person of [dana, eve])
      expect((await orderAs(person)).json.error.message).toMatch(/has this plan already|Somebody else pays/);
    const { rows } = await cuebird.owner.query('select from subscriptions where workspace_id = $1', [shared]);
    expect(rows).toHaveLength(1);
    expect((await dana.call('GET', '/api/billing/invoices', { workspace: shared })).json.data).toMatchObject([
      { status: 'paid', total: 900 },
    ]);
  });

  it('shows the pages of a customer to nobody else', async () => {
    const finn = await cuebird.signUp('Finn');
    const page = await portal();
    expect((await finn.call('GET', page)).status).toBe(404);
    expect((await finn.call('POST', page, { body: { act: 'pay' } })).status).toBe(404);
  });

  it('refuses an event whose signature is missing, forged or old', async () => {
    const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'invoice.paid', data: { object: {} } });
    const send = (signature?: string) =>
      fetch(`${cuebird.url}/api/billing/webhook`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...(signature && { 'stripe-signature': signature }) },
      });
    const at = Math.floor(Date.now() / 1_000);
    const forged = createHmac('sha256', 'whsec_wrong').update(`${at}.${body}`).digest('hex');
    for (const signature of [undefined, 't=1,v1=00', `t=${at},v1=${forged}`]) {
      const answer = await send(signature);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ error: { code: 'invalid_request' } });
    }
  });
});
