import type { dashboardRoutes } from '#contract/dashboard.ts';
import type { dayRoutes } from '#contract/day.ts';
import { dashboardOf } from '#features/dashboard/dashboard.service.ts';
import { dayOf, deliveryDays } from '#features/dashboard/day.service.ts';
import { dismissFirstSteps } from '#features/dashboard/first-steps.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

type Routes = typeof dashboardRoutes & typeof dayRoutes;

export const dashboardHandlers = (options: { hasSandbox: boolean }): HandlersOf<Routes> => ({
  getDashboard: ({ ctx }) => dashboardOf(ctx, options),
  dismissFirstSteps: ({ ctx }) => dismissFirstSteps(ctx),
  getDay: ({ ctx }) => dayOf(ctx),
  getDeliveryDays: ({ ctx, query }) => deliveryDays(ctx, query),
});
