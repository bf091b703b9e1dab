import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { z } from 'zod';
import { signedInRoute } from '#web/app/routes.ts';

const day = z.iso.date().optional().catch(undefined);

/** The state of the screen in the URL: its tab, and the days of the deliveries. */
const AnalyticsSearch = z.object({
  tab: z.enum(['performance', 'jobs', 'activity', 'usage', 'deliveries']).optional().catch(undefined),
  from: day,
  to: day,
});

/** The figures of one workspace of the user, which need not be the current one. */
export const analyticsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/admin/workspace/$workspaceId/analytics',
  validateSearch: (search) => AnalyticsSearch.parse(search),
  loader: ({ context: { queryClient }, params: { workspaceId }, location, cause }) => {
    if (cause !== 'enter') return;
    const { tab, ...days } = AnalyticsSearch.parse(location.search);
    void Promise.all([import('#web/api/analytics.ts'), import('./day-range.ts')])
      .then(([{ prefetchAnalytics }, { rangeOf }]) =>
        prefetchAnalytics(queryClient, { workspaceId, range: tab === 'deliveries' ? rangeOf(days) : null }),
      )
      // The screen says what failed.
      .catch(() => {});
  },
  component: lazyRouteComponent(() => import('./AnalyticsScreen.tsx'), 'AnalyticsScreen'),
});
