import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { z } from 'zod';
import { signedInRoute } from '#web/app/routes.ts';

/** The state of the screen in the URL: its tab. */
const ManageSearch = z.object({
  tab: z.enum(['members', 'settings', 'billing']).optional().catch(undefined),
});

/** One workspace of the user, which need not be the current one: its members, settings and plan. */
export const manageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin/workspace/$workspaceId/manage',
  validateSearch: (search) => ManageSearch.parse(search),
  component: lazyRouteComponent(() => import('./ManageScreen.tsx'), 'ManageScreen'),
});
