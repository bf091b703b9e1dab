import type { PaidTier } from '#contract/tiers.ts';
import type { Subscription } from '#domain/subscription.ts';

export const invoiceStatuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;

export type Invoice = {
  id: string;
  /** The invoice's number; null for a draft. */
  number: string | null;
  created_at: string;
  /** The amount in cents. */
  total: number;
  /** The currency by ISO 4217, in lower case. */
  currency: string;
  status: (typeof invoiceStatuses)[number];
  /** The page on which it can be seen and paid; null for a draft. */
  url: string | null;
};

/** A verified event of the provider. `subscription` is the id of the one that it is about; null for other events. */
export type PaymentEvent = { id: string; type: string; subscription: string | null };

export type ProvidedSubscription = Omit<Subscription, 'tier'> & {
  /** The workspace that we gave when it was ordered; null for what was ordered elsewhere. */
  workspace_id: string | null;
  /** The plan of its price; null where no plan has this price now. */
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
  /** Closes the open pages on which these customers could still order a plan for the workspace. Paid ones stay. */
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
  /** Null where the provider does not know it. */
  subscription(id: string): Promise<ProvidedSubscription | null>;
  /** Empty where the provider has deleted the customer. */
  subscriptionsOf(customer: string): Promise<ProvidedSubscription[]>;
  /** The latest invoices, newest first. */
  invoicesOf(subscription: { customer: string; id: string }): Promise<Invoice[]>;
  cancelAtPeriodEnd(subscription: string): Promise<void>;
  /** Verifies and parses an event. Throws Invalid for a signature that is missing, wrong or old. */
  readEvent(body: Buffer, signature: string | null): PaymentEvent;
};
