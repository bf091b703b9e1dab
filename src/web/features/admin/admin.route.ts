import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { z } from 'zod';
import { signedInRoute } from '#web/app/routes.ts';

const word = z.string().max(40).optional().catch(undefined);
const day = z.iso.date().optional().catch(undefined);

/** The state of the screen in the URL: its tab, one of `AdminPage`, and what the tab searches and filters by. */
const AdminSearch = z.object({
  tab: word,
  search: z.string().max(200).optional().catch(undefined),
  log: z.enum(['application', 'audit', 'gone', 'unknown']).optional().catch(undefined),
  level: word,
  kind: word,
  status: z.enum(['open', 'closed']).optional().catch(undefined),
  demos: z.enum(['true', 'only']).optional().catch(undefined),
  request: z.uuid().optional().catch(undefined),
  workspace: z.uuid().optional().catch(undefined),
  from: day,
  to: day,
});

/** The admin console: the installation for its administrators, for others the workspaces that they administer. */
export const adminRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin',
  validateSearch: (search) => AdminSearch.parse(search),
  loader: ({ context: { queryClient }, location, cause }) => {
    if (cause !== 'enter') return;
    const { tab, log } = AdminSearch.parse(location.search);
    void import('#web/api/admin-overview.ts').then(({ overviewQuery }) => queryClient.prefetchQuery(overviewQuery));
    void import('#web/api/two-factor.ts').then(({ twoFactorQuery }) => queryClient.prefetchQuery(twoFactorQuery));
    if (tab === 'logs' && log === undefined)
      void import('#web/api/admin-logs.ts').then(({ executionsQuery }) => queryClient.prefetchQuery(executionsQuery));
  },
  component: lazyRouteComponent(() => import('./AdminPage.tsx'), 'AdminPage'),
});
