import { randomUUIDv7 } from 'node:crypto';
import type { PageAct } from '#contract/sandbox-payments.ts';
import type { Customer, Invoice, PageSession, PaymentObject, PaymentStore, Subscription } from './objects.ts';

/** Sends an event to Cuebird; the receiver of this call signs and repeats it. */
export type SendEvent = (type: string, object: PaymentObject) => void;

type Options = {
  store: PaymentStore;
  key: string;
  /** US dollars a month, by price id. */
  prices: Readonly<Record<string, number>>;
  now: () => Temporal.Instant;
  send: SendEvent;
  /** The page on which a person pays. */
  pageUrl: (session: string) => string;
};

export type PaymentProvider = ReturnType<typeof createPaymentProvider>;

/** A page on which a plan is ordered. */
export type OpenOrder = PageSession & { for: { kind: 'order' } };

const pageSeconds = 3_600;

const isKind = <T extends PaymentObject['object']>(
  of: PaymentObject,
  kind: T,
): of is Extract<PaymentObject, { object: T }> => of.object === kind;

/**
 * A payment provider that moves no money, with Stripe's objects and events. Acts on its pages take effect at once; subscriptions are renewed when
 * their period is over.
 */
export function createPaymentProvider({ store, key, prices, now, send, pageUrl }: Options) {
  const seconds = () => Math.floor(now().epochMilliseconds / 1_000);
  /** Acts are processed one at a time, so that two clicks do not pay twice. */
  let before: Promise<unknown> = Promise.resolve();
  const oneAtATime = <T>(work: () => Promise<T>): Promise<T> => {
    const next = before.then(work, work);
    before = next.catch(() => undefined);
    return next;
  };

  async function find<T extends PaymentObject['object']>(
    id: string,
    kind: T,
  ): Promise<Extract<PaymentObject, { object: T }> | null> {
    const found = await store.get(id);
    return found !== null && isKind(found, kind) ? found : null;
  }

  async function charge(
    of: Pick<Subscription, 'id' | 'customer'>,
    { total, isPaid }: { total: number; isPaid: boolean },
  ): Promise<Invoice> {
    const invoice: Invoice = {
      object: 'invoice',
      id: newId('in'),
      number: `CUE-${newId('').slice(-8).toUpperCase()}`,
      customer: of.customer,
      subscription: of.id,
      created: seconds(),
      total,
      currency: 'usd',
      status: isPaid ? 'paid' : 'open',
    };
    await store.put(invoice);
    return invoice;
  }

  const priceOf = (price: string) => Math.round((prices[price] ?? 0) * 100);

  async function order(page: OpenOrder): Promise<void> {
    // The page was paid already: it was sent twice, or is open twice.
    if (page.for.subscription !== null) return;
    const at = seconds();
    const id = newId('sub');
    const invoice = await charge({ id, customer: page.customer }, { total: priceOf(page.for.price), isPaid: true });
    const subscription: Subscription = {
      object: 'subscription',
      id,
      customer: page.customer,
      status: 'active',
      metadata: page.for.metadata,
      created: at,
      ended_at: null,
      cancel_at: null,
      cancel_at_period_end: false,
      item: { id: newId('si'), price: page.for.price, current_period_start: at, current_period_end: monthAfter(at) },
      latest_invoice: invoice.id,
      declines: false,
    };
    const done: PageSession = { ...page, for: { ...page.for, subscription: id } };
    await store.put(subscription, done);
    send('checkout.session.completed', done);
    send('customer.subscription.created', subscription);
    send('invoice.paid', invoice);
  }

  /** Changes the plan: credits the rest of the month, and charges the rest at the new price. */
  async function change(subscription: Subscription, price: string): Promise<void> {
    if (subscription.item.price === price || subscription.status === 'canceled') return;
    const { current_period_start: start, current_period_end: end } = subscription.item;
    const left = Math.max(0, Math.min(1, (end - seconds()) / (end - start)));
    const total = Math.round((priceOf(price) - priceOf(subscription.item.price)) * left);
    const invoice = await charge(subscription, { total, isPaid: true });
    const changed = { ...subscription, item: { ...subscription.item, price }, latest_invoice: invoice.id };
    await store.put(changed);
    send('customer.subscription.updated', changed);
    send('invoice.paid', invoice);
  }

  async function end(subscription: Subscription): Promise<void> {
    const at = seconds();
    const ended: Subscription = { ...subscription, status: 'canceled', ended_at: at };
    await store.put(ended);
    send('customer.subscription.deleted', ended);
  }

  async function payInvoice(subscription: Subscription): Promise<void> {
    const invoice = await find(subscription.latest_invoice, 'invoice');
    if (invoice === null || invoice.status !== 'open') return;
    const paid: Invoice = { ...invoice, status: 'paid' };
    const active: Subscription = { ...subscription, status: 'active', declines: false };
    await store.put(paid, active);
    send('invoice.paid', paid);
    send('customer.subscription.updated', active);
  }

  /** Begins the next month: it is paid, its payment fails, or the cancelled subscription ends. */
  async function renew(subscription: Subscription): Promise<void> {
    if (subscription.cancel_at_period_end) return end(subscription);
    const { current_period_end: start } = subscription.item;
    const invoice = await charge(subscription, {
      total: priceOf(subscription.item.price),
      isPaid: !subscription.declines,
    });
    const renewed: Subscription = {
      ...subscription,
      status: subscription.declines ? 'past_due' : 'active',
      item: { ...subscription.item, current_period_start: start, current_period_end: monthAfter(start) },
      latest_invoice: invoice.id,
    };
    await store.put(renewed);
    send('customer.subscription.updated', renewed);
    send(subscription.declines ? 'invoice.payment_failed' : 'invoice.paid', invoice);
  }

  async function failPayment(subscription: Subscription): Promise<void> {
    if (subscription.status !== 'active') return;
    await renew({ ...subscription, declines: true, cancel_at_period_end: false });
  }

  async function setCancelled(subscription: Subscription, isCancelled: boolean): Promise<Subscription> {
    if (subscription.status === 'canceled') return subscription;
    const changed: Subscription = {
      ...subscription,
      cancel_at_period_end: isCancelled,
      cancel_at: isCancelled ? subscription.item.current_period_end : null,
    };
    await store.put(changed);
    send('customer.subscription.updated', changed);
    return changed;
  }

  const current = async (customer: string): Promise<Subscription[]> =>
    (await store.ofCustomer(customer, 'subscription')).filter((one) => one.object === 'subscription');

  const isOpen = (page: PageSession) => page.is_expired !== true && seconds() - page.created <= pageSeconds;

  return {
    isKey: (given: string | null) => given === key,
    createCustomer: (of: Omit<Customer, 'object' | 'id'>) =>
      oneAtATime(async () => {
        const customer: Customer = { object: 'customer', id: newId('cus'), ...of };
        await store.put(customer);
        return customer;
      }),
    hasCustomer: async (id: string) => (await find(id, 'customer')) !== null,
    openPage: (of: { customer: string; returnUrl: string; for: PageSession['for'] }) =>
      oneAtATime(async () => {
        const page: PageSession = {
          object: 'page',
          id: newId('page'),
          customer: of.customer,
          created: seconds(),
          return_url: of.returnUrl,
          for: of.for,
        };
        await store.put(page);
        return { ...page, url: pageUrl(page.id) };
      }),
    /** The pages of a customer that can still be paid. */
    openOrders: async (customer: string): Promise<OpenOrder[]> =>
      (await store.ofCustomer(customer, 'page')).flatMap((one) =>
        one.object === 'page' && one.for.kind === 'order' && one.for.subscription === null && isOpen(one)
          ? [{ ...one, for: one.for }]
          : [],
      ),
    /** Closes an order's page. Null for one that is unknown or paid. */
    expire: (id: string): Promise<OpenOrder | null> =>
      oneAtATime(async () => {
        const page = await find(id, 'page');
        if (page === null || page.for.kind !== 'order' || page.for.subscription !== null) return null;
        const expired = { ...page, is_expired: true as const, for: page.for };
        await store.put(expired);
        return expired;
      }),
    subscription: (id: string) => find(id, 'subscription'),
    invoice: (id: string) => find(id, 'invoice'),
    subscriptionsOf: current,
    invoicesOf: async (customer: string) =>
      (await store.ofCustomer(customer, 'invoice')).filter((one) => one.object === 'invoice'),
    cancelAtPeriodEnd: (id: string, isCancelled: boolean) =>
      oneAtATime(async () => {
        const found = await find(id, 'subscription');
        return found === null ? null : setCancelled(found, isCancelled);
      }),

    /** A page with its subscription; null for one that is unknown or older than an hour. */
    async page(id: string) {
      const page = await find(id, 'page');
      if (page === null || !isOpen(page)) return null;
      return { page, customer: await find(page.customer, 'customer'), subscriptions: await current(page.customer) };
    },
    /** @param subscription the one to act on, on the page of a customer. @returns false where the page or the subscription is unknown */
    act: (
      page: PageSession,
      { act, subscription: id }: { act: PageAct; subscription: string | null },
    ): Promise<boolean> =>
      oneAtATime(async () => {
        const now = await find(page.id, 'page');
        if (now === null || !isOpen(now)) return false;
        if (now.for.kind === 'order') {
          if (act === 'pay') await order({ ...now, for: now.for });
          return act === 'pay';
        }
        const wanted = now.for.kind === 'change' ? now.for.subscription : id;
        const found = wanted === null ? null : await find(wanted, 'subscription');
        if (found === null || found.customer !== now.customer) return false;
        if (now.for.kind === 'change') {
          if (act === 'pay') await change(found, now.for.price);
          return act === 'pay';
        }
        const acts: Record<Exclude<PageAct, 'pay'>, () => Promise<unknown>> = {
          cancel: () => setCancelled(found, true),
          resume: () => setCancelled(found, false),
          end_now: () => end(found),
          fail_payment: () => failPayment(found),
          pay_invoice: () => payInvoice(found),
        };
        if (act === 'pay') return false;
        await acts[act]();
        return true;
      }),
    /** Renews the subscriptions whose period is over. */
    renewDue: () =>
      oneAtATime(async () => {
        for (const one of await store.due(seconds())) await renew(one);
      }),
  };
}

/** A new id; ids ascend with time. */
const newId = (kind: string) => `${kind}_${randomUUIDv7().replaceAll('-', '')}`;

/** The same day of the next month, or that month's last day. */
function monthAfter(at: number): number {
  const next = Temporal.Instant.fromEpochMilliseconds(at * 1_000)
    .toZonedDateTimeISO('UTC')
    .add({ months: 1 });
  return Math.floor(next.epochMilliseconds / 1_000);
}
