import type { PaidTier, Tier } from '#contract/tiers.ts';
import type { Pool, PoolClient } from 'pg';
import type { SubscribedPlan, Subscription } from '#domain/subscription.ts';

type Executor = Pick<Pool | PoolClient, 'query'>;

/** The database's current time, which all processes share. */
export async function askedAt(db: Executor): Promise<string> {
  const { rows } = await db.query<{ at: string }>('select clock_timestamp() as at');
  return rows[0]?.at ?? '';
}

/** The database's current time, and whether this event was handled already. */
export async function beginEvent(db: Executor, eventId: string): Promise<{ at: string; is_handled: boolean }> {
  const { rows } = await db.query<{ at: string; is_handled: boolean }>(
    'select clock_timestamp() as at, exists (select from billing_events where id = $1) as is_handled',
    [eventId],
  );
  return rows[0] ?? { at: '', is_handled: false };
}

/** A workspace's plan, as it is stored. */
export type StoredPlan = Pick<SubscribedPlan, 'tier' | 'plan_ends_at'> & { status: string };

/** Locks and reads a workspace's plan. Null where the workspace is deleted. */
export async function lockPlan(db: Executor, workspaceId: string): Promise<StoredPlan | null> {
  const { rows } = await db.query<StoredPlan>(
    `select subscription_tier as tier, subscription_status as status, plan_ends_at from workspaces where id = $1 for no key update`,
    [workspaceId],
  );
  return rows[0] ?? null;
}

/**
 * Stores a subscription's state, unless a later answer was stored already. One whose price is no longer that of a plan keeps its plan, and one with a
 * failed payment keeps the time of the first failure.
 */
export async function storeSubscription(
  db: Executor,
  {
    workspaceId,
    subscription: of,
    askedAt: at,
  }: { workspaceId: string; subscription: Omit<Subscription, 'tier'> & { tier: Tier | null }; askedAt: string },
): Promise<void> {
  await db.query(
    `insert into subscriptions as s (id, workspace_id, customer_id, tier, status, current_period_end, cancels_at, failed_at, created_at, checked_at)
     select $1, $2, $3, tier, $5, $6, $7, $8, $9, $10
       from (select coalesce($4, (select tier from subscriptions where id = $1)) as tier) as given where tier is not null
     on conflict (id) do update
       set customer_id = excluded.customer_id, tier = excluded.tier, status = excluded.status,
           current_period_end = excluded.current_period_end, cancels_at = excluded.cancels_at, failed_at = case when excluded.failed_at is not null then least(s.failed_at, excluded.failed_at) end,
           checked_at = excluded.checked_at
     where s.checked_at <= excluded.checked_at and s.workspace_id = excluded.workspace_id`,
    [
      of.id,
      workspaceId,
      of.customer_id,
      of.tier,
      of.status,
      of.current_period_end,
      of.cancels_at,
      of.failed_at,
      of.created_at,
      at,
    ],
  );
}

/** Ends a subscription that the provider does not know, unless a later answer was stored. */
export async function endSubscription(db: Executor, { id, askedAt }: { id: string; askedAt: string }): Promise<void> {
  await db.query(
    `update subscriptions set status = 'canceled', cancels_at = least(cancels_at, $2), failed_at = null, checked_at = $2
      where id = $1 and checked_at <= $2 and status <> 'canceled'`,
    [id, askedAt],
  );
}

export async function workspaceOfSubscription(db: Executor, id: string): Promise<string | null> {
  const { rows } = await db.query<{ workspace_id: string }>('select workspace_id from subscriptions where id = $1', [
    id,
  ]);
  return rows[0]?.workspace_id ?? null;
}

/** The other subscriptions of a customer that had not ended, besides those in the provider's list. */
export async function otherLiveSubscriptions(
  db: Executor,
  { customer, listed }: { customer: string; listed: readonly string[] },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from subscriptions
      where customer_id = $1 and status not in ('canceled', 'incomplete_expired') and id <> all ($2::text[])`,
    [customer, listed],
  );
  return rows.map(({ id }) => id);
}

export async function subscriptionsOf(db: Executor, workspaceId: string): Promise<Subscription[]> {
  const { rows } = await db.query<Subscription>(
    `select id, customer_id, tier, status, created_at, current_period_end, cancels_at, failed_at
       from subscriptions where workspace_id = $1`,
    [workspaceId],
  );
  return rows;
}

/** Stores a workspace's plan, and announces it when it differs from before. */
export async function setPlan(
  db: Executor,
  { workspaceId, plan }: { workspaceId: string; plan: SubscribedPlan },
): Promise<void> {
  await db.query(
    `with changed as (
       update workspaces
          set subscription_tier = $2, subscription_status = $3, subscription_end_date = $4, plan_ends_at = $5
        where id = $1
          and (subscription_tier, subscription_status, subscription_end_date, plan_ends_at) is distinct from ($2, $3, $4::timestamptz, $5::timestamptz)
       returning id
     )
     select pg_notify('cuebird_changes', json_build_object('workspace', id, 'tables', json_build_array('workspaces'))::text) from changed`,
    [workspaceId, plan.tier, plan.status, plan.end_date, plan.plan_ends_at],
  );
}

export async function givePlan(
  db: Executor,
  { workspaceIds, tier }: { workspaceIds: readonly string[]; tier: PaidTier },
): Promise<void> {
  await db.query(
    `update workspaces w set subscription_tier = $2
      where w.id = any ($1::uuid[]) and w.subscription_tier = 'free' and not exists (select from subscriptions s where s.workspace_id = w.id)`,
    [workspaceIds, tier],
  );
}

export async function workspacesWhosePlanEnds(
  db: Executor,
  { now, limit }: { now: string; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from workspaces where plan_ends_at <= $1 order by plan_ends_at, id limit $2',
    [now, limit],
  );
  return rows.map(({ id }) => id);
}

/** Subscriptions that still renew, of deleted workspaces or of payers without an account. */
export async function subscriptionsOfNobody(db: Executor, { limit }: { limit: number }): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select s.id
       from subscriptions s join workspaces w on w.id = s.workspace_id
      where s.status in ('active', 'trialing', 'past_due', 'unpaid') and s.cancels_at is null
        and (w.delete_after is not null or not exists (select from billing_customers c where c.customer_id = s.customer_id))
      order by s.id limit $1`,
    [limit],
  );
  return rows.map(({ id }) => id);
}

export async function markHandled(
  db: Executor,
  { id, type, now }: { id: string; type: string; now: string },
): Promise<void> {
  await db.query('insert into billing_events (id, type, received_at) values ($1, $2, $3) on conflict (id) do nothing', [
    id,
    type,
    now,
  ]);
}
