import type { ReactNode } from 'react';
import { components, historyDays, uptimeGoal } from '#contract/status.ts';
import { supportAnswerHours, supportCategories, supportCategoryNames, supportLimits } from '#contract/support.ts';
import { componentNames } from '#domain/status-words.ts';
import { Brand } from '#pages/Brand.tsx';
import { slot } from '#pages/slots.ts';
import { Unless, When } from '#pages/When.tsx';
import { questions } from './questions.tsx';

/** Ways to get help, the state of the system, and frequent questions. Without bar and footer. */
export const SupportPage = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <main id="main" className="support" data-signed-in={isSignedIn || undefined}>
    <Brand label="Cuebird, to the first page" />
    <h1>Support</h1>
    <p className="lead">Ask us, see what works at the moment, or find the answer below.</p>
    <SystemStatus />
    <ContactCards />
    <div className="columns">
      <section className="card" aria-labelledby="request">
        <h2 id="request">Send a request</h2>
        <RequestForm />
      </section>
      <section className="card" aria-labelledby="learn">
        <h2 id="learn">Learn more</h2>
        <a className="button" href="/docs">
          Documentation
        </a>
        <a className="button" href="/docs/tutorials">
          Video tutorials
        </a>
        <p className="quiet">How everything works, and three short walk-throughs.</p>
      </section>
    </div>
    <section aria-labelledby="questions">
      <h2 id="questions">Frequently asked questions</h2>
      <div className="card questions">
        {questions.map(({ question, answer }) => (
          <details key={question} name="questions">
            <summary>{question}</summary>
            {answer}
          </details>
        ))}
      </div>
    </section>
  </main>
);

/** The state of the system, filled in by the server, and that of each of the last 90 days, filled in by the script. */
const SystemStatus = () => (
  <section className="card status" aria-label="System status">
    <div className="headline" data-state={slot('statusState')} role="status">
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <path className="operational" d="M5 12l5 5L20 7" />
        <path className="degraded" d="M12 9v4M12 16.5v.01M12 4l9 16H3z" />
        <path className="down" d="M18 6L6 18M6 6l12 12" />
      </svg>
      <h2>{slot('statusHeadline')}</h2>
    </div>
    <p className="answer" data-bad hidden>
      <span /> <button type="button">Try again</button>
    </p>
    <noscript>
      <style>{'.components { display: none }'}</style>
      <When set="statusTroubles">
        <p>{slot('statusTroubles')}</p>
      </When>
      <p className="quiet">The history of the last {historyDays} days needs JavaScript.</p>
    </noscript>
    <div className="components">
      <ul>
        {components.map((component) => (
          <li key={component} data-component={component}>
            <div className="component">
              <strong>{componentNames[component]}</strong>
              <span className="state" />
            </div>
            <div className="history" role="img" aria-label={`${componentNames[component]}: being loaded`}>
              {Array.from({ length: historyDays }, (_, day) => (
                <span key={day} />
              ))}
            </div>
            <div className="scale" aria-hidden="true">
              <span>{historyDays} days ago</span>
              <span className="uptime" />
              <span>Today</span>
            </div>
          </li>
        ))}
      </ul>
      <p className="quiet">
        Each bar is one of the last {historyDays} days (UTC). A minute in which nothing answered counts as down. The
        goal is {uptimeGoal}% uptime.
      </p>
    </div>
  </section>
);

/** Ways to contact support: by mail, by chat, by phone. */
const ContactCards = () => (
  <div className="contacts">
    <Contact
      icon="mail"
      title="Email support"
      note={
        <>
          <When set="supportEmail">Response within {supportAnswerHours} hours</When>
          <Unless set="supportEmail">Read by the administrators of this installation</Unless>
        </>
      }
    >
      <p className="address">
        <When set="supportEmail">
          <a href={`mailto:${slot('supportEmail')}`}>{slot('supportEmail')}</a>
        </When>
        <Unless set="supportEmail">Use the form below.</Unless>
      </p>
    </Contact>
    <Contact
      icon="chat"
      title="Live chat"
      note="Mon-Fri 9 AM-6 PM PST"
      badge={<span className="badge">Coming Soon</span>}
    />
    <Contact icon="phone" title="Phone support" note={<When set="billing">Enterprise only</When>}>
      <p className="address" data-without-phone>
        <When set="billing">The number is shown here once a workspace of yours has the plan.</When>
        <Unless set="billing">The administrators of this installation know the number, if there is one.</Unless>
      </p>
      <p className="address" data-with-phone hidden>
        <When set="supportPhone">
          <a href={`tel:${slot('supportPhoneDigits')}`}>{slot('supportPhone')}</a>
        </When>
        <Unless set="supportPhone">This installation names no number.</Unless>
      </p>
    </Contact>
  </div>
);

const icons = {
  mail: 'M3 7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zM3 7l9 6 9-6',
  chat: 'M4 4h16v12H8l-4 4zM8 9h8M8 12h5',
  phone: 'M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 6a2 2 0 0 1 2-2',
} as const;

type ContactProps = {
  icon: keyof typeof icons;
  title: string;
  note: ReactNode;
  badge?: ReactNode;
  children?: ReactNode;
};

const Contact = ({ icon, title, note, badge, children }: ContactProps) => (
  <section className="card" aria-label={title}>
    <div className="contact">
      <svg className="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d={icons[icon]} />
      </svg>
      <h2>{title}</h2>
      {badge}
    </div>
    <p className="quiet">{note}</p>
    {children}
  </section>
);

/** The form of a request to support, which needs no account. Without a script it shows the mail address instead. */
const RequestForm = () => (
  <>
    <noscript>
      <style>{'[data-support-request] { display: none }'}</style>
      <p>
        <When set="supportEmail">
          This form needs JavaScript. Write to <a href={`mailto:${slot('supportEmail')}`}>{slot('supportEmail')}</a>{' '}
          instead.
        </When>
        <Unless set="supportEmail">This form needs JavaScript.</Unless>
      </p>
    </noscript>
    <form className="fields" method="post" noValidate data-support-request="/api/support-requests">
      <Field name="email" label="Email">
        <input {...inputNamed('email')} type="email" autoComplete="email" />
      </Field>
      <Field name="category" label="Category">
        <select {...inputNamed('category')} defaultValue="">
          <option value="" hidden>
            Choose one
          </option>
          {supportCategories.map((category) => (
            <option key={category} value={category}>
              {supportCategoryNames[category]}
            </option>
          ))}
        </select>
      </Field>
      <Field name="subject" label="Subject">
        <input {...inputNamed('subject')} maxLength={supportLimits.subject} autoComplete="off" />
      </Field>
      <Field name="message" label="Message">
        <textarea {...inputNamed('message')} rows={6} maxLength={supportLimits.message} />
      </Field>
      {/* A field that people do not see: only programs fill it in. */}
      <label className="trap" aria-hidden="true">
        Leave this empty
        <input name="leave_empty" tabIndex={-1} autoComplete="off" />
      </label>
      <div className="answer" role="status" />
      <div>
        <button className="button primary" type="submit">
          Submit request
        </button>
      </div>
    </form>
  </>
);

type Name = 'email' | 'category' | 'subject' | 'message';

const inputNamed = (name: Name) => ({ id: name, name, required: true, 'aria-describedby': `${name}-problem` }) as const;

const Field = ({ name, label, children }: { name: Name; label: string; children: ReactNode }) => (
  <div className="field">
    <label htmlFor={name}>{label}</label>
    {children}
    <p className="problem" id={`${name}-problem`} />
  </div>
);
