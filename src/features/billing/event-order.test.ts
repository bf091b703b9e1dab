import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentEvent, Payments, ProvidedSubscription } from '#features/billing/payments.ts';
import { type BillingPorts, handleEvent } from '#features/billing/subscriptions.service.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { createRandom } from '#simulation/random.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { connectOwner } from '#testing/owner.ts';

const now = Temporal.Instant.from('2026-03-10T12:00:00Z');

/** What the provider says after each of the six events, in the order in which they happened there. */
const states: { type: string; state: Partial<ProvidedSubscription> }[] = [
  { type: 'checkout.session.completed', state: { status: 'incomplete', tier: 'basic' } },
  { type: 'customer.subscription.created', state: { status: 'active', tier: 'basic' } },
  { type: 'invoice.paid', state: { status: 'active', tier: 'basic', current_period_end: '2026-04-01T00:00:00Z' } },
  { type: 'customer.subscription.updated', state: { status: 'active', tier: 'premium' } },
  { type: 'invoice.payment_failed', state: { status: 'past_due', tier: 'premium', failed_at: '2026-03-09T00:00:00Z' } },
  { type: 'customer.subscription.deleted', state: { status: 'canceled', tier: 'premium' } },
];

/** What the workspace has when the provider has reached that state; null where it was never told of. */
const expected = [
  { tier: 'free', status: 'incomplete' },
  { tier: 'basic', status: 'active' },
  { tier: 'basic', status: 'active' },
  { tier: 'premium', status: 'active' },
  { tier: 'premium', status: 'past_due' },
  { tier: 'free', status: 'canceled' },
];
const untold = { tier: 'free', status: 'active' };

describe('events of the payment provider', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let opened: Database;
  let owner: Client;
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

  /** Delivers the events in this order, some at once, to a workspace of their own, while the provider goes on. @returns its plan */
  async function deliver(order: readonly number[], { atOnce }: { atOnce: number }): Promise<unknown> {
    const { rows } = await owner.query<{ id: string }>(
      "insert into workspaces (name, slug) values ('Elm Street', gen_random_uuid()) returning id",
    );
    const workspaceId = rows[0]?.id ?? '';
    const subscription: ProvidedSubscription = {
      id: `sub_${workspaceId}`,
      workspace_id: workspaceId,
      customer_id: 'cus_1',
      tier: 'basic',
      status: 'active',
      created_at: '2026-03-01T00:00:00Z',
      current_period_end: null,
      cancels_at: null,
      failed_at: null,
    };
    let reached = -1;
    const payments = {
      subscription: async () => ({ ...subscription, ...states[reached]?.state }),
    } as Partial<Payments> as Payments;
    const ports: BillingPorts = { pool: opened.engine, payments, now: () => now };
    for (let at = 0; at < order.length; at += atOnce) {
      const batch = order.slice(at, at + atOnce);
      // An event comes after what it tells of.
      reached = Math.max(reached, ...batch);
      await Promise.all(batch.map((index) => handleEvent(ports, eventOf(index, workspaceId))));
    }
    const { rows: plans } = await owner.query(
      'select subscription_tier as tier, subscription_status as status from workspaces where id = $1',
      [workspaceId],
    );
    return plans[0];
  }

  const eventOf = (index: number, workspaceId: string): PaymentEvent => ({
    id: `evt_${workspaceId}_${index}`,
    type: states[index]?.type ?? '',
    subscription: `sub_${workspaceId}`,
  });

  it('lead to the same plan in each of their 720 orders', async () => {
    const orders = permutations(states.map((_, index) => index));
    expect(orders).toHaveLength(720);
    const plans = await inBatches(orders, (order) => deliver(order, { atOnce: 1 }));
    for (const plan of plans) expect(plan).toEqual(expected.at(-1));
  });

  it('lead to what the provider says, where some are missing, repeated, late and handled at once', async () => {
    const random = createRandom(7);
    const orders = multisets(states.length).flatMap((counts) =>
      Array.from({ length: ordersEach }, () => random.shuffled(counts)),
    );
    const plans = await inBatches(orders, (order) => deliver(order, { atOnce: 2 }));
    expect(plans).toHaveLength(729 * ordersEach);
    for (const [at, plan] of plans.entries()) expect(plan).toEqual(expected[Math.max(...(orders[at] ?? []))] ?? untold);
  });
});

/** Orders of each of the 729 multisets; twenty of each take minutes. */
const ordersEach = Number(process.env.EVENT_ORDERS ?? 1);

function permutations(of: readonly number[]): number[][] {
  if (of.length === 0) return [[]];
  return of.flatMap((first) => permutations(of.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}

/** Each of `count` things not at all, once or twice. */
const multisets = (count: number): number[][] =>
  Array.from({ length: 3 ** count }, (_, code) =>
    Array.from({ length: count }, (__, index) => index).flatMap((index) =>
      Array<number>(Math.floor(code / 3 ** index) % 3).fill(index),
    ),
  );

/** Six at a time. */
async function inBatches<T, R>(of: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < of.length; at += 6) done.push(...(await Promise.all(of.slice(at, at + 6).map(work))));
  return done;
}
