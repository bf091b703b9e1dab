import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CalendarFeed, calendarFeedRoutes } from '#contract/calendar-feeds.ts';
import { call } from '#web/api/client.ts';
import { keyOf } from '#web/api/query-key.ts';

/** The person's own calendar feeds of a workspace. */
export const useCalendarFeeds = (workspaceId: string) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'calendar-feeds'),
    queryFn: async ({ signal }) =>
      (await call(calendarFeedRoutes.listCalendarFeeds, { workspaceId, signal })).data satisfies CalendarFeed[],
  });

/** Resolves with the feed's address, which no other answer contains. */
export function useCreateCalendarFeed(workspaceId: string) {
  const refresh = useRefresh(workspaceId);
  return useMutation({
    mutationFn: (shows: CalendarFeed['shows']) =>
      call(calendarFeedRoutes.createCalendarFeed, { body: { shows }, workspaceId }),
    onSuccess: refresh,
  });
}

export function useEndCalendarFeed(workspaceId: string) {
  const refresh = useRefresh(workspaceId);
  return useMutation({
    mutationFn: (id: string) => call(calendarFeedRoutes.endCalendarFeed, { params: { id }, workspaceId }),
    onSuccess: refresh,
  });
}

function useRefresh(workspaceId: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: keyOf(workspaceId, 'calendar-feeds') });
}
