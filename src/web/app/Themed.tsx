import './mantine.ts';
import './global.css';
import './print.css';
import '@fontsource-variable/inter/wght.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Outlet, useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Reauthentication } from '#web/features/auth/Reauthentication.tsx';
import { focusHeading, whenHeadingIsThere } from '#web/ui/focus-heading.ts';
import { HintLayer } from '#web/ui/HintLayer.tsx';
import classes from './Themed.module.css';
import { cssVariables, theme } from './theme.ts';

// Toasts and the cover of maintenance load in parallel with the screen; toasts raised before that are shown once they are loaded.
const Overlays = lazy(() => import('./Overlays.tsx'));

// public/theme.js reads the same key before the first paint.
const colorSchemeManager = localStorageColorSchemeManager({ key: 'cuebird.theme' });

/** Cuebird's design for a page. */
export function Themed({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <Suspense>
        <Overlays />
      </Suspense>
      {children}
      <Reauthentication />
      <HintLayer />
    </MantineProvider>
  );
}

/** `Themed` as a route component. */
export function ThemedOutlet() {
  return (
    <Themed>
      <Outlet />
      <RouteAnnouncer />
    </Themed>
  );
}

/**
 * Announces the new screen to screen readers after a navigation, and moves the focus to its heading. Browsers do this
 * only on a full page load.
 */
function RouteAnnouncer() {
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
