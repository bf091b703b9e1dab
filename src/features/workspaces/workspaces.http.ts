import type { workspaceRoutes } from '#contract/workspaces.ts';
import {
  createWorkspace,
  listMembers,
  listWorkspaces,
  updateWorkspace,
} from '#features/workspaces/workspaces.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const workspaceHandlers: HandlersOf<typeof workspaceRoutes> = {
  listWorkspaces: async ({ ctx }) => ({ data: await listWorkspaces(ctx), next_cursor: null }),
  createWorkspace: ({ ctx, body }) => createWorkspace(ctx, body),
  updateWorkspace: ({ ctx, params, body }) => updateWorkspace(current(ctx, params.id), body),
  listMembers: async ({ ctx, params }) => ({ data: await listMembers(current(ctx, params.id)), next_cursor: null }),
};

/** The path and the header must name the same workspace; another one is a stranger's. */
function current<C extends TenantContext>(ctx: C, id: string): C {
  if (id !== ctx.workspaceId) throw new NotFound('workspace');
  return ctx;
}
