import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { signedInRoute, themedRoute } from '#web/app/routes.ts';
import { sessionOrNull } from '#web/app/session-guard.ts';
import { rememberReturnPath } from '#web/features/admin-setup/return-path.ts';

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

/** The link of a mail: the new address of an account. Without a session the person returns to it after signing in. */
export const confirmEmailRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/auth/confirm-email',
  beforeLoad: async ({ context: { queryClient }, location, preload }) => {
    const isSignedIn = (await sessionOrNull(queryClient)) !== null;
    if (!preload) rememberReturnPath(isSignedIn ? null : location.href);
    if (!isSignedIn) throw redirect({ to: '/auth' });
  },
  component: lazyRouteComponent(() => import('./ConfirmEmailScreen.tsx'), 'ConfirmEmailScreen'),
});
