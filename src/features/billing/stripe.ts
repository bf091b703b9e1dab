import { type PaidTier, paidTiers } from '#contract/tiers.ts';
import Stripe from 'stripe';
import { subscriptionStatuses } from '#domain/subscription.ts';
import {
  type Invoice,
  invoiceStatuses,
  type PaymentEvent,
  type Payments,
  type ProvidedSubscription,
} from '#features/billing/payments.ts';
import { Invalid, Unavailable } from '#platform/errors.ts';

export type StripeAccount = {
  secretKey: string;
  webhookSecret: string;
  prices: Readonly<Record<PaidTier, string>>;
  /** Replaces https://api.stripe.com; null for Stripe itself. */
  api: URL | null;
};

/** Short, because a person waits for each of these calls. */
const timeoutMs = 20_000;
const pageSize = 100;
/** The most characters of a customer's name at Stripe. */
const maxNameLength = 256;

/** Payments by Stripe. */
export function createStripePayments({ secretKey, webhookSecret, prices, api }: StripeAccount): Payments {
  const stripe = new Stripe(secretKey, {
    timeout: timeoutMs,
    maxNetworkRetries: 2,
    telemetry: false,
    appInfo: { name: 'Cuebird' },
    ...(api && {
      host: api.hostname,
      port: api.port === '' ? (api.protocol === 'https:' ? 443 : 80) : Number(api.port),
      protocol: api.protocol === 'https:' ? 'https' : 'http',
    }),
  });
  const tierOf = (priceId: string | undefined) => paidTiers.find((tier) => prices[tier] === priceId);

  function provided(of: Stripe.Subscription): ProvidedSubscription {
    const [item] = of.items.data;
    const invoice = typeof of.latest_invoice === 'object' ? of.latest_invoice : null;
    const cancels = of.cancel_at ?? (of.cancel_at_period_end ? (item?.current_period_end ?? null) : null);
    return {
      id: of.id,
      workspace_id: of.metadata.workspace_id ?? null,
      customer_id: idOf(of.customer),
      tier: tierOf(item?.price.id) ?? null,
      status: subscriptionStatuses.find((status) => status === of.status) ?? 'paused',
      created_at: instant(of.created),
      // Since 2025, Stripe has the period on the item.
      current_period_end: item === undefined ? null : instant(item.current_period_end),
      cancels_at: of.ended_at !== null ? instant(of.ended_at) : cancels === null ? null : instant(cancels),
      failed_at: of.status === 'past_due' ? instant(invoice?.created ?? of.created) : null,
    };
  }

  const page = async (of: {
    customer: string;
    returnUrl: string;
    flow?: Stripe.BillingPortal.SessionCreateParams.FlowData;
  }) =>
    (
      await stripe.billingPortal.sessions.create({
        customer: of.customer,
        return_url: of.returnUrl,
        ...(of.flow && { flow_data: of.flow }),
      })
    ).url;

  async function expireOrders(customer: string, workspaceId: string): Promise<void> {
    const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: pageSize });
    for (const { id, client_reference_id: orderedFor } of data)
      if (orderedFor === workspaceId)
        await stripe.checkout.sessions.expire(id).catch((error: unknown) => {
          // The page was paid or has expired since the list was read.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        });
  }

  return {
    createCustomer: ({ userId, email, name, replaced }) =>
      reached(async () => {
        const customer = await stripe.customers.create(
          { email, name: name.slice(0, maxNameLength), metadata: { user_id: userId } },
          // Two requests at once create only one customer.
          { idempotencyKey: ['customer', userId, replaced].filter(Boolean).join('-') },
        );
        return customer.id;
      }),
    async expireOrders({ customers, workspaceId }) {
      for (const customer of customers) await unlessMissing(['customer'], () => expireOrders(customer, workspaceId));
    },
    order: ({ customer, tier, workspaceId, returnUrl }) =>
      unlessMissing(['customer'], async () => {
        const session = await stripe.checkout.sessions.create({
          mode: 'subscription',
          customer,
          client_reference_id: workspaceId,
          line_items: [{ price: prices[tier], quantity: 1 }],
          subscription_data: { metadata: { workspace_id: workspaceId } },
          success_url: returnUrl,
          cancel_url: returnUrl,
        });
        if (session.url === null)
          throw new Unavailable('The payment provider named no page', { retryAfterSeconds: 60 });
        return session.url;
      }),
    change: ({ customer, tier, subscription, returnUrl }) =>
      reached(async () => {
        const { items } = await stripe.subscriptions.retrieve(subscription);
        const [item] = items.data;
        return page({
          customer,
          returnUrl,
          flow: {
            type: 'subscription_update_confirm',
            subscription_update_confirm: {
              subscription,
              items: [{ id: item?.id ?? '', price: prices[tier], quantity: 1 }],
            },
          },
        });
      }),
    portal: (of) => unlessMissing(['customer'], () => page(of)),
    subscription: (id) =>
      unlessMissing(['id', 'subscription'], async () =>
        provided(await stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })),
      ),
    async subscriptionsOf(customer) {
      const found = await unlessMissing(['customer'], () =>
        stripe.subscriptions.list({ customer, status: 'all', limit: pageSize, expand: ['data.latest_invoice'] }),
      );
      return (found?.data ?? []).map(provided);
    },
    invoicesOf: ({ customer, id }) =>
      reached(async () => {
        const { data } = await stripe.invoices.list({ customer, subscription: id, limit: 24 });
        return data.map(invoiceOf);
      }),
    cancelAtPeriodEnd: (subscription) =>
      reached(async () => {
        await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
      }),
    readEvent(body, signature) {
      try {
        return eventOf(stripe.webhooks.constructEvent(body, signature ?? '', webhookSecret));
      } catch {
        throw new Invalid([{ path: 'Stripe-Signature', message: 'is missing, wrong or too old' }]);
      }
    },
  };
}

const idOf = (of: string | { id: string }) => (typeof of === 'string' ? of : of.id);

export const instant = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1_000).toString();

function invoiceOf(of: Stripe.Invoice): Invoice {
  return {
    id: of.id ?? '',
    number: of.number,
    created_at: instant(of.created),
    total: of.total,
    currency: of.currency,
    status: invoiceStatuses.find((status) => status === of.status) ?? 'draft',
    url: of.hosted_invoice_url ?? null,
  };
}

function eventOf(event: Stripe.Event): PaymentEvent {
  return { id: event.id, type: event.type, subscription: subscriptionIn(event) };
}

/** The id of the subscription that an event is about. Its state is asked for, since events come late, twice and in any order. */
function subscriptionIn(event: Stripe.Event): string | null {
  const { object } = event.data;
  if (!('object' in object)) return null;
  if (object.object === 'subscription') return object.id;
  const subscription =
    object.object === 'checkout.session'
      ? object.subscription
      : object.object === 'invoice'
        ? object.parent?.subscription_details?.subscription
        : null;
  return subscription === null || subscription === undefined ? null : idOf(subscription);
}

/** Null where the provider does not know the object in one of these parameters. */
const unlessMissing = <T>(params: readonly string[], work: () => Promise<T>): Promise<T | null> =>
  reached(async () => {
    try {
      return await work();
    } catch (error) {
      const { StripeInvalidRequestError } = Stripe.errors;
      const isMissing = error instanceof StripeInvalidRequestError && error.code === 'resource_missing';
      if (isMissing && params.includes(error.param ?? '')) return null;
      throw error;
    }
  });

/** Turns the provider's failures into Unavailable: they are not the caller's fault, and their text is not shown. */
async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    throw new Unavailable(`The payment provider did not answer as expected (${error.type})`, { retryAfterSeconds: 60 });
  }
}
