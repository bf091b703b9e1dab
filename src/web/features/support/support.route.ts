import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { themedRoute } from '#web/app/routes.ts';

/** Help for everybody, with or without an account. */
export const supportRoute = createRoute({
  getParentRoute: () => themedRoute,
  path: '/support',
  component: lazyRouteComponent(() => import('./SupportScreen.tsx'), 'SupportScreen'),
});
