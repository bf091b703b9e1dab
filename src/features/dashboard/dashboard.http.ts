import type { dashboardRoutes } from '#contract/dashboard.ts';
import { dashboardOf } from '#features/dashboard/dashboard.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const dashboardHandlers: HandlersOf<typeof dashboardRoutes> = {
  getDashboard: ({ ctx }) => dashboardOf(ctx),
};
