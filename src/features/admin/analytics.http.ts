import type { Pool } from 'pg';
import type { adminAnalyticsRoutes } from '#contract/admin-analytics.ts';
import { installationAnalytics } from '#features/admin/analytics.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const adminAnalyticsHandlers = ({ pool }: { pool: Pool }): HandlersOf<typeof adminAnalyticsRoutes> => ({
  getInstallationAnalytics: ({ ctx, query }) => installationAnalytics(ctx, { pool, days: Number(query.days) }),
});
