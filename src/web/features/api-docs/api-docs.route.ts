import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';
import { ApiDocsSearch } from './api-docs-search.ts';

/** The documentation of the API, which is open to all. */
export const apiDocsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/api-docs',
  validateSearch: (search) => ApiDocsSearch.parse(search),
  component: lazyRouteComponent(() => import('./ApiDocsScreen.tsx'), 'ApiDocsScreen'),
});
