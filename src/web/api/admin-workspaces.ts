import { useQuery } from '@tanstack/react-query';
import type { Demos } from '#contract/admin-people.ts';
import { adminWorkspaceRoutes } from '#contract/admin-workspaces.ts';
import { adminKey } from '#web/api/admin-overview.ts';
import { useChange } from '#web/api/change.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';

const pageSize = 20;

/** The workspaces of the installation, or those that one administers, newest first. */
export const useAdministeredWorkspaces = ({ search, demos }: { search: string; demos: Demos | undefined }) =>
  usePagedList({
    queryKey: adminKey('workspaces', { search, demos }),
    read: ({ cursor, signal }) =>
      call(adminWorkspaceRoutes.listAdministeredWorkspaces, {
        query: { search, demos, limit: pageSize, cursor: cursor || undefined },
        signal,
      }),
    keepsRows: true,
  });

/** Any workspace, for administrators of the installation. */
export const useAdministeredWorkspace = (id: string) =>
  useQuery({
    queryKey: adminKey('workspaces', 'one', id),
    queryFn: ({ signal }) => call(adminWorkspaceRoutes.getAdministeredWorkspace, { params: { id }, signal }),
  });

/** The figures of any workspace, for administrators of the installation. */
export const useAdministeredAnalytics = (id: string) =>
  useQuery({
    queryKey: adminKey('workspaces', 'analytics', id),
    queryFn: ({ signal }) => call(adminWorkspaceRoutes.getAdministeredAnalytics, { params: { id }, signal }),
    refetchInterval: (query) => (query.state.error === null ? 60_000 : false),
  });

const routes = {
  suspend: adminWorkspaceRoutes.suspendWorkspace,
  liftSuspension: adminWorkspaceRoutes.liftWorkspaceSuspension,
  restore: adminWorkspaceRoutes.restoreDeletedWorkspace,
};
export type WorkspaceAct = keyof typeof routes;

/** Acts on a workspace; resolves after the console shows it. */
export const useActOnWorkspace = () =>
  useChange([['admin']], ({ act, id }: { act: WorkspaceAct; id: string }) => call(routes[act], { params: { id } }));
