import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import type { ChannelType } from '#contract/reminders.ts';
import { type SuppressionInput, type SuppressionReason, suppressionRoutes } from '#contract/suppressions.ts';
import { call } from '#web/api/client.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';

const pageSize = 100;

export type SuppressionFilters = { search?: string; channel?: ChannelType; reason?: SuppressionReason };

/** Who is not written to, the newest first; `data` is one flat list of the pages loaded so far. */
export function useSuppressions(filters: SuppressionFilters) {
  const workspaceId = useWorkspaceId();
  return useInfiniteQuery({
    queryKey: [workspaceId, 'suppressions', filters],
    queryFn: ({ pageParam, signal }) =>
      call(suppressionRoutes.listSuppressions, { query: { ...filters, limit: pageSize, cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
    meta: { watches: ['suppressions', 'contacts'] },
  });
}

/** Puts somebody onto the list; done once the list shows it. */
export function useAddSuppression() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (body: z.input<typeof SuppressionInput>) => call(suppressionRoutes.addSuppression, { body }),
    onSuccess: refresh,
  });
}

/** Takes somebody off the list; done once the list shows it. */
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
  return () => queryClient.invalidateQueries({ queryKey: [workspaceId, 'suppressions'] });
}
