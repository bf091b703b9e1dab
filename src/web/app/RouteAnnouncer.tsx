import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { focusHeading, whenHeadingIsThere } from '#web/ui/focus-heading.ts';
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
        focusHeading(heading);
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
