import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';
import { JobsSearch } from './jobs-search.ts';

export const jobsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/jobs',
  validateSearch: (search) => JobsSearch.parse(search),
  component: lazyRouteComponent(() => import('./JobsScreen.tsx'), 'JobsScreen'),
});
