import type { PaidTier } from '#contract/tiers.ts';
import type { Pool, PoolClient } from 'pg';
import { planBy } from '#domain/subscription.ts';
import { planAct } from '#domain/plan-acts.ts';
import * as customers from '#features/billing/customers.db.ts';
import type { PaymentEvent, Payments, ProvidedSubscription } from '#features/billing/payments.ts';
import * as rows from '#features/billing/subscriptions.db.ts';
import { recordSystemAct } from '#platform/audit.ts';
import { inTransaction } from '#platform/transaction.ts';

export type BillingPorts = {
  /** Connected as the role cuebird_engine, since requests cannot write a plan. */
  pool: Pool;
  payments: Payments;
  now: () => Temporal.Instant;
};

/**
 * Handles an event of the provider. Only its subscription's id is used, whose state is then asked for: so events may come late, twice and in any
 * order. It counts as handled once that has succeeded; until then the provider repeats it.
 */
export async function handleEvent(ports: BillingPorts, event: PaymentEvent): Promise<void> {
  const { pool, now } = ports;
  const { at: askedAt, is_handled: isHandled } = await rows.beginEvent(pool, event.id);
  if (isHandled) return;
  if (event.subscription !== null) await askFor(ports, { id: event.subscription, askedAt });
  await rows.markHandled(pool, { id: event.id, type: event.type, now: now().toString() });
}

/** Asks the provider for the subscriptions of everybody who owns the workspace or pays for it. */
export async function checkWorkspace(ports: BillingPorts, workspaceId: string): Promise<void> {
  for (const customer of await customers.customersOfWorkspace(ports.pool, workspaceId))
    await checkCustomer(ports, customer);
  await settle(ports, workspaceId);
}

/** Asks the provider for all subscriptions of a customer, and by id for those stored ones that its list lacks. */
export async function checkCustomer(ports: BillingPorts, customer: string): Promise<void> {
  const askedAt = await rows.askedAt(ports.pool);
  const found = await ports.payments.subscriptionsOf(customer);
  for (const one of found) await apply(ports, { found: one, askedAt });
  const listed = found.map(({ id }) => id);
  for (const id of await rows.otherLiveSubscriptions(ports.pool, { customer, listed }))
    await checkSubscription(ports, id);
}

/** Asks the provider for one subscription. Null where the provider does not know it, and so it has ended. */
export const checkSubscription = async (ports: BillingPorts, id: string): Promise<ProvidedSubscription | null> =>
  askFor(ports, { id, askedAt: await rows.askedAt(ports.pool) });

/** Gives the workspace the plan that its subscriptions mean now. Without any it keeps the plan that it was given. */
export const settle = ({ pool, now }: Pick<BillingPorts, 'pool' | 'now'>, workspaceId: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    const before = await rows.lockPlan(client, workspaceId);
    if (before !== null) await settleIn(client, { workspaceId, before, now: now() });
  });

/** Gives workspaces that never had a subscription a plan that nobody pays for. */
export const givePlan = (pool: Pool, of: { workspaceIds: readonly string[]; tier: PaidTier }): Promise<void> =>
  rows.givePlan(pool, of);

async function askFor(
  ports: BillingPorts,
  { id, askedAt }: { id: string; askedAt: string },
): Promise<ProvidedSubscription | null> {
  const found = await ports.payments.subscription(id);
  if (found === null) await endUnknown(ports, { id, askedAt });
  else await apply(ports, { found, askedAt });
  return found;
}

async function apply(
  { pool, now }: BillingPorts,
  { found, askedAt }: { found: ProvidedSubscription; askedAt: string },
): Promise<void> {
  const { workspace_id: workspaceId, ...subscription } = found;
  // The subscription was ordered elsewhere, or its workspace is deleted.
  if (workspaceId === null || !isUuid(workspaceId)) return;
  await inTransaction(pool, async (client) => {
    const before = await rows.lockPlan(client, workspaceId);
    if (before === null) return;
    await rows.storeSubscription(client, { workspaceId, subscription, askedAt });
    await settleIn(client, { workspaceId, before, now: now() });
  });
}

/** Ends a subscription that the provider does not know, such as one of another account of it or of its test mode. */
async function endUnknown(
  { pool, now }: BillingPorts,
  { id, askedAt }: { id: string; askedAt: string },
): Promise<void> {
  const workspaceId = await rows.workspaceOfSubscription(pool, id);
  if (workspaceId === null) return;
  await inTransaction(pool, async (client) => {
    const before = await rows.lockPlan(client, workspaceId);
    if (before === null) return;
    await rows.endSubscription(client, { id, askedAt });
    await settleIn(client, { workspaceId, before, now: now() });
  });
}

/** Stores the plan that the subscriptions mean now. `before` is the plan of the workspace, whose row is locked. */
async function settleIn(
  client: PoolClient,
  { workspaceId, before, now }: { workspaceId: string; before: rows.StoredPlan; now: Temporal.Instant },
): Promise<void> {
  const known = await rows.subscriptionsOf(client, workspaceId);
  if (known.length === 0) return;
  const plan = planBy(known, now);
  await rows.setPlan(client, { workspaceId, plan });
  const act = planAct(before, plan);
  if (act !== null) await recordSystemAct(client, { ...act, workspaceId, target: workspaceId, now });
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
