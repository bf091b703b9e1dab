import type { Workspace } from '#contract/workspaces.ts';

export type Tier = Workspace['subscription_tier'];

const hourly: Record<Tier, number> = { free: 100, basic: 100, premium: 1_000, enterprise: 10_000 };

/** How many requests an hour the programs of a workspace may make, all its API keys together. */
export const apiRequestsPerHour = (tier: Tier): number => hourly[tier];
