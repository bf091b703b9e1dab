import { billingModes, paidTiers, tiers } from '#contract/tiers.ts';
import { z } from 'zod';
import { Id, InstantText } from '#contract/common.ts';
import { get, post } from '#contract/route.ts';

export const Invoice = z.object({
  id: z.string(),
  number: z.string().nullable(),
  created_at: InstantText,
  /** The amount in cents. */
  total: z.number().int(),
  /** The currency by ISO 4217, in lower case. */
  currency: z.string(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  /** The URL of the invoice at the payment provider. */
  url: z.string().nullable(),
});
export type Invoice = z.output<typeof Invoice>;

/** The plan of a workspace and what it has used. */
export const Billing = z.object({
  mode: z.enum(billingModes),
  tier: z.enum(tiers),
  status: z.string(),
  /** When the plan renews, or ends where `ends` is true; null for Free. */
  end_date: InstantText.nullable(),
  ends: z.boolean(),
  /** The end of the trial, in which everything is included; it may have passed. */
  trial_ends_at: InstantText,
  /** True when the plan of its owner covers fewer workspaces than they have, and not this one: it cannot send. */
  is_beyond_plan: z.boolean(),
  /** What was used in this calendar month (UTC). `limit` is null where the plan has none. */
  usage: z.object({ occurrences: z.number().int(), limit: z.number().int().nullable(), resets_at: InstantText }),
  /** The price identifiers of the plans; null where billing is off. */
  prices: z.record(z.enum(paidTiers), z.string()).nullable(),
});
export type Billing = z.output<typeof Billing>;

const Opened = z.object({ url: z.url() });

export const billingRoutes = {
  getBilling: get('/api/billing', {
    access: 'member',
    callers: 'people',
    summary: "The workspace's plan and what it has used this month",
    answer: Billing,
  }),
  listInvoices: get('/api/billing/invoices', {
    access: 'owner',
    callers: 'people',
    summary: 'The latest invoices of the workspace, newest first',
    limit: { usage: 'billing' },
    answer: z.object({ data: z.array(Invoice) }),
  }),
  createCheckout: post('/api/billing/create-checkout', {
    access: 'owner',
    callers: 'people',
    summary: 'The address of the page on which the workspace subscribes to a plan, or changes to another',
    body: z.strictObject({ priceId: z.string().min(1).max(255), workspaceId: Id }),
    limit: { usage: 'billing' },
    answer: Opened,
  }),
  openCustomerPortal: post('/api/billing/customer-portal', {
    access: 'user',
    summary: 'The address of the page on which the caller sees invoices, changes how they pay, and cancels',
    limit: { usage: 'billing' },
    answer: Opened,
  }),
  checkSubscription: post('/api/billing/check-subscription', {
    access: 'member',
    callers: 'people',
    summary: "Ask the payment provider for the workspace's subscription",
    body: z.strictObject({ workspaceId: Id }),
    limit: { usage: 'billing' },
    answer: Billing,
  }),
  receiveBillingEvent: post('/api/billing/webhook', {
    inMaintenance: true,
    access: 'public',
    summary: 'Events of the payment provider, signed by it',
    maxBodyKiB: 256,
    answer: z.object({ received: z.literal(true) }),
  }),
};
