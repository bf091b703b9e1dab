import type { auditLogRoutes } from '#contract/audit-log.ts';
import { listGoneWorkspaces, listInstallationActs } from '#features/audit-log/installation-log.service.ts';
import { exportActs, listActors, listActs } from '#features/audit-log/audit-log.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const auditLogHandlers: HandlersOf<typeof auditLogRoutes> = {
  listActs: ({ ctx, query }) => listActs(ctx, query),
  listActors: async ({ ctx }) => ({ data: await listActors(ctx), next_cursor: null }),
  exportActs: ({ ctx, query: { workspace: _, ...matches } }) => exportActs(ctx, matches),
  listInstallationActs: ({ ctx, query }) => listInstallationActs(ctx, query),
  listGoneWorkspaces: ({ ctx, query }) => listGoneWorkspaces(ctx, query),
};
