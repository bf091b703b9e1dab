import { Brand } from '#pages/Brand.tsx';
import { Footer } from '#pages/Footer.tsx';
import { pictures } from '#pages/landing/pictures/pictures.ts';
import { slot } from '#pages/slots.ts';
import { BeginWords, When } from '#pages/When.tsx';
import { DemoButton, DemoRequest } from './DemoRequest.tsx';
import { Hero, type LandingProps } from './Hero.tsx';
import { Prices } from './Prices.tsx';
import { Section } from './Section.tsx';

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
    words:
      'Contracts end with a call now instead of a surprise: the dates are in our calendar, and the message comes three days before.',
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
              {isSignedIn ? 'My Dashboard' : <BeginWords />}
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

/** The bar, fixed at the top; on a phone the links to sections have a line of their own. */
const Bar = ({ isSignedIn }: LandingProps) => (
  <header className="bar">
    <div className="bar-lines">
      <Brand label="Cuebird, to the top" />
      <nav aria-label="Sections">
        <a href="#features">Features</a>
        <When set="billing">
          <a href="#pricing">Pricing</a>
        </When>
        <a href="#contact">Contact</a>
        <a href="/docs">Docs</a>
      </nav>
      <div className="bar-actions">
        {isSignedIn ? (
          <a className="button primary" href="/dashboard">
            My Dashboard
          </a>
        ) : (
          <>
            <a className="button quiet" href="/auth">
              Sign In
            </a>
            <a className="button primary" href="/auth?tab=sign-up">
              <BeginWords />
            </a>
          </>
        )}
      </div>
    </div>
  </header>
);

const paths = {
  reminders:
    'M10 5a2 2 0 1 1 4 0 7 7 0 0 1 4 6v3a4 4 0 0 0 2 3H4a4 4 0 0 0 2-3v-3a7 7 0 0 1 4-6M9 17v1a3 3 0 0 0 6 0v-1',
  channels: 'M4 4h16v12H8l-4 4zM8 9h8M8 12h5',
  automation:
    'M12 3v3M12 18v3M3 12h3M18 12h3M12 8a4 4 0 1 1 0 8a4 4 0 0 1 0-8M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1',
  team: 'M9 7a4 4 0 1 0 0 .01M3 21v-2a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v2M16 3.1a4 4 0 0 1 0 7.8M21 21v-2a4 4 0 0 0-3-3.9',
  analytics: 'M4 20h16M6 16v-4M11 16V6M16 16v-7',
  security: 'M12 3a12 12 0 0 0 8.5 3A12 12 0 0 1 12 21 12 12 0 0 1 3.5 6 12 12 0 0 0 12 3M9 12l2 2 4-4',
} as const;

type FeatureName = keyof typeof paths;

const FeatureIcon = ({ name }: { name: FeatureName }) => (
  <svg className="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
);

/** Screens of the product, taken by `npm run pictures`. */
const Pictures = () => (
  <Section id="product" title="See what happened" lead="Pictures of Cuebird itself, with the data of an example.">
    <ul className="pictures">
      {pictures.map(({ name, title, text }) => (
        <li key={name}>
          <h3>{title}</h3>
          <p>{text}</p>
          <Picture name={name} title={title} scheme="light" />
          <Picture name={name} title={title} scheme="dark" />
        </li>
      ))}
    </ul>
  </Section>
);

/** A picture in one scheme; the browser shows and loads only the one of its own. */
const Picture = ({ name, title, scheme }: { name: string; title: string; scheme: 'light' | 'dark' }) => (
  <img
    className={`only-${scheme}`}
    src={`/pictures/${name}.${scheme}.webp`}
    width={1200}
    height={750}
    alt={`Screen: ${title}`}
    loading="lazy"
    decoding="async"
  />
);

/** Address and phone number of the operator; those that are not configured are left out. */
const Contact = () => (
  <Section id="contact" title="Contact" lead="A question, or a look at Cuebird together.">
    <ul className="cards contact">
      <When set="supportEmail">
        <li className="card">
          <h3>Email</h3>
          <p>
            <a href={`mailto:${slot('supportEmail')}`}>{slot('supportEmail')}</a>
          </p>
        </li>
      </When>
      <When set="supportPhone">
        <li className="card">
          <h3>Phone</h3>
          <p>
            <a href={`tel:${slot('supportPhoneDigits')}`}>{slot('supportPhone')}</a>
          </p>
        </li>
      </When>
      <li className="card">
        <h3>Schedule Demo</h3>
        <p>Tell us what you would like to see. You get an answer by mail.</p>
        <DemoRequest />
      </li>
    </ul>
  </Section>
);
