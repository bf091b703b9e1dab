import { viewerZone } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import classes from './Footer.module.css';

const year = new Date().getFullYear();

/** Below every screen of the signed-in. */
export function Footer() {
  return (
    <footer className={classes.footer} data-chrome>
      <div className={classes.lines}>
        <p>© {year} Cuebird. All rights reserved.</p>
        <nav className={classes.links} aria-label="Footer">
          <TextLink to="/privacy">Privacy</TextLink>
          <TextLink to="/terms">Terms</TextLink>
          <TextLink to="/support">Support</TextLink>
        </nav>
        <p>Times without a zone are in {viewerZone().replaceAll('_', ' ')}.</p>
      </div>
    </footer>
  );
}
