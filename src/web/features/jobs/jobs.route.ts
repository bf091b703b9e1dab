import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';
import { JobsSearch } from './jobs-search.ts';

export const jobsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/jobs',
  validateSearch: (search) => JobsSearch.parse(search),
  component: lazyRouteComponent(() => import('./JobsScreen.tsx'), 'JobsScreen'),
});

/** The printable report of one job: all deliveries with exact times. */
export const jobReportRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/jobs/$id/report',
  component: lazyRouteComponent(() => import('./report/JobReportScreen.tsx'), 'JobReportScreen'),
});
