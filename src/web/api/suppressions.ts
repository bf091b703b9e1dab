import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { ChannelType } from '#contract/channel-types.ts';
import { type SuppressionInput, type SuppressionReason, suppressionRoutes } from '#contract/suppressions.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { usePagedList } from '#web/api/paged-list.ts';
import { keyOf } from '#web/api/query-key.ts';

const pageSize = 100;

export type SuppressionFilters = { search?: string; channel?: ChannelType; reason?: SuppressionReason };

/** The suppression list, newest first; `data` is one flat list of the pages loaded so far. */
export function useSuppressions(filters: SuppressionFilters) {
  const workspaceId = useWorkspaceId();
  return usePagedList({
    queryKey: keyOf(workspaceId, 'suppressions', 'list', filters),
    read: ({ cursor, signal }) =>
      call(suppressionRoutes.listSuppressions, { query: { ...filters, limit: pageSize, cursor }, signal }),
    watches: ['suppressions', 'contacts'],
    keepsRows: true,
  });
}

/** Adds a suppression; resolves after the list is refetched. */
export function useAddSuppression() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: z.input<typeof SuppressionInput>) => call(suppressionRoutes.addSuppression, { body }),
    onSuccess: refresh,
  });
}

/** Removes a suppression; resolves after the list is refetched. */
export function useRemoveSuppression() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => call(suppressionRoutes.removeSuppression, { params: { id } }),
    onSuccess: refresh,
  });
}

/** Refetches the list now, without waiting for the change stream. */
function useRefresh(): () => Promise<void> {
  const queryClient = useQueryClient();
  const workspaceId = useWorkspaceId();
  return () => queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'suppressions') });
}
