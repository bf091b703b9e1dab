import { useQuery } from '@tanstack/react-query';
import type { ActKind } from '#contract/acts.ts';
import { auditLogRoutes } from '#contract/audit-log.ts';
import { call } from '#web/api/client.ts';
import { fileUrl } from '#web/api/file-url.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { keyOf } from '#web/api/query-key.ts';

/** `from` and `to` are days of the viewer such as 2026-11-24; both are included. */
export type ActFilter = {
  who?: string | undefined;
  kind?: ActKind | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

export const queryOf = ({ who, kind, from, to }: ActFilter) => ({
  who,
  kind,
  from: from === undefined ? undefined : startOfDay(from),
  to: to === undefined ? undefined : startOfDay(to, { later: 1 }),
});

/** The instant at which a day of the viewer begins, or the day `later` days after it. */
function startOfDay(day: string, { later = 0 } = {}): string {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + later);
  return at.toISOString();
}

/** The audit log of a workspace, newest first. */
export const useActs = (workspaceId: string, filter: ActFilter) =>
  usePagedList({
    queryKey: keyOf(workspaceId, 'audit-log', 'list', filter),
    read: ({ cursor, signal }) =>
      call(auditLogRoutes.listActs, {
        query: { ...queryOf(filter), limit: 50, cursor: cursor || undefined },
        workspaceId,
        signal,
      }),
    keepsRows: true,
  });

/** Everybody and every API key in the log. */
export const useActors = (workspaceId: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'audit-log', 'actors'),
    queryFn: async ({ signal }) => (await call(auditLogRoutes.listActors, { workspaceId, signal })).data,
  });

/** The URL of the acts that match a filter, as a file. */
export const actsFileUrl = (workspaceId: string, filter: ActFilter) =>
  fileUrl(auditLogRoutes.exportActs.path, { ...queryOf(filter), workspace: workspaceId });
