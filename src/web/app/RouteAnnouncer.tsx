import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import classes from './RouteAnnouncer.module.css';

/**
 * Tells screen readers which screen came after a click, and takes the keyboard to its heading. A browser does both by itself
 * only where it loads a page anew.
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
        // Some screens take the keyboard to where one types.
        if (!document.getElementById('content')?.contains(document.activeElement)) focusHeading(heading);
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

/** Screens come lazily, with their data or before it. */
function whenHeadingIsThere(found: (heading: HTMLElement) => void): () => void {
  const look = () => {
    const heading = document.querySelector('h1');
    if (!(heading instanceof HTMLElement)) return false;
    // The screen names the tab after it is drawn.
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
