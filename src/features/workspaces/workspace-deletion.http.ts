import type { workspaceDeletionRoutes } from '#contract/workspace-deletion.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import {
  deleteWorkspace,
  restoreWorkspace,
  stopRunsOfDeleted,
} from '#features/workspaces/workspace-deletion.service.ts';
import { inCurrent } from '#features/workspaces/in-current.service.ts';
import { Forbidden } from '#platform/errors.ts';
import { AfterCommit, type HandlersOf } from '#platform/handler.ts';

type Ports = {
  auth: Pick<Auth, 'sessionOf' | 'mailWorkspaceDeleted'>;
  /** The address at which people open Cuebird. */
  url: () => string;
};

export const workspaceDeletionHandlers = ({ auth, url }: Ports): HandlersOf<typeof workspaceDeletionRoutes> => ({
  deleteWorkspace: ({ ctx, params, body, request }) => {
    const current = inCurrent(ctx, params.id);
    return new AfterCommit(async (inTransaction) => {
      const person = await auth.sessionOf(request.headers);
      if (person?.isDemo === true) throw new Forbidden('The demo workspace cannot be deleted');
      const { workspace, owners } = await inTransaction((db) => deleteWorkspace({ ...current, db }, body));
      await inTransaction((db) => stopRunsOfDeleted(current, db));
      const link = `${url()}/admin/workspace/${workspace.id}/manage`;
      for (const to of owners)
        await auth.mailWorkspaceDeleted({ to, workspace: workspace.name, until: workspace.delete_after ?? '', link });
      return workspace;
    });
  },
  restoreWorkspace: ({ ctx, params }) => restoreWorkspace(inCurrent(ctx, params.id)),
});
