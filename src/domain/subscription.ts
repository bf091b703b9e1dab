import { type PaidTier, paidTiers, type Tier } from '#contract/tiers.ts';
import { graceDays } from '#contract/plans.ts';

export const subscriptionStatuses = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'canceled',
  'unpaid',
  'paused',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** A subscription as the payment provider describes it; instants are ISO text. */
export type Subscription = {
  id: string;
  customer_id: string;
  tier: PaidTier;
  status: SubscriptionStatus;
  created_at: string;
  current_period_end: string | null;
  /** When it ends, once it is cancelled; null while it renews itself. */
  cancels_at: string | null;
  /** Since when a payment is overdue; null when none is. */
  failed_at: string | null;
};

/** The plan that a workspace has through its subscriptions. */
export type SubscribedPlan = {
  tier: Tier;
  status: SubscriptionStatus;
  /** When it renews or ends; null without a subscription. */
  end_date: string | null;
  /** When the paid plan ends and it becomes Free; null while it continues. */
  plan_ends_at: string | null;
};

/**
 * The plan of a workspace by all its subscriptions, whatever the order in which they were reported. The highest one that is paid, or
 * whose payment has been due for less than the days of grace, counts. Without one it is Free, with the status of the newest.
 */
export function planBy(subscriptions: readonly Subscription[], now: Temporal.Instant): SubscribedPlan {
  const valid = subscriptions
    .map((subscription) => ({ subscription, ends: endOf(subscription) }))
    .filter(({ subscription, ends }) => gives(subscription) && (ends === null || isLater(ends, now)));
  const [best] = valid.toSorted(
    (a, b) => rankOf(b.subscription) - rankOf(a.subscription) || laterFirst(a.ends, b.ends),
  );
  if (best !== undefined) {
    const { tier, status, current_period_end: periodEnd } = best.subscription;
    return { tier, status, end_date: best.ends ?? periodEnd, plan_ends_at: best.ends };
  }
  const [newest] = subscriptions.toSorted((a, b) => b.created_at.localeCompare(a.created_at));
  return {
    tier: 'free',
    status: newest === undefined ? 'active' : endedStatus(newest),
    end_date: null,
    plan_ends_at: null,
  };
}

const gives = ({ status }: Subscription) => status === 'active' || status === 'trialing' || status === 'past_due';

/** A subscription that is still there but no longer counts was not paid in time, or has just run out. */
const endedStatus = ({ status, cancels_at: cancels }: Subscription): SubscriptionStatus =>
  cancels !== null && (status === 'active' || status === 'trialing') ? 'canceled' : status;

/** When a subscription ends: by its cancellation, or by the end of the days of grace after a failed payment, whichever is first. */
function endOf({ cancels_at: cancels, failed_at: failed, status }: Subscription): string | null {
  const grace =
    status === 'past_due' && failed !== null
      ? Temporal.Instant.from(failed)
          .add({ hours: 24 * graceDays })
          .toString()
      : null;
  if (cancels === null || grace === null) return cancels ?? grace;
  return isLater(cancels, Temporal.Instant.from(grace)) ? grace : cancels;
}

const rankOf = ({ tier }: Subscription) => paidTiers.indexOf(tier);

const isLater = (end: string, now: Temporal.Instant) => Temporal.Instant.compare(Temporal.Instant.from(end), now) > 0;

function laterFirst(a: string | null, b: string | null): number {
  if (a === null || b === null) return (b === null ? 1 : 0) - (a === null ? 1 : 0);
  return Temporal.Instant.compare(Temporal.Instant.from(b), Temporal.Instant.from(a));
}
