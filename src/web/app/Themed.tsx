import './mantine.ts';
import './global.css';
import './print.css';
import '@fontsource-variable/inter/wght.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { Reauthentication } from '#web/features/auth/Reauthentication.tsx';
import { HintLayer } from '#web/ui/HintLayer.tsx';
import { RouteAnnouncer } from './RouteAnnouncer.tsx';
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
