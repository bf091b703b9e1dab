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

/** `workspace_id`: as we named it when it was ordered; null for what was ordered elsewhere. */
export type ProvidedSubscription = Subscription & { workspace_id: string | null };

/** The payment provider. Every call may throw Unavailable. */
export type Payments = {
  createCustomer(person: { userId: string; email: string; name: string }): Promise<string>;
  /** Changes of a subscription are confirmed on a page of the provider, which says what is charged at once. @returns its address */
  order(of: { customer: string; tier: PaidTier; workspaceId: string; returnUrl: string }): Promise<string>;
  change(of: { customer: string; tier: PaidTier; subscription: string; returnUrl: string }): Promise<string>;
  /** The page on which a customer sees invoices, changes how they pay, and cancels. */
  portal(of: { customer: string; returnUrl: string }): Promise<string>;
  /** Null for one that the provider does not know, or whose price is none of our plans. */
  subscription(id: string): Promise<ProvidedSubscription | null>;
  subscriptionsOf(customer: string): Promise<ProvidedSubscription[]>;
  /** The latest, newest first. */
  invoicesOf(subscription: { customer: string; id: string }): Promise<Invoice[]>;
  cancelAtPeriodEnd(subscription: string): Promise<void>;
  /** Throws Invalid for a signature that is missing, wrong or old. */
  readEvent(body: Buffer, signature: string | null): PaymentEvent;
};
