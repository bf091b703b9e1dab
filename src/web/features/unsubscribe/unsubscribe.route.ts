import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { themedRoute } from '#web/app/routes.ts';

/** The target of the unsubscribe link; needs no session. */
export const unsubscribeRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/unsubscribe/$token',
  component: lazyRouteComponent(() => import('./UnsubscribeScreen.tsx'), 'UnsubscribeScreen'),
});
