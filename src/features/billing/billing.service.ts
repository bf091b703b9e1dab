import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { Billing, Invoice } from '#contract/billing.ts';
import { type BillingMode, type PaidTier, paidTiers } from '#contract/tiers.ts';
import { allowanceOf } from '#domain/allowance.ts';
import * as customers from '#features/billing/customers.db.ts';
import type { Payments } from '#features/billing/payments.ts';
import { type BillingPorts, checkWorkspace } from '#features/billing/subscriptions.service.ts';
import type { MemberContext, PersonContext, TenantContext } from '#platform/context.ts';
import { Conflict, NotFound, Unavailable, Unprocessable } from '#platform/errors.ts';

/** The configured payment provider, and the prices of the plans there. */
export type PaymentAccount = { payments: Payments; prices: Readonly<Record<PaidTier, string>> };

export type BillingDeps = {
  mode: BillingMode;
  account: PaymentAccount | null;
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  now: () => Temporal.Instant;
  /** The address at which people open Cuebird. */
  url: () => string;
};

export async function getBilling(
  { db, workspaceId, now, billing = 'off' }: Pick<TenantContext, 'db' | 'workspaceId' | 'now' | 'billing'>,
  { mode, account }: Pick<BillingDeps, 'mode' | 'account'>,
): Promise<Billing> {
  const month = monthOfUsage(now);
  const workspace = await db
    .selectFrom('workspaces as w')
    .leftJoin('monthly_usage as u', (on) => on.onRef('u.workspace_id', '=', 'w.id').on('u.month', '=', month.start))
    .where('w.id', '=', workspaceId)
    .select([
      'w.subscription_tier as tier',
      'w.subscription_status as status',
      'w.subscription_end_date as end_date',
      'w.plan_ends_at',
      'w.trial_ends_at',
      sql<boolean>`is_beyond_plan(w.id)`.as('is_beyond_plan'),
      sql<number>`coalesce(u.occurrences, 0)`.as('occurrences'),
    ])
    .executeTakeFirst();
  if (workspace === undefined) throw new NotFound('workspace');
  const { plan_ends_at: planEndsAt, occurrences, ...plan } = workspace;
  return {
    ...plan,
    mode,
    ends: planEndsAt !== null,
    usage: { occurrences, limit: allowanceOf(workspace, { billing, now }).occurrences, resets_at: month.next },
    prices: account === null ? null : account.prices,
  };
}

/** The id of the current workspace, if row-level security shows it: what follows runs as the engine's role, which sees all. */
export async function visibleWorkspace({ db, workspaceId }: TenantContext): Promise<string> {
  const found = await db.selectFrom('workspaces').where('id', '=', workspaceId).select('id').executeTakeFirst();
  if (found === undefined) throw new NotFound('workspace');
  return found.id;
}

/**
 * The page on which the workspace subscribes. One that is subscribed already changes its subscription there, and pays the difference. Throws
 * Conflict while somebody else gets such a page: of all pages that were opened for a workspace only the last one can be paid.
 */
export async function orderPlan(
  deps: BillingDeps,
  of: { person: Person; workspaceId: string; priceId: string },
): Promise<{ url: string }> {
  const { payments, prices } = accountOf(deps);
  assertMayPay(deps, of.person);
  const tier = paidTiers.find((one) => prices[one] === of.priceId);
  if (tier === undefined)
    throw new Unprocessable('There is no such plan', [{ path: 'priceId', message: 'is no plan' }]);
  const ports = { ...deps, payments };
  const { pool, now } = deps;
  const { workspaceId } = of;
  const until = now().add(longestOrder).toString();
  const reserved = await customers.reserveOrder(pool, { workspaceId, now: now().toString(), until });
  if (reserved === null)
    throw new Conflict('A plan is being ordered for this workspace at this moment. Try again in a minute.');
  try {
    return await orderReserved(ports, { ...of, tier, returnUrl: returnUrlOf(deps) });
  } finally {
    await customers.releaseOrder(pool, { workspaceId, until: reserved });
  }
}

/** After this an unfinished order no longer blocks others: longer than all calls of the provider together take, in case its process died. */
const longestOrder = Temporal.Duration.from({ minutes: 5 });

async function orderReserved(
  ports: BillingPorts,
  of: { person: Person; workspaceId: string; tier: PaidTier; returnUrl: string },
): Promise<{ url: string }> {
  const { payments, pool } = ports;
  const { tier, returnUrl } = of;
  // An order that is paid while it is being closed is found by the check after this.
  const payers = await customers.customersOfWorkspace(pool, of.workspaceId);
  await payments.expireOrders({ customers: payers, workspaceId: of.workspaceId });
  await checkWorkspace(ports, of.workspaceId);
  const current = await subscriptionIn(pool, of.workspaceId);
  if (current === null)
    return openPage(ports, of.person, (customer) =>
      payments.order({ customer, tier, workspaceId: of.workspaceId, returnUrl }),
    );
  const customer = await customerOf(ports, of.person);
  const isPaid = current.status === 'active' || current.status === 'trialing';
  if (current.tier === tier && isPaid) throw new Unprocessable('The workspace has this plan already');
  if (current.customer_id !== customer)
    throw new Unprocessable('Somebody else pays for this workspace: ask them to change its plan, or to cancel it');
  // An unpaid invoice is paid first: opens the page of invoices.
  if (!isPaid) return openPage(ports, of.person, (payer) => payments.portal({ customer: payer, returnUrl }));
  return { url: await payments.change({ customer, tier, subscription: current.id, returnUrl }) };
}

export async function openPortal(deps: BillingDeps, person: Person): Promise<{ url: string }> {
  const { payments } = accountOf(deps);
  assertMayPay(deps, person);
  const returnUrl = returnUrlOf(deps);
  return openPage({ ...deps, payments }, person, (customer) => payments.portal({ customer, returnUrl }));
}

/** The latest subscriptions of the workspace, to ask the provider for their invoices. */
export const latestSubscriptions = ({ db, workspaceId }: TenantContext) =>
  db
    .selectFrom('subscriptions')
    .where('workspace_id', '=', workspaceId)
    .select(['id', 'customer_id as customer'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(5)
    .execute();

export async function listInvoices(
  { account }: BillingDeps,
  subscriptions: readonly { id: string; customer: string }[],
): Promise<Invoice[]> {
  if (account === null) return [];
  const found: Invoice[] = [];
  for (const subscription of subscriptions) found.push(...(await account.payments.invoicesOf(subscription)));
  return found.toSorted((a, b) => b.created_at.localeCompare(a.created_at)).slice(0, 24);
}

/** Asks the provider for the workspace's subscriptions. Does nothing where billing is off. */
export async function checkSubscription(deps: BillingDeps, workspaceId: string): Promise<void> {
  if (deps.account !== null) await checkWorkspace({ ...deps, payments: deps.account.payments }, workspaceId);
}

export type Person = { userId: string; email: string; name: string; isDemo: boolean };

export async function personOf({ db, actor }: PersonContext | MemberContext): Promise<Person> {
  const {
    email,
    full_name: name,
    is_demo: isDemo,
  } = await db
    .selectFrom('profiles')
    .where('id', '=', actor.userId)
    .select(['email', 'full_name', 'is_demo'])
    .executeTakeFirstOrThrow();
  return { userId: actor.userId, email, name, isDemo };
}

/** Opens a page of the provider for the person. If it has deleted their customer, creates a new one. */
async function openPage(
  ports: BillingPorts,
  person: Person,
  open: (customer: string) => Promise<string | null>,
): Promise<{ url: string }> {
  const known = await customerOf(ports, person);
  const url = (await open(known)) ?? (await open(await createCustomer(ports, { ...person, replaced: known })));
  if (url === null) throw new Unavailable('The payment provider does not know its customer', { retryAfterSeconds: 60 });
  return { url };
}

const customerOf = async (ports: BillingPorts, person: Person): Promise<string> =>
  (await customers.customerOf(ports.pool, person.userId)) ?? createCustomer(ports, person);

async function createCustomer(
  { pool, payments, now }: BillingPorts,
  person: Person & { replaced?: string },
): Promise<string> {
  const customerId = await payments.createCustomer(person);
  const { userId, replaced } = person;
  return customers.keepCustomer(pool, { userId, customerId, replaced, now: now().toString() });
}

async function subscriptionIn(pool: Pool, workspaceId: string) {
  const { rows } = await pool.query<{ id: string; tier: PaidTier; status: string; customer_id: string }>(
    `select id, tier, status, customer_id from subscriptions
      where workspace_id = $1 and status in ('active', 'trialing', 'past_due', 'unpaid', 'paused') order by created_at desc limit 1`,
    [workspaceId],
  );
  return rows[0] ?? null;
}

const returnUrlOf = ({ url }: BillingDeps) => new URL('/billing', url()).href;

/** Refuses real payments in a demo, whose workspace and person are deleted soon. */
function assertMayPay({ mode }: BillingDeps, { isDemo }: Person): void {
  if (isDemo && mode === 'stripe')
    throw new Unprocessable('The demo pays for nothing. Sign up to have a workspace of your own.');
}

function accountOf({ account }: BillingDeps): PaymentAccount {
  if (account === null) throw new Unprocessable('Billing is off on this installation: no plan limits anything');
  return account;
}

/** The current calendar month in UTC, in which usage is counted; `start` is a date, `next` the instant at which the next month begins. */
function monthOfUsage(now: Temporal.Instant): { start: string; next: string } {
  const first = now.toZonedDateTimeISO('UTC').toPlainDate().with({ day: 1 });
  return { start: first.toString(), next: `${first.add({ months: 1 }).toString()}T00:00:00Z` };
}
