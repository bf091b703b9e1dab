import type { PaidTier } from '#contract/tiers.ts';
import type { Subscription } from '#domain/subscription.ts';

export const invoiceStatuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;

export type Invoice = {
  id: string;
  /** Null while it is a draft. */
  number: string | null;
  created_at: string;
  /** In cents. */
  total: number;
  /** ISO 4217, in lower case. */
  currency: string;
  status: (typeof invoiceStatuses)[number];
  /** Where it can be seen and paid; null while it is a draft. */
  url: string | null;
};

/** An event, its signature checked. `subscription` is the one that it is about, null where it is about none. */
export type PaymentEvent = { id: string; type: string; subscription: string | null };

export type ProvidedSubscription = Omit<Subscription, 'tier'> & {
  /** As we named it when it was ordered; null for what was ordered elsewhere. */
  workspace_id: string | null;
  /** Null where its price is not that of a plan now. */
  tier: PaidTier | null;
};

/** The payment provider. Every call may throw Unavailable. */
export type Payments = {
  /** @param person.replaced the customer of the person that the provider has deleted, if there was one */
  createCustomer(person: {
    userId: string;
    email: string;
    name: string;
    replaced?: string | undefined;
  }): Promise<string>;
  /** Closes the pages on which these customers could still pay a plan for the workspace, and leaves those that were paid. */
  expireOrders(of: { customers: readonly string[]; workspaceId: string }): Promise<void>;
  /** The address of the page on which a plan is ordered; null where the provider has deleted the customer. */
  order(of: { customer: string; tier: PaidTier; workspaceId: string; returnUrl: string }): Promise<string | null>;
  /** The address of the page on which a change is confirmed, which says what is charged at once. */
  change(of: { customer: string; tier: PaidTier; subscription: string; returnUrl: string }): Promise<string>;
  /**
   * The address of the page on which a customer sees invoices, changes how they pay, and cancels; null where the provider has deleted
   * the customer.
   */
  portal(of: { customer: string; returnUrl: string }): Promise<string | null>;
  /** Null for one that the provider does not know. */
  subscription(id: string): Promise<ProvidedSubscription | null>;
  /** None where the provider has deleted the customer. */
  subscriptionsOf(customer: string): Promise<ProvidedSubscription[]>;
  /** The latest, newest first. */
  invoicesOf(subscription: { customer: string; id: string }): Promise<Invoice[]>;
  cancelAtPeriodEnd(subscription: string): Promise<void>;
  /** Throws Invalid for a signature that is missing, wrong or old. */
  readEvent(body: Buffer, signature: string | null): PaymentEvent;
};
