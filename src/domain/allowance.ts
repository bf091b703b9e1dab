import type { JobType } from '#contract/jobs.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Workspace } from '#contract/workspaces.ts';

/** `off` is for self-hosting: every workspace has everything. */
export type Billing = 'on' | 'off';

/** What a workspace may send per calendar month (UTC); null means no limit. */
export type Allowance = { name: string; occurrences: number | null; channels: readonly ChannelType[] | null };

const everything: Allowance = { name: 'Enterprise', occurrences: null, channels: null };

/** Keyed by `subscription_tier`. */
const allowances: Readonly<Record<string, Allowance>> = {
  free: { name: 'Free', occurrences: 25, channels: ['email', 'webhook'] },
  basic: { name: 'Basic', occurrences: 100, channels: ['email', 'webhook', 'sms'] },
  premium: { ...everything, name: 'Premium' },
  enterprise: everything,
};

const trialDays = 14;

/** A new workspace has everything for 14 days, whatever its tier. */
export function allowanceOf(
  workspace: { tier: string; created_at: string },
  { billing, now }: { billing: Billing; now: Temporal.Instant },
): Allowance {
  if (billing === 'off') return everything;
  const trialEnds = Temporal.Instant.from(workspace.created_at).add({ hours: trialDays * 24 });
  if (Temporal.Instant.compare(now, trialEnds) < 0) return { ...everything, name: 'Trial' };
  return allowances[workspace.tier] ?? allowances.free ?? everything;
}

/** Tiers whose occurrences have to be counted exactly, across all workers. */
export const limitedTiers = (billing: Billing): string[] =>
  billing === 'off'
    ? []
    : Object.entries(allowances).flatMap(([tier, { occurrences }]) => (occurrences === null ? [] : [tier]));

/** Tests do not count. */
export const countsAgainstPlan = (type: JobType): boolean => type !== 'test_reminder';

export const overQuotaText = ({ name, occurrences }: Allowance) =>
  `The ${name} plan's ${occurrences} reminders of this month are used up`;

export type Tier = Workspace['subscription_tier'];

const hourly: Record<Tier, number> = { free: 100, basic: 100, premium: 1_000, enterprise: 10_000 };

/** How many API requests a workspace may make per hour, with all its keys together. */
export const apiRequestsPerHour = (tier: Tier): number => hourly[tier];
