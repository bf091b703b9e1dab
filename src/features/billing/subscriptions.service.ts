import type { PaidTier } from '#contract/tiers.ts';
import type { Pool } from 'pg';
import { planBy } from '#domain/subscription.ts';
import * as customers from '#features/billing/customers.db.ts';
import type { PaymentEvent, Payments, ProvidedSubscription } from '#features/billing/payments.ts';
import * as rows from '#features/billing/subscriptions.db.ts';
import { inTransaction } from '#platform/transaction.ts';

export type BillingPorts = {
  /** Of the role cuebird_engine: requests cannot write a plan. */
  pool: Pool;
  payments: Payments;
  now: () => Temporal.Instant;
};

/**
 * Handles an event of the provider. What it says is not believed: it names a subscription, whose state is asked for. So events may come
 * late, twice and in any order. An event counts as handled once that has succeeded; the provider repeats it otherwise.
 */
export async function handleEvent(ports: BillingPorts, event: PaymentEvent): Promise<void> {
  const { pool, payments, now } = ports;
  const { at: askedAt, is_handled: isHandled } = await rows.beginEvent(pool, event.id);
  if (isHandled) return;
  if (event.subscription !== null) {
    const found = await payments.subscription(event.subscription);
    if (found !== null) await apply(ports, { found: [found], askedAt });
  }
  await rows.markHandled(pool, { id: event.id, type: event.type, now: now().toString() });
}

/** Asks for the subscriptions of everybody who owns the workspace or pays for it. */
export async function checkWorkspace(ports: BillingPorts, workspaceId: string): Promise<void> {
  for (const customer of await customers.customersOfWorkspace(ports.pool, workspaceId))
    await checkCustomer(ports, customer);
  await settle(ports, workspaceId);
}

export async function checkCustomer(ports: BillingPorts, customer: string): Promise<void> {
  const askedAt = await rows.askedAt(ports.pool);
  await apply(ports, { found: await ports.payments.subscriptionsOf(customer), askedAt });
}

/** Gives the workspace the plan of its subscriptions as they are known, by now. Without one it keeps what it was given. */
export const settle = ({ pool, now }: Pick<BillingPorts, 'pool' | 'now'>, workspaceId: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    if (!(await rows.lockWorkspace(client, workspaceId))) return;
    const known = await rows.subscriptionsOf(client, workspaceId);
    if (known.length === 0) return;
    await rows.setPlan(client, { workspaceId, plan: planBy(known, now()) });
  });

/** Gives workspaces that never had a subscription a plan that nobody pays for. */
export const givePlan = (pool: Pool, of: { workspaceIds: readonly string[]; tier: PaidTier }): Promise<void> =>
  rows.givePlan(pool, of);

async function apply(
  { pool, now }: BillingPorts,
  { found, askedAt }: { found: readonly ProvidedSubscription[]; askedAt: string },
): Promise<void> {
  for (const { workspace_id: workspaceId, ...subscription } of found) {
    // Ordered elsewhere, or for a workspace that is gone.
    if (workspaceId === null || !isUuid(workspaceId)) continue;
    await inTransaction(pool, async (client) => {
      if (!(await rows.lockWorkspace(client, workspaceId))) return;
      await rows.storeSubscription(client, { workspaceId, subscription, askedAt });
      const plan = planBy(await rows.subscriptionsOf(client, workspaceId), now());
      await rows.setPlan(client, { workspaceId, plan });
    });
  }
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
