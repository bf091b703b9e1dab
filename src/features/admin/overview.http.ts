import type { adminOverviewRoutes } from '#contract/admin-overview.ts';
import { adminOverview } from '#features/admin/overview.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const adminOverviewHandlers: HandlersOf<typeof adminOverviewRoutes> = {
  getAdminOverview: ({ ctx, query }) => adminOverview(ctx, query),
};
