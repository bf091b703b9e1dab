import { useQuery } from '@tanstack/react-query';
import { type CalendarFeed, calendarFeedRoutes } from '#contract/calendar-feeds.ts';
import { useChange } from '#web/api/change.ts';
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
export const useCreateCalendarFeed = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'calendar-feeds')], (shows: CalendarFeed['shows']) =>
    call(calendarFeedRoutes.createCalendarFeed, { body: { shows }, workspaceId }),
  );

export const useEndCalendarFeed = (workspaceId: string) =>
  useChange([keyOf(workspaceId, 'calendar-feeds')], (id: string) =>
    call(calendarFeedRoutes.endCalendarFeed, { params: { id }, workspaceId }),
  );
