import { Anchor } from '@mantine/core';
import { viewerZone } from '#web/api/viewer-zone.ts';
import classes from './Footer.module.css';
import prose from '#web/ui/prose.module.css';

const year = new Date().getFullYear();

/** Below every screen of the signed-in. */
export function Footer() {
  return (
    <footer className={classes.footer} data-chrome>
      <div className={classes.lines}>
        <p className={prose.plain}>© {year} Cuebird. All rights reserved.</p>
        <nav className={classes.links} aria-label="Footer">
          <Anchor href="/docs">Documentation</Anchor>
          <Anchor href="/privacy">Privacy</Anchor>
          <Anchor href="/terms">Terms</Anchor>
          <Anchor href="/support">Support</Anchor>
        </nav>
        <p className={prose.plain}>Times without a zone are in {viewerZone().replaceAll('_', ' ')}.</p>
      </div>
    </footer>
  );
}
