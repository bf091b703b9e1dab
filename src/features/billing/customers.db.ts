import type { Pool } from 'pg';

export async function customerOf(db: Pool, userId: string): Promise<string | null> {
  const { rows } = await db.query<{ customer_id: string }>(
    'select customer_id from billing_customers where user_id = $1',
    [userId],
  );
  return rows[0]?.customer_id ?? null;
}

/**
 * Of two requests at once the first is kept.
 * @param of.replaced the customer in whose place it comes, if the person had one
 * @returns what is kept
 */
export async function keepCustomer(
  db: Pool,
  {
    userId,
    customerId,
    replaced,
    now,
  }: { userId: string; customerId: string; replaced?: string | undefined; now: string },
): Promise<string> {
  await db.query(
    `insert into billing_customers as known (user_id, customer_id, created_at, checked_at) values ($1, $2, $3, $3)
     on conflict (user_id) do update set customer_id = excluded.customer_id, checked_at = excluded.checked_at
      where known.customer_id = $4`,
    [userId, customerId, now, replaced ?? null],
  );
  return (await customerOf(db, userId)) ?? customerId;
}

/** The customers of the workspace's owners, and of whoever pays for it. */
export async function customersOfWorkspace(db: Pool, workspaceId: string): Promise<string[]> {
  const { rows } = await db.query<{ customer_id: string }>(
    `select customer_id from billing_customers where user_id in (select owner_ids_of($1))
     union select customer_id from subscriptions where workspace_id = $1`,
    [workspaceId],
  );
  return rows.map(({ customer_id }) => customer_id);
}

/** Reserves the workspace for an order until `until`, unless it is released sooner. Null while somebody else orders a plan for it. */
export async function reserveOrder(
  db: Pool,
  { workspaceId, now, until }: { workspaceId: string; now: string; until: string },
): Promise<string | null> {
  const { rows } = await db.query<{ until: string }>(
    `update workspaces set plan_order_until = $3
      where id = $1 and (plan_order_until is null or plan_order_until <= $2) returning plan_order_until as until`,
    [workspaceId, now, until],
  );
  return rows[0]?.until ?? null;
}

export const releaseOrder = (db: Pool, { workspaceId, until }: { workspaceId: string; until: string }) =>
  db.query('update workspaces set plan_order_until = null where id = $1 and plan_order_until = $2', [
    workspaceId,
    until,
  ]);

/** Takes a customer whose subscriptions were not asked for since `before`, if there is one, and marks it as asked for now. */
export async function takeUnchecked(
  db: Pool,
  { before, now }: { before: string; now: string },
): Promise<string | null> {
  const { rows } = await db.query<{ customer_id: string }>(
    `update billing_customers set checked_at = $2
      where user_id = (select user_id from billing_customers where checked_at < $1
                        order by checked_at limit 1 for update skip locked)
     returning customer_id`,
    [before, now],
  );
  return rows[0]?.customer_id ?? null;
}
