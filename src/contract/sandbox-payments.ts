import { paidTiers } from '#contract/tiers.ts';
import { z } from 'zod';
import { InstantText, Text } from '#contract/common.ts';
import { get, post } from '#contract/route.ts';

export const pageActs = ['pay', 'cancel', 'resume', 'end_now', 'fail_payment', 'pay_invoice'] as const;
export type PageAct = (typeof pageActs)[number];

const Subscription = z.object({
  id: z.string(),
  tier: z.enum(paidTiers),
  status: z.enum(['active', 'past_due', 'canceled']),
  current_period_end: InstantText,
  is_cancelled: z.boolean(),
});

/** A page of the sandbox's payment provider, where no money moves. */
export const PaymentPage = z.object({
  /** `order`: subscribe. `change`: change the plan. `portal`: invoices and cancellation. */
  kind: z.enum(['order', 'change', 'portal']),
  email: z.string(),
  /** The plan that is ordered, or changed to; null on the portal. */
  tier: z.enum(paidTiers).nullable(),
  /** Whether the order was paid, or the change made. */
  is_done: z.boolean(),
  return_url: z.string(),
  subscriptions: z.array(Subscription),
  invoices: z.array(
    z.object({
      id: z.string(),
      number: z.string(),
      created_at: InstantText,
      total: z.number().int(),
      status: z.enum(['open', 'paid', 'void']),
    }),
  ),
});
export type PaymentPage = z.output<typeof PaymentPage>;

const PageParams = z.object({ id: z.string().regex(/^[\w-]{1,255}$/, 'is no payment page') });

export const sandboxPaymentRoutes = {
  getPaymentPage: get('/api/sandbox-payments/:id', {
    access: 'user',
    summary: "A page of the sandbox's payment provider, for the customer whom it is for",
    params: PageParams,
    answer: PaymentPage,
  }),
  actOnPaymentPage: post('/api/sandbox-payments/:id', {
    access: 'user',
    summary: 'Pay, cancel or let a payment fail there',
    params: PageParams,
    body: z.strictObject({ act: z.enum(pageActs), subscription: Text(255).nullable().default(null) }),
    limit: { usage: 'billing' },
    answer: PaymentPage,
  }),
};
