import type { Query, QueryClient } from '@tanstack/react-query';
import type { Change } from '#contract/realtime.ts';
import { workspacesQuery } from '#web/api/workspaces.ts';

const throttleMs = 300;

export type LiveRefresh = {
  /** Refetches the workspace's queries that watch the table. */
  changed(table: Change['table']): void;
  /** Refetches all queries of the workspace: anything may have changed. */
  missed(): void;
};

/**
 * Batches changes briefly and then refetches what they concern: a burst costs one request per query. A background tab only marks queries
 * as stale; it refetches them when it becomes visible.
 */
export function createLiveRefresh(queryClient: QueryClient, workspaceId: string): LiveRefresh {
  const tables = new Set<string>();
  const waiting = new WeakSet<Query>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasMissed = false;

  function refresh(): void {
    timer = undefined;
    const isOfWorkspaces = ({ queryKey }: Query) => queryKey[0] === workspacesQuery.queryKey[0];
    const isConcerned = (query: Query) =>
      isOfWorkspaces(query)
        ? hasMissed || tables.has('workspaces')
        : query.queryKey[0] === workspaceId &&
          (hasMissed || (query.meta?.watches ?? []).some((table) => tables.has(table)));
    const concerned = queryClient.getQueryCache().getAll().filter(isConcerned);
    tables.clear();
    hasMissed = false;
    for (const query of concerned) void refetch(query);
  }

  /**
   * Refetches a query, also after a fetch in progress, which may have read the old state. That is not cancelled: if changes came faster than answers,
   * none would ever arrive.
   */
  async function refetch(query: Query): Promise<void> {
    if (waiting.has(query)) return;
    waiting.add(query);
    while (query.state.fetchStatus === 'fetching') await query.fetch().catch(() => {});
    waiting.delete(query);
    const refetchType = document.hidden ? 'none' : 'active';
    await queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true, refetchType });
  }

  return {
    changed(table) {
      tables.add(table);
      timer ??= setTimeout(refresh, throttleMs);
    },
    missed() {
      hasMissed = true;
      timer ??= setTimeout(refresh, throttleMs);
    },
  };
}
