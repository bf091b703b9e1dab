import type { LandingProps } from './LandingPage.tsx';
import { LineCard } from './line/LineCard.tsx';
import { slot } from '#pages/slots.ts';
import { Tour } from './Tour.tsx';
import { Unless, When } from '#pages/When.tsx';

export const Hero = ({ isSignedIn }: LandingProps) => (
  <section className="hero" aria-labelledby="hero">
    <div className="hero-words">
      <a className="badge" href="#line">
        AI-powered scheduling
      </a>
      <h1 id="hero">Never Miss a Thing</h1>
      <p className="lead">
        Reminders for teams: write one once, and Cuebird delivers it on time, over every channel, to everybody, and can
        prove it.
      </p>
      <div className="buttons">
        <a className="button primary large" href={isSignedIn ? '/dashboard' : '/auth?tab=sign-up'}>
          {isSignedIn ? 'My Dashboard' : 'Start Free Trial'}
        </a>
        <WatchDemo isSignedIn={isSignedIn} />
      </div>
      <p className="answer" role="status" id="demo-answer" hidden />
      <p className="note">Free 14-day trial, no credit card required, cancel anytime</p>
    </div>
    <LineCard />
    <Tour />
  </section>
);

/** Into the demo, where there is one; whoever is signed in would leave their own account for it, and gets the tour. */
const WatchDemo = ({ isSignedIn }: LandingProps) =>
  isSignedIn ? (
    <TourButton />
  ) : (
    <>
      <When set="demoPath">
        <a className="button large" href="#tour" data-begins={slot('demoPath')}>
          Watch Demo
        </a>
      </When>
      <Unless set="demoPath">
        <TourButton />
      </Unless>
    </>
  );

const TourButton = () => (
  <a className="button large" href="#tour" data-opens="tour">
    Watch Demo
  </a>
);
