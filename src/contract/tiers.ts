export const tiers = ['free', 'basic', 'premium', 'enterprise'] as const;
export type Tier = (typeof tiers)[number];

export const paidTiers = ['basic', 'premium', 'enterprise'] as const satisfies readonly Tier[];
export type PaidTier = (typeof paidTiers)[number];

/** `off`: no plan limits anything. `sandbox`: a payment page of Cuebird's own, where no money moves. */
export const billingModes = ['off', 'sandbox', 'stripe'] as const;
export type BillingMode = (typeof billingModes)[number];
