import { viewerZone } from '#web/ui/InstantText.tsx';
import classes from './Footer.module.css';

const year = new Date().getFullYear();

export function Footer() {
  return (
    <footer className={classes.footer} data-chrome>
      <div className={classes.lines}>
        <p>© {year} Cuebird. All rights reserved.</p>
        <p>Times without a zone are in {viewerZone().replaceAll('_', ' ')}.</p>
      </div>
    </footer>
  );
}
