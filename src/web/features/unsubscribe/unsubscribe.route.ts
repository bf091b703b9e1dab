import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { themedRoute } from '#web/app/routes.ts';

/** Where the link in a mail leads; needs no session. */
export const unsubscribeRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/unsubscribe/$token',
  component: lazyRouteComponent(() => import('./UnsubscribeScreen.tsx'), 'UnsubscribeScreen'),
});
