import { slot } from './slots.ts';

export const Footer = () => (
  <footer className="footer">
    <p>{`© ${slot('year')} Cuebird. All rights reserved.`}</p>
    <nav aria-label="Legal and help">
      <a href="/docs">Documentation</a>
      <a href="/privacy">Privacy</a>
      <a href="/terms">Terms</a>
      <a href="/support">Support</a>
    </nav>
  </footer>
);
