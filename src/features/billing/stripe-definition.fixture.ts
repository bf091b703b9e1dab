import { z } from 'zod';

/**
 * What Stripe's published definition says of the operations that Cuebird calls: the parameters that it knows, those that it requires, and
 * their longest values. Everything else is refused there. Read on 2026-11-23 in version 2026-09-30.endive, from
 * https://github.com/stripe/openapi (latest/openapi.spec3.json). Values are texts, as in the form that is sent.
 */
export const definitionVersion = '2026-09-30.endive';

const Text = z.string().max(5_000);
const Integer = z.string().regex(/^-?\d+$/);
const Metadata = z.record(z.string(), z.string());
const expand = z.array(Text).optional();

/** By method and path. `path`: the parameters of the path, each of which is required. */
export const operations = {
  'POST /v1/customers': {
    path: 0,
    parameters: z.strictObject({
      email: z.string().max(512).optional(),
      name: z.string().max(256).optional(),
      metadata: Metadata.optional(),
    }),
  },
  'POST /v1/checkout/sessions': {
    path: 0,
    parameters: z.strictObject({
      mode: z.enum(['payment', 'setup', 'subscription']).optional(),
      customer: Text.optional(),
      client_reference_id: z.string().max(200).optional(),
      // "The parameter is required for payment and subscription mode."
      line_items: z
        .array(z.strictObject({ price: Text.optional(), quantity: Integer.optional() }))
        .min(1)
        .max(20),
      subscription_data: z.strictObject({ metadata: Metadata.optional() }).optional(),
      success_url: z.url().optional(),
      cancel_url: z.url().optional(),
    }),
  },
  'GET /v1/checkout/sessions': {
    path: 0,
    parameters: z.strictObject({
      customer: Text.optional(),
      status: z.enum(['complete', 'expired', 'open']).optional(),
      limit: Integer.refine((limit) => Number(limit) >= 1 && Number(limit) <= 100).optional(),
      expand,
    }),
  },
  'POST /v1/checkout/sessions/:session/expire': { path: 1, parameters: z.strictObject({ expand }) },
  'POST /v1/billing_portal/sessions': {
    path: 0,
    parameters: z.strictObject({
      customer: Text.optional(),
      return_url: z.url().optional(),
      flow_data: z
        .strictObject({
          type: z.enum([
            'customer_update',
            'payment_method_update',
            'subscription_cancel',
            'subscription_update',
            'subscription_update_confirm',
          ]),
          subscription_update_confirm: z
            .strictObject({
              subscription: Text,
              items: z.array(z.strictObject({ id: Text, price: Text.optional(), quantity: Integer.optional() })),
            })
            .optional(),
        })
        .optional(),
    }),
  },
  'GET /v1/subscriptions': {
    path: 0,
    parameters: z.strictObject({
      customer: Text.optional(),
      status: z
        .enum([
          'active',
          'all',
          'canceled',
          'ended',
          'incomplete',
          'incomplete_expired',
          'past_due',
          'paused',
          'trialing',
          'unpaid',
        ])
        .optional(),
      limit: Integer.refine((limit) => Number(limit) >= 1 && Number(limit) <= 100).optional(),
      expand,
    }),
  },
  'GET /v1/subscriptions/:subscription_exposed_id': { path: 1, parameters: z.strictObject({ expand }) },
  'POST /v1/subscriptions/:subscription_exposed_id': {
    path: 1,
    parameters: z.strictObject({ cancel_at_period_end: z.enum(['true', 'false']).optional(), expand }),
  },
  'GET /v1/invoices': {
    path: 0,
    parameters: z.strictObject({
      customer: Text.optional(),
      subscription: Text.optional(),
      limit: Integer.refine((limit) => Number(limit) >= 1 && Number(limit) <= 100).optional(),
      expand,
    }),
  },
} satisfies Record<string, { path: number; parameters: z.ZodType }>;
