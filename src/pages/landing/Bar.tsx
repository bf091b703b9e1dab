import { Brand } from '#pages/Brand.tsx';
import type { LandingProps } from './LandingPage.tsx';

/** Fixed at the top; on a phone the sections are a line of their own. */
export const Bar = ({ isSignedIn }: LandingProps) => (
  <header className="bar">
    <div className="bar-lines">
      <Brand label="Cuebird, to the top" />
      <nav aria-label="Sections">
        <a href="#features">Features</a>
        <a href="#pricing">Pricing</a>
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
              Start Free Trial
            </a>
          </>
        )}
      </div>
    </div>
  </header>
);
