import type { Tier } from '#contract/tiers.ts';
import type { JobType } from '#contract/jobs.ts';
import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import { type Billing, entitlements } from '#contract/plans.ts';

/** The plan of a workspace; `trial_ends_at` is an ISO instant. */
export type WorkspacePlan = {
  tier: Tier;
  trial_ends_at: string;
  /** The plan of its owner includes other workspaces only. */
  is_beyond_plan: boolean;
};

/** What a workspace may send per calendar month (UTC); null means no limit. */
export type Allowance = {
  name: string;
  occurrences: number | null;
  channels: readonly ChannelType[] | null;
  /** Why nothing more is sent once the occurrences are used up. */
  refusal: string;
};

export const beyondPlanText = (name: string) => `The ${name} plan includes one workspace, and its owner has another`;

const everything: Allowance = { name: 'Enterprise', occurrences: null, channels: null, refusal: '' };

/** During the trial of whoever created it a workspace has everything, whatever its tier. */
export function allowanceOf(
  workspace: WorkspacePlan,
  { billing, now }: { billing: Billing; now: Temporal.Instant },
): Allowance {
  if (billing === 'off') return everything;
  if (isInTrial(workspace, now)) return { ...everything, name: 'Trial' };
  const { name, occurrencesPerMonth: occurrences, channels } = entitlements[workspace.tier];
  if (workspace.is_beyond_plan) return { name, occurrences: 0, channels, refusal: beyondPlanText(name) };
  return { name, occurrences, channels, refusal: usedUpText(name, occurrences) };
}

const usedUpText = (name: string, occurrences: number | null) =>
  `The ${name} plan's ${occurrences} reminders of this month are used up`;

export const channelText = (name: string, channel: ChannelType) => `The ${name} plan does not include ${channel}`;

const refusals: ReadonlySet<string> = new Set(
  Object.values(entitlements).flatMap(({ name, occurrencesPerMonth }) => [
    usedUpText(name, occurrencesPerMonth),
    beyondPlanText(name),
    ...channelTypes.map((channel) => channelText(name, channel)),
  ]),
);

/** Whether a message was not sent because of the plan, so that another one would help. */
export const isPlanRefusal = (reason: string): boolean => refusals.has(reason);

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

/** Tests do not count. */
export const countsAgainstPlan = (type: JobType): boolean => type !== 'test_reminder';

/** How many API requests a workspace may make per hour, with all its keys together; null for any number. */
export function apiRequestsPerHour(
  workspace: Pick<WorkspacePlan, 'tier' | 'trial_ends_at'>,
  { billing, now }: { billing: Billing; now: Temporal.Instant },
): number | null {
  if (billing === 'off') return null;
  const tier = workspace.tier !== 'enterprise' && isInTrial(workspace, now) ? 'premium' : workspace.tier;
  return entitlements[tier].apiRequestsPerHour;
}
