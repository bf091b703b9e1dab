import type { analyticsRoutes } from '#contract/analytics.ts';
import { analyticsOf, deliveryAnalytics, exportDeliveries } from '#features/analytics/analytics.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const analyticsHandlers: HandlersOf<typeof analyticsRoutes> = {
  getAnalytics: ({ ctx }) => analyticsOf(ctx),
  getDeliveryAnalytics: ({ ctx, query }) => deliveryAnalytics(ctx, query),
  exportDeliveryAnalytics: ({ ctx, query: { workspace: _, ...range } }) => exportDeliveries(ctx, range),
};
