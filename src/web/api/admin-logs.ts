import { queryOptions, useQuery } from '@tanstack/react-query';
import { adminLogRoutes, type LogLevel } from '#contract/admin-logs.ts';
import { auditLogRoutes } from '#contract/audit-log.ts';
import { adminKey } from '#web/api/admin-overview.ts';
import { type ActFilter, queryOf } from '#web/api/audit-log.ts';
import { call } from '#web/api/client.ts';
import { usePagedList } from '#web/api/paged-list.ts';

export const executionsQuery = queryOptions({
  queryKey: adminKey('executions'),
  queryFn: async ({ signal }) => (await call(adminLogRoutes.listLatestExecutions, { signal })).data,
});

/** The latest executions, of the installation or of the workspaces that one administers. */
export const useLatestExecutions = () => useQuery({ ...executionsQuery, refetchInterval: 30_000 });

/** The log of every process, newest first. */
export const useLogEntries = (filter: { search: string; level: LogLevel | undefined }) =>
  usePagedList({
    queryKey: adminKey('log', filter),
    read: ({ cursor, signal }) =>
      call(adminLogRoutes.listLogEntries, { query: { ...filter, limit: 50, cursor: cursor || undefined }, signal }),
    keepsRows: true,
  });

export type InstallationActFilter = Omit<ActFilter, 'who'> & {
  search: string;
  /** A deleted workspace; undefined for acts that belong to none. */
  workspace?: string | undefined;
};

/** The acts that belong to no workspace, or to a deleted one; newest first. */
export const useInstallationActs = ({ search, workspace, ...filter }: InstallationActFilter) =>
  usePagedList({
    queryKey: adminKey('acts', { search, workspace, ...filter }),
    read: ({ cursor, signal }) =>
      call(auditLogRoutes.listInstallationActs, {
        query: { ...queryOf(filter), search, workspace, limit: 50, cursor: cursor || undefined },
        signal,
      }),
    keepsRows: true,
  });

/** Workspaces that were deleted for good. */
export const useGoneWorkspaces = () =>
  usePagedList({
    queryKey: adminKey('gone-workspaces'),
    read: ({ cursor, signal }) =>
      call(auditLogRoutes.listGoneWorkspaces, { query: { limit: 50, cursor: cursor || undefined }, signal }),
  });
