import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import classes from './RouteAnnouncer.module.css';

/**
 * Announces the new screen to screen readers after a navigation, and moves the focus to its heading. Browsers do this
 * only on a full page load.
 */
export function RouteAnnouncer() {
  const router = useRouter();
  const [title, setTitle] = useState('');
  useEffect(() => {
    let stop = () => {};
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
      if (fromLocation === undefined || fromLocation.pathname === toLocation.pathname) return;
      stop();
      stop = whenHeadingIsThere((heading) => {
        setTitle(document.title);
        // Some screens focus an input of their own.
        if (!document.querySelector('main')?.contains(document.activeElement)) focusHeading(heading);
      });
    });
    return () => {
      stop();
      unsubscribe();
    };
  }, [router]);
  return (
    <div className={classes.announcer} role="status" aria-live="polite" data-testid="route-announcer">
      {title}
    </div>
  );
}

/** Calls back when the heading is rendered: screens load lazily, and some headings wait for their data. */
function whenHeadingIsThere(found: (heading: HTMLElement) => void): () => void {
  const look = () => {
    const heading = document.querySelector('h1');
    if (!(heading instanceof HTMLElement)) return false;
    // The screen sets the tab's title after it renders.
    setTimeout(() => found(heading));
    return true;
  };
  if (look()) return () => {};
  const watch = new MutationObserver(() => look() && watch.disconnect());
  watch.observe(document.body, { childList: true, subtree: true });
  return () => watch.disconnect();
}

function focusHeading(heading: HTMLElement): void {
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
