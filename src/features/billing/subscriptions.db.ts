import type { PaidTier } from '#contract/tiers.ts';
import type { Pool, PoolClient } from 'pg';
import type { SubscribedPlan, Subscription } from '#domain/subscription.ts';

type Executor = Pick<Pool | PoolClient, 'query'>;

/** The database's time, which all processes share. */
export async function askedAt(db: Executor): Promise<string> {
  const { rows } = await db.query<{ at: string }>('select clock_timestamp() as at');
  return rows[0]?.at ?? '';
}

/** The same, and whether an event was handled. */
export async function beginEvent(db: Executor, eventId: string): Promise<{ at: string; is_handled: boolean }> {
  const { rows } = await db.query<{ at: string; is_handled: boolean }>(
    'select clock_timestamp() as at, exists (select from billing_events where id = $1) as is_handled',
    [eventId],
  );
  return rows[0] ?? { at: '', is_handled: false };
}

/** False where the workspace is gone. Changes of its plan wait for each other from here on. */
export async function lockWorkspace(db: Executor, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select from workspaces where id = $1 for no key update', [id]);
  return rowCount === 1;
}

/** Keeps what was asked for last: of two answers the one to the later question is newer than any change before it. */
export async function storeSubscription(
  db: Executor,
  { workspaceId, subscription: of, askedAt: at }: { workspaceId: string; subscription: Subscription; askedAt: string },
): Promise<void> {
  await db.query(
    `insert into subscriptions as s (id, workspace_id, customer_id, tier, status, current_period_end, cancels_at, failed_at, created_at, checked_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (id) do update
       set customer_id = excluded.customer_id, tier = excluded.tier, status = excluded.status,
           current_period_end = excluded.current_period_end, cancels_at = excluded.cancels_at, failed_at = excluded.failed_at,
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

export async function subscriptionsOf(db: Executor, workspaceId: string): Promise<Subscription[]> {
  const { rows } = await db.query<Subscription>(
    `select id, customer_id, tier, status, created_at, current_period_end, cancels_at, failed_at
       from subscriptions where workspace_id = $1`,
    [workspaceId],
  );
  return rows;
}

/** Announces a plan that the workspace did not have before. */
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

/** Live subscriptions of workspaces that are deleted, or whose payer has no account any more, that renew themselves. */
export async function subscriptionsOfNobody(
  db: Executor,
  { limit }: { limit: number },
): Promise<{ id: string; customer: string }[]> {
  const { rows } = await db.query<{ id: string; customer: string }>(
    `select s.id, s.customer_id as customer
       from subscriptions s join workspaces w on w.id = s.workspace_id
      where s.status in ('active', 'trialing', 'past_due', 'unpaid') and s.cancels_at is null
        and (w.delete_after is not null or not exists (select from billing_customers c where c.customer_id = s.customer_id))
      order by s.id limit $1`,
    [limit],
  );
  return rows;
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
