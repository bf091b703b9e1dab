import { type PaidTier, paidTiers } from '#contract/plans.ts';
import type { PaymentPage, sandboxPaymentRoutes } from '#contract/sandbox-payments.ts';
import { customerOf } from '#features/billing/customers.db.ts';
import { NotFound, Unprocessable } from '#platform/errors.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';
import type { PaymentProvider } from '#sandbox/payments/provider.ts';
import type { Pool } from 'pg';

type Ports = {
  /** Null where payments are not those of the sandbox. */
  provider: PaymentProvider | null;
  prices: Readonly<Record<PaidTier, string>> | null;
  pool: Pool;
};

export const sandboxPaymentHandlers = (ports: Ports): HandlersOf<typeof sandboxPaymentRoutes> => ({
  getPaymentPage: ({ ctx, params }) => {
    const of = { id: params.id, userId: ctx.actor.userId };
    return new AfterCommit(async () => shown(await pageOf(ports, of), ports));
  },
  actOnPaymentPage: ({ ctx, params, body }) => {
    const of = { id: params.id, userId: ctx.actor.userId };
    return new AfterCommit(async () => {
      const { page, provider } = await pageOf(ports, of);
      if (!(await provider.act(page, body))) throw new Unprocessable('This page cannot do that');
      return shown(await pageOf(ports, of), ports);
    });
  },
});

/** A page of somebody else is as unknown as one that is not there. */
async function pageOf({ provider, pool }: Ports, { id, userId }: { id: string; userId: string }) {
  const found = provider === null ? null : await provider.page(id);
  if (provider === null || found === null || found.page.customer !== (await customerOf(pool, userId)))
    throw new NotFound('payment page');
  return { ...found, provider };
}

async function shown(
  { page, customer, subscriptions, provider }: Awaited<ReturnType<typeof pageOf>>,
  { prices }: Ports,
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

const instant = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1_000).toString();
