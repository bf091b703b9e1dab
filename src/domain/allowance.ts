import type { Tier } from '#contract/tiers.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { type Billing, entitlements } from '#contract/plans.ts';
import { beyondPlan, planUsedUp, type Reason } from '#domain/ledger-reasons.ts';

/** The plan of a workspace; `trial_ends_at` is an ISO instant. */
export type WorkspacePlan = {
  tier: Tier;
  trial_ends_at: string;
  /** True when the plan of its owner covers other workspaces and not this one. */
  is_beyond_plan: boolean;
};

/** What a workspace may send per calendar month (UTC); null means no limit. `refusal` says why nothing is sent once the occurrences are used up. */
export type Allowance = { name: string; channels: readonly ChannelType[] | null } & (
  | { occurrences: number; refusal: Reason }
  | { occurrences: null }
);

const everything: Allowance = { name: 'Enterprise', occurrences: null, channels: null };

/** What a workspace may send. During the trial of the person who created it, everything, whatever its tier. */
export function allowanceOf(
  workspace: WorkspacePlan,
  { billing, now }: { billing: Billing; now: Temporal.Instant },
): Allowance {
  if (billing === 'off') return everything;
  if (isInTrial(workspace, now)) return { ...everything, name: 'Trial' };
  const { name, occurrencesPerMonth: occurrences, channels } = entitlements[workspace.tier];
  if (workspace.is_beyond_plan) return { name, occurrences: 0, channels, refusal: beyondPlan(name) };
  return occurrences === null
    ? { name, occurrences, channels }
    : { name, occurrences, channels, refusal: planUsedUp(name, occurrences) };
}

export const isInTrial = (
  { trial_ends_at: end }: Pick<WorkspacePlan, 'trial_ends_at'>,
  now: Temporal.Instant,
): boolean => Temporal.Instant.compare(now, Temporal.Instant.from(end)) < 0;

/** Tiers whose occurrences have to be counted exactly, across all workers. */
export const limitedTiers = (billing: Billing): string[] =>
  billing === 'off'
    ? []
    : Object.entries(entitlements).flatMap(([tier, { occurrencesPerMonth }]) =>
        occurrencesPerMonth === null ? [] : [tier],
      );

/** How many API requests all keys of a workspace may send per hour; null where there is no limit. */
export function apiRequestsPerHour(
  workspace: Pick<WorkspacePlan, 'tier' | 'trial_ends_at'>,
  { billing, now }: { billing: Billing; now: Temporal.Instant },
): number | null {
  if (billing === 'off') return null;
  const tier = workspace.tier !== 'enterprise' && isInTrial(workspace, now) ? 'premium' : workspace.tier;
  return entitlements[tier].apiRequestsPerHour;
}
