import { Footer } from '#pages/Footer.tsx';
import { Bar } from './Bar.tsx';
import { Contact } from './Contact.tsx';
import { DemoButton } from './DemoRequest.tsx';
import { FeatureIcon, type FeatureName } from './FeatureIcon.tsx';
import { Hero } from './Hero.tsx';
import { Pictures } from './Pictures.tsx';
import { Prices } from './Prices.tsx';
import { Section } from './Section.tsx';

/** `isSignedIn`: by the visitor's cookie. */
export type LandingProps = { isSignedIn: boolean };

const features: readonly { name: FeatureName; title: string; text: string }[] = [
  {
    name: 'reminders',
    title: 'Smart Reminders',
    text: 'Fill in a form, or write one line: “every first Monday at 9am”. You see the dates before anything is saved, and nine o’clock stays nine when the clocks change.',
  },
  {
    name: 'channels',
    title: 'Multi-Channel Delivery',
    text: 'Email, SMS, WhatsApp, Slack, push and webhooks, over your own providers. Try one channel after another until somebody is reached.',
  },
  {
    name: 'automation',
    title: 'Automation Engine',
    text: 'By date or by event: rent is due, a trial ends, a payment failed. What came due while a server was down is caught up by your rule, once.',
  },
  {
    name: 'team',
    title: 'Team Collaboration',
    text: 'Workspaces with owners, admins and members, shared templates and contacts, and a log of who changed what.',
  },
  {
    name: 'analytics',
    title: 'Analytics Dashboard',
    text: 'Each message with its outcome: delivered, bounced, suppressed, and why. See who would get nothing before you save.',
  },
  {
    name: 'security',
    title: 'Enterprise Security',
    text: 'The database itself keeps workspaces apart, secrets are encrypted, two-factor sign-in is there for everybody, and backups are restored with one command.',
  },
];

const quotes = [
  {
    words: 'Two hundred tenants, one list. Nobody on the team writes rent reminders by hand any more.',
    who: 'A property manager',
  },
  {
    words: 'When a message does not arrive, we see it with the reason. Before, we heard of it from the customer.',
    who: 'A head of operations',
  },
  {
    words: 'Trials end with a call now instead of a surprise, because the reminder comes three days earlier.',
    who: 'A customer success lead',
  },
];

/** The page of people who do not know Cuebird yet. It is drawn by the build, and works without a script. */
export const LandingPage = ({ isSignedIn }: LandingProps) => (
  <>
    <Bar isSignedIn={isSignedIn} />
    <main id="main">
      <Hero isSignedIn={isSignedIn} />
      <Section
        id="features"
        title="Everything a reminder needs"
        lead="From the first line to the proof that it arrived."
      >
        <ul className="cards">
          {features.map(({ name, title, text }) => (
            <li key={name} className="card">
              <FeatureIcon name={name} />
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </Section>
      <Pictures />
      <Section
        id="voices"
        title="Who it is for"
        lead="Sample voices: we wrote them to show what Cuebird is for. They are not quotes of customers."
      >
        <ul className="cards">
          {quotes.map(({ words, who }) => (
            <li key={who} className="card quote">
              <blockquote>
                <p>{words}</p>
              </blockquote>
              <p className="who">
                {who} <span className="tag">Sample</span>
              </p>
            </li>
          ))}
        </ul>
      </Section>
      <Prices isSignedIn={isSignedIn} />
      <section className="closing" aria-labelledby="closing">
        <div className="closing-card">
          <h2 id="closing">Never miss a thing again</h2>
          <p>Begin with one reminder, or let us show you around.</p>
          <div className="buttons">
            <a className="button primary large" href={isSignedIn ? '/dashboard' : '/auth?tab=sign-up'}>
              {isSignedIn ? 'My Dashboard' : 'Start Free Trial'}
            </a>
            <DemoButton />
          </div>
        </div>
      </section>
      <Contact />
    </main>
    <Footer />
  </>
);
