import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';

/** How the signed-in person appears to others. */
export const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/profile',
  component: lazyRouteComponent(() => import('./ProfileScreen.tsx'), 'ProfileScreen'),
});

/** How the signed-in person signs in, and what else belongs to the account. */
export const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./SettingsScreen.tsx'), 'SettingsScreen'),
});
