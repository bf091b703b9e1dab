import { type ClientBase, Pool, type PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentEvent, Payments, ProvidedSubscription } from '#features/billing/payments.ts';
import { type BillingPorts, handleEvent } from '#features/billing/subscriptions.service.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { createRandom } from '#simulation/random.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { sample } from '#testing/sample.ts';

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

/** Of each of the 729 multisets; a sample takes one order of a hundred of them. */
const ordersEach = 20;
/** All of them take minutes. */
const timeout = sample.takesAll ? 40 * 60_000 : 60_000;

describe('events of the payment provider', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let opened: Database;
  let owner: Pool;
  beforeAll(async () => {
    database = await createTestDatabase();
    opened = openDatabase(database.url, { encryptionKey: TEST_ENCRYPTION_KEY });
    owner = new Pool({ connectionString: database.url, max: 6 });
    // Its connections may still be closing when the database goes.
    owner.on('error', () => {});
  });
  afterAll(async () => {
    await owner.end();
    await opened.close();
    await database.drop();
  });

  /** Delivers the events in this order, two at once, to a workspace of their own, while the provider goes on. @returns its plan */
  async function deliver(order: readonly number[]): Promise<unknown> {
    const workspaceId = await newWorkspace();
    let reached = -1;
    for (let at = 0; at < order.length; at += 2) {
      const both = order.slice(at, at + 2);
      // An event comes after what it tells of.
      reached = Math.max(reached, ...both);
      const ports = portsOf(workspaceId, { pool: opened.engine, reached });
      await Promise.all(both.map((index) => handleEvent(ports, eventOf(index, workspaceId))));
    }
    return planOf(owner, workspaceId);
  }

  async function newWorkspace(): Promise<string> {
    const { rows } = await owner.query<{ id: string }>(
      "insert into workspaces (name, slug) values ('Elm Street', gen_random_uuid()) returning id",
    );
    return rows[0]?.id ?? '';
  }

  /** @param options.reached the last of the states that the provider has reached */
  function portsOf(workspaceId: string, { pool, reached }: { pool: Pool; reached: number }): BillingPorts {
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
      ...states[reached]?.state,
    };
    const payments = { subscription: async () => subscription } as Partial<Payments> as Payments;
    return { pool, payments, now: () => now };
  }

  const eventOf = (index: number, workspaceId: string): PaymentEvent => ({
    id: `evt_${workspaceId}_${index}`,
    type: states[index]?.type ?? '',
    subscription: `sub_${workspaceId}`,
  });

  it('lead to the same plan in whatever order', async () => {
    const workspaceId = await newWorkspace();
    const client = await opened.engine.connect();
    const ends: unknown[] = [];
    const begins = sample.draw([...states.keys()], { name: 'first of the payment events', count: 1 });
    /** Orders that begin alike share what they begin with: each goes on from a savepoint. */
    async function goOn(done: readonly number[]): Promise<void> {
      const rest = states.flatMap((_, index) => (done.includes(index) ? [] : [index]));
      if (rest.length === 0) ends.push(await planOf(client, workspaceId));
      for (const next of done.length === 0 ? begins : rest) {
        await client.query(`savepoint after_${done.length}`);
        const ports = portsOf(workspaceId, { pool: inOneTransaction(client), reached: Math.max(...done, next) });
        await handleEvent(ports, eventOf(next, workspaceId));
        await goOn([...done, next]);
        await client.query(`rollback to savepoint after_${done.length}`);
      }
    }
    await client.query('begin');
    await goOn([]);
    await client.query('rollback');
    client.release();
    expect(ends).toHaveLength(begins.length * 120);
    for (const plan of ends) expect(plan).toEqual(expected.at(-1));
  });

  it('lead to what the provider says, where some are missing, repeated, late and handled at once', {
    timeout,
  }, async () => {
    const random = createRandom(sample.numberFor('orders of payment events'));
    const all = multisets(states.length);
    expect(all).toHaveLength(729);
    const orders = sample.takesAll
      ? all.flatMap((counts) => Array.from({ length: ordersEach }, () => random.shuffled(counts)))
      : random.shuffled(all.map((counts) => random.shuffled(counts))).slice(0, 100);
    const plans = await inBatches(orders, deliver);
    expect(plans).toHaveLength(sample.takesAll ? 729 * ordersEach : 100);
    for (const [at, plan] of plans.entries()) expect(plan).toEqual(expected[Math.max(...(orders[at] ?? []))] ?? untold);
  });
});

async function planOf(db: Pick<ClientBase | Pool, 'query'>, workspaceId: string): Promise<unknown> {
  const { rows } = await db.query(
    'select subscription_tier as tier, subscription_status as status from workspaces where id = $1',
    [workspaceId],
  );
  return rows[0];
}

/** A pool of one connection, whose transactions are parts of one that is open already. */
function inOneTransaction(client: PoolClient): Pool {
  const query = (text: string, values?: unknown[]) =>
    text === 'begin' || text === 'commit' ? Promise.resolve() : client.query(text, values);
  return { query, connect: async () => ({ query, release: () => undefined }) } as Partial<Pool> as Pool;
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
