import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { themedRoute } from '#web/app/routes.ts';
import { sessionOrNull } from '#web/app/session-guard.ts';

/** The one-time link that the terminal prints. */
export const adminSetupRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/setup',
  beforeLoad: async ({ context: { queryClient } }) => void (await sessionOrNull(queryClient)),
  component: lazyRouteComponent(() => import('./AdminSetupScreen.tsx'), 'AdminSetupScreen'),
});
