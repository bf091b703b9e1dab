import { type PaidTier, paidTiers } from '#contract/tiers.ts';
import type { Pool } from 'pg';
import type { PaymentPage } from '#contract/sandbox-payments.ts';
import { customerOf } from '#features/billing/customers.db.ts';
import { instant } from '#features/billing/stripe.ts';
import { NotFound } from '#platform/errors.ts';
import type { PaymentProvider } from '#sandbox/payments/provider.ts';

export type SandboxPaymentPorts = {
  /** The sandbox's provider; null where payments are real or off. */
  provider: PaymentProvider | null;
  prices: Readonly<Record<PaidTier, string>> | null;
  pool: Pool;
};

/** A payment page. Throws NotFound also for somebody else's, as for one that does not exist. */
export async function pageOf({ provider, pool }: SandboxPaymentPorts, { id, userId }: { id: string; userId: string }) {
  const found = provider === null ? null : await provider.page(id);
  if (provider === null || found === null || found.page.customer !== (await customerOf(pool, userId)))
    throw new NotFound('payment page');
  return { ...found, provider };
}

export async function shownPage(
  { page, customer, subscriptions, provider }: Awaited<ReturnType<typeof pageOf>>,
  { prices }: SandboxPaymentPorts,
): Promise<PaymentPage> {
  const tierOf = (price: string): PaidTier => paidTiers.find((tier) => prices?.[tier] === price) ?? 'basic';
  const invoices = page.for.kind === 'portal' ? await provider.invoicesOf(page.customer) : [];
  return {
    kind: page.for.kind,
    email: customer?.email ?? '',
    tier: page.for.kind === 'portal' ? null : tierOf(page.for.price),
    is_done: isDone(page, subscriptions),
    return_url: page.return_url,
    subscriptions: subscriptions.map((one) => ({
      id: one.id,
      tier: tierOf(one.item.price),
      status: one.status,
      current_period_end: instant(one.item.current_period_end),
      is_cancelled: one.cancel_at_period_end,
    })),
    invoices: invoices.map(({ id, number, created, total, status }) => ({
      id,
      number,
      created_at: instant(created),
      total,
      status,
    })),
  };
}

function isDone(
  { for: of }: Awaited<ReturnType<typeof pageOf>>['page'],
  subscriptions: { id: string; item: { price: string } }[],
) {
  if (of.kind === 'order') return of.subscription !== null;
  return (
    of.kind === 'change' && subscriptions.some(({ id, item }) => id === of.subscription && item.price === of.price)
  );
}
