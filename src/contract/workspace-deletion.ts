import { z } from 'zod';
import { Text } from '#contract/common.ts';
import { post } from '#contract/route.ts';
import { Workspace } from '#contract/workspaces.ts';

/** For how many days a deleted workspace can be restored. */
export const restorableDays = 7;

export const workspaceDeletionRoutes = {
  deleteWorkspace: post('/api/workspaces/:id/delete', {
    access: 'owner',
    callers: 'people',
    summary: 'Delete the current workspace; for a week an owner can restore it',
    body: z.strictObject({
      /** The exact name of the workspace, typed to confirm. */
      name: Text(100),
    }),
    needsReauthentication: true,
    answer: Workspace,
  }),
  restoreWorkspace: post('/api/workspaces/:id/restore', {
    access: 'owner',
    callers: 'people',
    whileDeleted: true,
    summary: 'Restore the current workspace, as it was when it was deleted',
    answer: Workspace,
  }),
};
