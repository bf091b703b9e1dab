import { components, historyDays, uptimeGoal } from '#contract/status.ts';
import { componentNames } from '#domain/status-words.ts';
import { slot } from '#pages/slots.ts';
import { When } from '#pages/When.tsx';

/** What works at the moment, as the server says, and how it was on each of the last 90 days, which the script fills in. */
export const SystemStatus = () => (
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
