/** What the emulated payment provider stores: the parts of Stripe's objects that Cuebird reads. Instants are seconds since 1970, as there. */

export type Customer = {
  object: 'customer';
  id: string;
  email: string;
  name: string;
  metadata: Record<string, string>;
};

export type Subscription = {
  object: 'subscription';
  id: string;
  customer: string;
  status: 'active' | 'past_due' | 'canceled';
  metadata: Record<string, string>;
  created: number;
  ended_at: number | null;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  item: { id: string; price: string; current_period_start: number; current_period_end: number };
  latest_invoice: string;
  /** Whether the simulated card is declined at the next payment. */
  declines: boolean;
};

export type Invoice = {
  object: 'invoice';
  id: string;
  number: string;
  customer: string;
  subscription: string;
  created: number;
  total: number;
  currency: 'usd';
  status: 'open' | 'paid' | 'void';
};

/** A payment page to which a person was sent, valid for an hour. */
export type PageSession = {
  object: 'page';
  id: string;
  customer: string;
  created: number;
  return_url: string;
  /** Set once the page can no longer be paid. */
  is_expired?: true;
  for:
    | { kind: 'order'; price: string; metadata: Record<string, string>; subscription: string | null }
    | { kind: 'change'; subscription: string; price: string }
    | { kind: 'portal' };
};

export type PaymentObject = Customer | Subscription | Invoice | PageSession;

/** Where the emulator keeps its objects. */
export type PaymentStore = {
  get(id: string): Promise<PaymentObject | null>;
  put(...objects: PaymentObject[]): Promise<void>;
  /** The newest hundred, newest first. */
  ofCustomer(customer: string, kind: 'subscription' | 'invoice' | 'page'): Promise<PaymentObject[]>;
  /** Subscriptions whose period is over. */
  due(now: number): Promise<Subscription[]>;
};
