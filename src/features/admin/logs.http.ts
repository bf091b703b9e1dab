import type { adminLogRoutes } from '#contract/admin-logs.ts';
import { latestExecutions, listLogEntries } from '#features/admin/logs.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const adminLogHandlers: HandlersOf<typeof adminLogRoutes> = {
  listLatestExecutions: ({ ctx }) => latestExecutions(ctx),
  listLogEntries: ({ ctx, query }) => listLogEntries(ctx, query),
};
