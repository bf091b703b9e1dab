import { z } from 'zod';
import { route } from '#contract/route.ts';

/** Whose figures these are: the installation's, or those of the workspaces that the person owns or administers. */
export const AdminScope = z.enum(['installation', 'workspaces']);
export type AdminScope = z.output<typeof AdminScope>;

export const AdminOverview = z.object({ scope: AdminScope });
export type AdminOverview = z.output<typeof AdminOverview>;

export const adminOverviewRoutes = {
  getAdminOverview: route({
    method: 'get',
    path: '/api/admin/overview',
    access: 'user',
    summary:
      'The figures above the admin console: of the installation for its administrators, else of the own workspaces',
    answer: AdminOverview,
  }),
};
