import { z } from 'zod';
import { Demos } from '#contract/admin-people.ts';
import { Analytics } from '#contract/analytics.ts';
import { Id, IdParams, InstantText, Page, PageQuery, Text } from '#contract/common.ts';
import { del, get, put } from '#contract/route.ts';
import { roles } from '#contract/workspaces.ts';

export const AdminWorkspace = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  created_at: InstantText,
  subscription_tier: z.string(),
  subscription_status: z.string(),
  /** Until when it can be restored; null unless an owner has deleted it. */
  delete_after: InstantText.nullable(),
  suspended_at: InstantText.nullable(),
  member_count: z.number().int(),
  /** The name of the owner who has been one for longest; null without an owner. */
  owner_name: z.string().nullable(),
  owner_email: z.string().nullable(),
  /** Whether a visitor of the demo created it. */
  is_demo: z.boolean(),
});
export type AdminWorkspace = z.output<typeof AdminWorkspace>;

export const AdminWorkspaceDetails = AdminWorkspace.extend({
  /** 200 at the most: owners first, then admins. */
  members: z.array(
    z.object({
      id: Id,
      full_name: z.string(),
      email: z.string(),
      role: z.enum(roles),
      joined_at: InstantText,
    }),
  ),
});
export type AdminWorkspaceDetails = z.output<typeof AdminWorkspaceDetails>;

const params = z.strictObject(IdParams.shape);

export const adminWorkspaceRoutes = {
  listAdministeredWorkspaces: get('/api/admin/workspaces', {
    access: 'user',
    summary:
      'Workspaces with their number of members, newest first: all of them but demos for administrators of the installation, else those that one administers',
    query: PageQuery.extend({ search: Text(200).optional(), demos: Demos }),
    answer: Page(AdminWorkspace),
  }),
  getAdministeredWorkspace: get('/api/admin/workspaces/:id', {
    access: 'system_admin',
    summary: 'A workspace and its members, for administrators of the installation',
    params,
    answer: AdminWorkspaceDetails,
  }),
  getAdministeredAnalytics: get('/api/admin/workspaces/:id/analytics', {
    access: 'system_admin',
    summary: 'What a workspace has, how its jobs ended, and the latest of them, for administrators of the installation',
    params,
    isCostly: true,
    answer: Analytics.extend({ name: z.string() }),
  }),
  suspendWorkspace: put('/api/admin/workspaces/:id/suspension', {
    access: 'system_admin',
    summary: 'Stop a workspace: nothing of it is sent, and its requests are refused until this is lifted',
    params,
    answer: AdminWorkspace,
  }),
  liftWorkspaceSuspension: del('/api/admin/workspaces/:id/suspension', {
    access: 'system_admin',
    summary: 'Let a suspended workspace go on; what came due meanwhile follows the misfire rules',
    params,
    answer: AdminWorkspace,
  }),
  restoreDeletedWorkspace: del('/api/admin/workspaces/:id/deletion', {
    access: 'system_admin',
    summary: 'Restore a workspace that was deleted less than a week ago',
    params,
    answer: AdminWorkspace,
  }),
};
