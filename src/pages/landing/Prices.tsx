import { listedPlans } from '#contract/plans.ts';
import type { LandingProps } from './LandingPage.tsx';
import { PriceCard } from './PriceCard.tsx';
import { Section } from './Section.tsx';
import { slot } from '#pages/slots.ts';
import { When } from '#pages/When.tsx';

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
