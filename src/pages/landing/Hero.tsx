import { slot } from '#pages/slots.ts';
import { BeginWords, Unless, When } from '#pages/When.tsx';
import { LineCard } from './line/LineCard.tsx';

/** `isSignedIn` is taken from the visitor's cookie. */
export type LandingProps = { isSignedIn: boolean };

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
          {isSignedIn ? 'My Dashboard' : <BeginWords />}
        </a>
        <WatchDemo isSignedIn={isSignedIn} />
      </div>
      <p className="answer" role="status" id="demo-answer" hidden />
      <When set="billing">
        <p className="note">Free 14-day trial, no credit card required, cancel anytime</p>
      </When>
      <Unless set="billing">
        <p className="note">Everything is included, at no charge</p>
      </Unless>
    </div>
    <LineCard />
    <Tour />
  </section>
);

/** Leads into the demo, where there is one. People who are signed in would leave their account for it, and get the tour. */
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

const steps = [
  {
    title: 'Write it in a line',
    text: 'Email the tenants of Elm Street every 1st at 9am that rent is due',
    note: 'Cuebird shows the dates it has understood before you save.',
  },
  {
    title: 'Choose who and how',
    text: 'Group “Elm Street” · 42 people · Email, then SMS',
    note: 'Whoever has no address is named, too.',
  },
  {
    title: 'It goes out on time',
    text: '1 December, 09:00 · 42 messages',
    note: 'Also when a server was restarted a minute before.',
  },
  {
    title: 'See what happened',
    text: '41 delivered · 1 bounced, then sent by SMS',
    note: 'Every attempt, with the answer of the provider.',
  },
];

/** The tour's four steps, one after another; all at once where the system asks for less motion. */
const Tour = () => (
  <dialog id="tour" className="dialog tour" aria-labelledby="tour-title">
    <div className="dialog-head">
      <h2 id="tour-title">Cuebird in four steps</h2>
      <form method="dialog">
        <button className="button quiet" type="submit" aria-label="Close">
          ×
        </button>
      </form>
    </div>
    <ol className="steps">
      {steps.map(({ title, text, note }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p className="screen">{text}</p>
          <p className="note">{note}</p>
        </li>
      ))}
    </ol>
  </dialog>
);
