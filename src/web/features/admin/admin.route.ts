import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { z } from 'zod';
import { signedInRoute } from '#web/app/routes.ts';

/** The state of the screen in the URL: its tab, one of `AdminPage`. */
const AdminSearch = z.object({ tab: z.string().max(20).optional().catch(undefined) });

/** The admin console: the installation for its administrators, for others the workspaces that they administer. */
export const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin',
  validateSearch: (search) => AdminSearch.parse(search),
  component: lazyRouteComponent(() => import('./AdminPage.tsx'), 'AdminPage'),
});
