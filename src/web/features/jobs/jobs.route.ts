import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '#web/app/routes.ts';
import { readAhead } from '#web/api/workspaces.ts';
import { JobsSearch, ReportSearch } from './jobs-search.ts';

export const jobsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/jobs',
  validateSearch: (search) => JobsSearch.parse(search),
  loader: ({ context: { queryClient }, location, cause }) => {
    if (cause !== 'enter') return;
    const { tab, job: id, recipients: group, recipient: search, event: _, ...of } = JobsSearch.parse(location.search);
    const { status, time, from, to, archived, tests, search: words } = of;
    const filter = { status, time, from, to, archived, tests, search: words };
    const reads = import('#web/api/jobs.ts');
    void readAhead(queryClient, async (workspaceId) => {
      const { prefetchJob, prefetchJobs } = await reads;
      if (id !== undefined) void prefetchJob(queryClient, { id, group, search, workspaceId });
      if (tab === undefined) void prefetchJobs(queryClient, { filter, workspaceId });
    });
  },
  component: lazyRouteComponent(() => import('./JobsScreen.tsx'), 'JobsScreen'),
});

/** The printable report of one job: its messages with exact times, of all people or one. */
export const jobReportRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/jobs/$id/report',
  validateSearch: (search) => ReportSearch.parse(search),
  component: lazyRouteComponent(() => import('./report/JobReportScreen.tsx'), 'JobReportScreen'),
});
