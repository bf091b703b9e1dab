import type { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Payments, ProvidedSubscription } from '#features/billing/payments.ts';
import { type PlanWatch, startPlanWatch } from '#features/billing/plan-ends.service.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { Unavailable } from '#platform/errors.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';
import { createVirtualClock, type VirtualClock } from '#testing/virtual-clock.ts';

describe('the watch over plans', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let opened: Database;
  let owner: Client;
  let clock: VirtualClock;
  let watch: PlanWatch;
  let workspace: string;
  let dana: string;
  let known: ProvidedSubscription[];
  let asked: string[];
  let cancelled: string[];
  beforeAll(async () => {
    database = await createTestDatabase();
    opened = openDatabase(database.url, { encryptionKey: TEST_ENCRYPTION_KEY });
    owner = await connectOwner(database.url);
  });
  afterAll(async () => {
    await owner.end();
    await opened.close();
    await database.drop();
  });
  beforeEach(async () => {
    clock = createVirtualClock('2026-03-10T12:00:00Z');
    [known, asked, cancelled] = [[], [], []];
    await owner.query('truncate workspaces, profiles, subscriptions cascade');
    const made = await owner.query(
      `with person as (insert into profiles (email, full_name) values ('dana@example.com', 'Dana') returning id),
            workspace as (insert into workspaces (name, slug) values ('Elm Street', 'elm') returning id)
       insert into workspace_members (workspace_id, user_id, role) select w.id, p.id, 'owner' from person p, workspace w
       returning workspace_id, user_id`,
    );
    [workspace, dana] = [made.rows[0].workspace_id, made.rows[0].user_id];
  });
  afterEach(() => watch.stop());

  const subscription = (changes: Partial<ProvidedSubscription> = {}): ProvidedSubscription => ({
    id: 'sub_1',
    workspace_id: workspace,
    customer_id: 'cus_dana',
    tier: 'premium',
    status: 'active',
    created_at: '2026-02-10T00:00:00Z',
    current_period_end: '2026-04-10T00:00:00Z',
    cancels_at: null,
    failed_at: null,
    ...changes,
  });

  async function start(): Promise<void> {
    const payments = {
      async subscriptionsOf(customer: string) {
        asked.push(customer);
        if (customer.startsWith('cus_refused'))
          throw new Unavailable('The payment provider did not answer as expected');
        return known.filter(({ customer_id: of }) => of === customer);
      },
      subscription: async (id: string) => known.find((one) => one.id === id) ?? null,
      async cancelAtPeriodEnd(id: string) {
        cancelled.push(id);
        known = known.map((one) => (one.id === id ? { ...one, cancels_at: one.current_period_end } : one));
      },
    } as Partial<Payments> as Payments;
    const log = createLog('silent');
    watch = startPlanWatch({ clock, log, pool: opened.engine, payments, now: clock.now });
    await clock.untilAsleep(1);
  }

  async function pass(duration: Temporal.DurationLike): Promise<void> {
    clock.advance(duration);
    await clock.untilAsleep(1);
  }

  const keepCustomer = (id: string, { checkedAt, of = dana }: { checkedAt: string; of?: string }) =>
    owner.query(
      'insert into billing_customers (user_id, customer_id, created_at, checked_at) values ($1, $2, $3, $3)',
      [of, id, checkedAt],
    );

  const keepSubscription = ({ id, customer_id, tier, status, cancels_at, failed_at }: ProvidedSubscription) =>
    owner.query(
      `with plan as (update workspaces set subscription_tier = $4, plan_ends_at = $7 where id = $2)
       insert into subscriptions (id, workspace_id, customer_id, tier, status, cancels_at, failed_at, created_at, checked_at)
       values ($1, $2, $3, $4, $5, $6, $8, '2026-02-10Z', '2026-02-10Z')`,
      [id, workspace, customer_id, tier, status, cancels_at, cancels_at ?? sevenDaysAfter(failed_at), failed_at],
    );
  const sevenDaysAfter = (at: string | null) =>
    at === null
      ? null
      : Temporal.Instant.from(at)
          .add({ hours: 24 * 7 })
          .toString();

  const plan = async () =>
    (await owner.query('select subscription_tier as tier, subscription_status as status from workspaces')).rows[0];

  const acts = async () =>
    (await owner.query('select action, details from audit_log where workspace_id = $1 order by id', [workspace])).rows;

  it('ends a plan seven days after its payment failed, and not before', async () => {
    await keepCustomer('cus_dana', { checkedAt: '2026-03-10T11:00:00Z' });
    await keepSubscription(subscription({ status: 'past_due', failed_at: '2026-03-03T12:02:00Z' }));
    await start();
    expect(await plan()).toMatchObject({ tier: 'premium' });
    await pass({ minutes: 1 });
    expect(await plan()).toMatchObject({ tier: 'premium' });
    await pass({ minutes: 1 });
    expect(await plan()).toEqual({ tier: 'free', status: 'past_due' });
  });

  it('ends a plan that was cancelled with its period', async () => {
    await keepSubscription(subscription({ cancels_at: '2026-03-10T12:00:30Z' }));
    await start();
    expect(await plan()).toMatchObject({ tier: 'premium' });
    await pass({ minutes: 1 });
    expect(await plan()).toEqual({ tier: 'free', status: 'canceled' });
  });

  it('asks once a day for the subscriptions of each customer, and so finds what no event told', async () => {
    await keepCustomer('cus_dana', { checkedAt: '2026-03-09T12:30:00Z' });
    known = [subscription()];
    await start();
    expect(asked).toEqual([]);
    await pass({ minutes: 31 });
    expect([asked, await plan()]).toEqual([['cus_dana'], { tier: 'premium', status: 'active' }]);
    await pass({ hours: 23 });
    expect(asked).toEqual(['cus_dana']);
    known = [subscription({ status: 'canceled', cancels_at: '2026-03-11T00:00:00Z' })];
    await pass({ hours: 2 });
    expect([asked.length, await plan()]).toEqual([2, { tier: 'free', status: 'canceled' }]);
  });

  it('asks for the others where the provider refuses one', async () => {
    const other = await owner.query(
      "insert into profiles (email, full_name) values ('x@example.com', 'X') returning id",
    );
    await keepCustomer('cus_refused', { checkedAt: '2026-03-01T00:00:00Z', of: other.rows[0].id });
    await keepCustomer('cus_dana', { checkedAt: '2026-03-02T00:00:00Z' });
    known = [subscription()];
    await start();
    expect(await plan()).toMatchObject({ tier: 'premium' });
  });

  it.each([
    ['whose workspace is being deleted', "update workspaces set delete_after = now() + interval '7 days'"],
    ['whose payer has no account any more', 'delete from billing_customers'],
  ])('cancels a subscription %s, at the end of its period', async (_, change) => {
    await keepCustomer('cus_dana', { checkedAt: '2026-03-10T11:00:00Z' });
    known = [subscription()];
    await keepSubscription(subscription());
    await owner.query(change);
    await start();
    expect(known[0]?.cancels_at).toBe('2026-04-10T00:00:00Z');
    const { rows } = await owner.query('select cancels_at from subscriptions');
    expect(Temporal.Instant.from(rows[0].cancels_at.replace(' ', 'T')).toString()).toBe('2026-04-10T00:00:00Z');
    await pass({ minutes: 1 });
    expect(cancelled).toEqual(['sub_1']);
  });

  it('ends a subscription that the provider does not know, and records it', async () => {
    await keepCustomer('cus_dana', { checkedAt: '2026-03-01T00:00:00Z' });
    await keepSubscription(subscription());
    await start();
    expect(await plan()).toEqual({ tier: 'free', status: 'canceled' });
    expect(await acts()).toEqual([{ action: 'billing.plan_ended', details: { plan: 'Premium' } }]);
    await owner.query('delete from billing_customers');
    await pass({ minutes: 1 });
    expect(cancelled).toEqual([]);
  });

  it('keeps the plan of a subscription whose price was replaced, as long as it is paid', async () => {
    await keepCustomer('cus_dana', { checkedAt: '2026-03-01T00:00:00Z' });
    await keepSubscription(subscription());
    known = [subscription({ tier: null, cancels_at: '2026-03-10T12:00:30Z' })];
    await start();
    expect(await plan()).toEqual({ tier: 'premium', status: 'active' });
    await pass({ minutes: 1 });
    expect(await plan()).toEqual({ tier: 'free', status: 'canceled' });
  });

  it('counts the days of grace from the first failure, whatever is invoiced meanwhile', async () => {
    await keepCustomer('cus_dana', { checkedAt: '2026-03-01T00:00:00Z' });
    await keepSubscription(subscription({ status: 'past_due', failed_at: '2026-03-03T12:00:30Z' }));
    known = [subscription({ status: 'past_due', failed_at: '2026-03-10T11:00:00Z' })];
    await start();
    expect(await plan()).toEqual({ tier: 'premium', status: 'past_due' });
    await pass({ minutes: 1 });
    expect(await plan()).toEqual({ tier: 'free', status: 'past_due' });
    expect((await acts()).at(-1)).toEqual({ action: 'billing.plan_unpaid', details: { plan: 'Premium' } });
  });

  it('asks again in the next minute where the provider has refused three in a row', async () => {
    for (let n = 1; n <= 5; n += 1) {
      const { rows } = await owner.query('insert into profiles (email, full_name) values ($1, $1) returning id', [
        `${n}@example.com`,
      ]);
      await keepCustomer(`cus_refused_${n}`, { checkedAt: `2026-03-0${n}T00:00:00Z`, of: rows[0].id });
    }
    await start();
    expect(asked).toEqual(['cus_refused_1', 'cus_refused_2', 'cus_refused_3']);
    await pass({ minutes: 1 });
    expect(asked.slice(3)).toEqual(['cus_refused_4', 'cus_refused_5']);
  });
});
