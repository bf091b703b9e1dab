import type { LandingProps } from './LandingPage.tsx';

/** Fixed at the top; on a phone the sections are a line of their own. */
export const Bar = ({ isSignedIn }: LandingProps) => (
  <header className="bar">
    <div className="bar-lines">
      <a className="brand" href="/" aria-label="Cuebird, to the top">
        <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
          <path className="head" d="M2 29V14A12 12 0 0 1 26 14A12 12 0 0 1 14 26H9Z" />
          <path className="wing" d="M2 29V19A8 8 0 0 1 12 19A9 9 0 0 1 9 26Z" />
          <path className="beak" d="M25.4 9.5L32 14L25.4 18.5Z" />
          <circle className="eye" cx="18" cy="11.5" r="2.4" />
        </svg>
        Cuebird
      </a>
      <nav aria-label="Sections">
        <a href="#features">Features</a>
        <a href="#pricing">Pricing</a>
        <a href="#contact">Contact</a>
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
              Start Free Trial
            </a>
          </>
        )}
      </div>
    </div>
  </header>
);
