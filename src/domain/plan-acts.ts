import type { ActDetails, Action } from '#contract/acts.ts';
import { entitlements } from '#contract/plans.ts';
import type { SubscribedPlan } from '#domain/subscription.ts';

export type PlanAct = { action: Extract<Action, `billing.${string}`>; details: ActDetails };

/** The act that the audit log records for a change of the plan; null when nothing has changed that it records. */
export function planAct(
  before: Pick<SubscribedPlan, 'tier' | 'plan_ends_at'> & { status: string },
  after: SubscribedPlan,
): PlanAct | null {
  const [from, plan] = [entitlements[before.tier].name, entitlements[after.tier].name];
  const until = after.plan_ends_at;
  if (after.tier === 'free') {
    if (before.tier === 'free') return null;
    const isUnpaid = after.status === 'past_due' || after.status === 'unpaid';
    return { action: isUnpaid ? 'billing.plan_unpaid' : 'billing.plan_ended', details: { plan: from } };
  }
  if (after.tier !== before.tier) return { action: 'billing.plan_changed', details: { from, to: plan } };
  if (after.status === 'past_due' && before.status !== 'past_due')
    return { action: 'billing.payment_failed', details: { plan, until } };
  if (until !== null && before.plan_ends_at === null)
    return { action: 'billing.plan_cancelled', details: { plan, until } };
  if (until === null && before.plan_ends_at !== null) return { action: 'billing.plan_continued', details: { plan } };
  return null;
}
