import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { z } from 'zod';
import { signedInRoute } from '#web/app/routes.ts';

const day = z.iso.date().optional().catch(undefined);

/** The state of the screen in the URL: its tab, and the filter of the audit log. */
const ManageSearch = z.object({
  tab: z
    .enum(['members', 'settings', 'topics', 'keys', 'webhooks', 'reports', 'billing', 'audit'])
    .optional()
    .catch(undefined),
  /** The dialog that the Members tab opens, where a command of the palette asked for it. */
  open: z.enum(['invite']).optional().catch(undefined),
  who: z.uuid().optional().catch(undefined),
  kind: z.string().max(40).optional().catch(undefined),
  from: day,
  to: day,
});

/** One workspace of the user, which need not be the current one: its members, settings and plan. */
export const manageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin/workspace/$workspaceId/manage',
  validateSearch: (search) => ManageSearch.parse(search),
  component: lazyRouteComponent(() => import('./ManageScreen.tsx'), 'ManageScreen'),
});
