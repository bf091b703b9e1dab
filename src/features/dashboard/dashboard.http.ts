import type { dashboardRoutes } from '#contract/dashboard.ts';
import { dashboardOf } from '#features/dashboard/dashboard.service.ts';
import { dismissFirstSteps } from '#features/dashboard/first-steps.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const dashboardHandlers = (options: { hasSandbox: boolean }): HandlersOf<typeof dashboardRoutes> => ({
  getDashboard: ({ ctx }) => dashboardOf(ctx, options),
  dismissFirstSteps: async ({ ctx }) => {
    await dismissFirstSteps(ctx);
    return {};
  },
});
