import type { ListedPlan } from '#contract/plans.ts';

/** A list price. Where a workspace pays another one, the card says so. */
export const PriceCard = ({ plan, isSignedIn }: { plan: ListedPlan; isSignedIn: boolean }) => (
  <li className="card price" data-popular={plan.isPopular || undefined}>
    <h3>
      {plan.name} {plan.isPopular && <span className="tag popular">Most Popular</span>}
    </h3>
    <p className="amount">
      {plan.price === null ? (
        <strong>Custom</strong>
      ) : (
        <>
          <strong>${plan.price}</strong>/month
        </>
      )}
    </p>
    <ul className="lines">
      {plan.features.map((feature) => (
        <li key={feature}>{feature}</li>
      ))}
    </ul>
    {plan.difference !== null && <p className="note">{plan.difference}</p>}
    <a
      className={plan.isPopular ? 'button primary' : 'button'}
      href={isSignedIn ? '/billing' : '/auth?tab=sign-up'}
      aria-label={`${labelOf(plan, isSignedIn)}: ${plan.name}`}
    >
      {labelOf(plan, isSignedIn)}
    </a>
  </li>
);

function labelOf({ tier }: ListedPlan, isSignedIn: boolean): string {
  if (isSignedIn) return 'Upgrade Plan';
  return tier === 'enterprise' ? 'Contact Sales' : 'Get Started';
}
