import './mantine.ts';
import './global.css';
import '@fontsource-variable/inter/wght.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useIsPhone } from '#web/ui/use-is-phone.ts';
import { cssVariables, theme } from './theme.ts';

// public/theme.js reads the same key before the first paint.
const colorSchemeManager = localStorageColorSchemeManager({ key: 'cuebird.theme' });

/** Cuebird's design around a page. */
export function Themed({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <Toasts />
      {children}
    </MantineProvider>
  );
}

/** At the top of a phone's screen, where neither the keyboard nor a form's button is. */
function Toasts() {
  const isPhone = useIsPhone();
  return (
    <Notifications
      position={isPhone ? 'top-center' : 'bottom-right'}
      containerWidth={400}
      transitionDuration={180}
      limit={8}
    />
  );
}

/** As a route component. */
export function ThemedOutlet() {
  return (
    <Themed>
      <Outlet />
    </Themed>
  );
}
