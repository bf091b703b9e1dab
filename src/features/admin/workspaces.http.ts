import type { adminWorkspaceRoutes } from '#contract/admin-workspaces.ts';
import * as workspaces from '#features/admin/workspaces.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const adminWorkspaceHandlers: HandlersOf<typeof adminWorkspaceRoutes> = {
  listAdministeredWorkspaces: ({ ctx, query }) => workspaces.listWorkspaces(ctx, query),
  getAdministeredWorkspace: ({ ctx, params }) => workspaces.workspaceDetails(ctx, params.id),
  getAdministeredAnalytics: ({ ctx, params }) => workspaces.workspaceAnalytics(ctx, params.id),
  suspendWorkspace: ({ ctx, params }) => workspaces.setSuspended(ctx, { id: params.id, suspends: true }),
  liftWorkspaceSuspension: ({ ctx, params }) => workspaces.setSuspended(ctx, { id: params.id, suspends: false }),
  restoreDeletedWorkspace: ({ ctx, params }) => workspaces.restoreDeleted(ctx, params.id),
};
