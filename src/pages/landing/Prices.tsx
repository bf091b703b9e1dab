import { type ListedPlan, listedPlans } from '#contract/plans.ts';
import { slot } from '#pages/slots.ts';
import { Unless, When } from '#pages/When.tsx';
import type { LandingProps } from './Hero.tsx';
import { Section } from './Section.tsx';

/** The list prices of the catalogue, each with the line that says what one pays. Where nothing is charged there are none. */
export const Prices = ({ isSignedIn }: LandingProps) => (
  <Section
    id="pricing"
    title="Pricing"
    lead={
      <>
        <When set="billing">Begin free. Change or cancel whenever you like.</When>
        <Unless set="billing">
          This installation charges nothing. Everything is included, and there is no plan to choose.
        </Unless>
      </>
    }
  >
    <When set="priceNote">
      <p className="price-note">{slot('priceNote')}</p>
    </When>
    <When set="billing">
      <ul className="cards prices">
        {listedPlans.map((plan) => (
          <PriceCard key={plan.name} plan={plan} isSignedIn={isSignedIn} />
        ))}
      </ul>
    </When>
  </Section>
);

/** A list price, and what one pays below it. */
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
    <p className="note">{plan.paid}</p>
    <ul className="lines">
      {plan.features.map((feature) => (
        <li key={feature}>{feature}</li>
      ))}
    </ul>
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
