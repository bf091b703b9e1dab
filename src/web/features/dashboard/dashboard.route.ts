import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';

export const dashboardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dashboard',
  component: lazyRouteComponent(() => import('./DashboardScreen.tsx'), 'DashboardScreen'),
});
