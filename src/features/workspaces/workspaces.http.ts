import type { workspaceRoutes } from '#contract/workspaces.ts';
import { inCurrent } from '#features/workspaces/in-current.service.ts';
import {
  createWorkspace,
  getWorkspace,
  listWorkspaces,
  updateWorkspace,
} from '#features/workspaces/workspaces.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const workspaceHandlers: HandlersOf<typeof workspaceRoutes> = {
  listWorkspaces: async ({ ctx }) => ({ data: await listWorkspaces(ctx), next_cursor: null }),
  createWorkspace: ({ ctx, body }) => createWorkspace(ctx, body),
  getWorkspace: ({ ctx, params }) => getWorkspace(inCurrent(ctx, params.id)),
  updateWorkspace: ({ ctx, params, body }) => updateWorkspace(inCurrent(ctx, params.id), body),
};
