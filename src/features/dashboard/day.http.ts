import type { dayRoutes } from '#contract/day.ts';
import { dayOf, deliveryDays } from '#features/dashboard/day.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const dayHandlers: HandlersOf<typeof dayRoutes> = {
  getDay: ({ ctx }) => dayOf(ctx),
  getDeliveryDays: ({ ctx, query }) => deliveryDays(ctx, query),
};
