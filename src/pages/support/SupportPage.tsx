import { Brand } from '#pages/Brand.tsx';
import { ContactCards } from './ContactCards.tsx';
import { questions } from './questions.tsx';
import { RequestForm } from './RequestForm.tsx';
import { SystemStatus } from './SystemStatus.tsx';

/** The ways to get help, what works at the moment, and what people ask most. Without bar and footer. */
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
