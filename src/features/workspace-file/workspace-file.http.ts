import type { workspaceFileRoutes } from '#contract/workspace-files.ts';
import { exportWorkspace } from '#features/workspace-file/export.service.ts';
import { getProgress, importWorkspace } from '#features/workspace-file/import.service.ts';
import { inCurrent } from '#features/workspaces/in-current.service.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const workspaceFileHandlers: HandlersOf<typeof workspaceFileRoutes> = {
  exportWorkspace: ({ ctx, params }) => exportWorkspace(inCurrent(ctx, params.id)),
  importWorkspace: ({ ctx, params, query, body }) =>
    importWorkspace(inCurrent(ctx, params.id), { ...query, file: body }),
  getWorkspaceImport: async ({ ctx, params }) => ({ latest: await getProgress(inCurrent(ctx, params.id)) }),
};
