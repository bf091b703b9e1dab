import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { themedRoute } from '#web/app/routes.ts';
import { sessionOrNull } from '#web/app/session-guard.ts';
import { rememberReturnPath } from './return-path.ts';

/** The one-time link that the terminal prints; without a session the user returns to it after signing in. */
export const adminSetupRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/setup',
  beforeLoad: async ({ context: { queryClient }, location, preload }) => {
    const isSignedIn = (await sessionOrNull(queryClient)) !== null;
    if (!preload) rememberReturnPath(isSignedIn ? null : location.href);
    if (!isSignedIn) throw redirect({ to: '/auth' });
  },
  component: lazyRouteComponent(() => import('./AdminSetupScreen.tsx'), 'AdminSetupScreen'),
});
