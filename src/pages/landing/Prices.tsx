import { type ListedPlan, listedPlans } from '#contract/plans.ts';
import { slot } from '#pages/slots.ts';
import { When } from '#pages/When.tsx';
import type { LandingProps } from './Hero.tsx';
import { Section } from './Section.tsx';

/** The list prices of the catalogue, each with the line that says what it is inside a workspace. */
export const Prices = ({ isSignedIn }: LandingProps) => (
  <Section id="pricing" title="Pricing" lead="Begin free. Change or cancel whenever you like.">
    <When set="priceNote">
      <p className="price-note">{slot('priceNote')}</p>
    </When>
    <ul className="cards prices">
      {listedPlans.map((plan) => (
        <PriceCard key={plan.name} plan={plan} isSignedIn={isSignedIn} />
      ))}
    </ul>
  </Section>
);

/** A list price. Where a workspace pays another one, the card says so. */
const PriceCard = ({ plan, isSignedIn }: { plan: ListedPlan; isSignedIn: boolean }) => (
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
