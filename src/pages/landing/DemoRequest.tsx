import { demoRequestLimits } from '#contract/demo-requests.ts';

export const DemoButton = () => (
  <a className="button large" href="#schedule-demo" data-opens="schedule-demo">
    Schedule Demo
  </a>
);

/** The button with its form, which opens by its address where there is no script. */
export const DemoRequest = () => (
  <>
    <DemoButton />
    <dialog id="schedule-demo" className="dialog" aria-labelledby="schedule-demo-title">
      <div className="dialog-head">
        <h2 id="schedule-demo-title">Schedule Demo</h2>
        <form method="dialog">
          <button className="button quiet" type="submit" aria-label="Close">
            ×
          </button>
        </form>
      </div>
      <noscript>
        <p>This form needs JavaScript.</p>
      </noscript>
      <form className="fields" data-request="/api/demo-requests">
        <label>
          Name
          <input name="name" required maxLength={demoRequestLimits.name} autoComplete="name" />
        </label>
        <label>
          Email
          <input name="email" type="email" required maxLength={demoRequestLimits.email} autoComplete="email" />
        </label>
        <label>
          What would you like to see?
          <textarea name="message" rows={4} maxLength={demoRequestLimits.message} />
        </label>
        {/* A field that people do not see: only programs fill it in. */}
        <label className="trap" aria-hidden="true">
          Website
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
        <p className="answer" role="status" hidden />
        <button className="button primary" type="submit">
          Ask for a demo
        </button>
      </form>
    </dialog>
  </>
);
