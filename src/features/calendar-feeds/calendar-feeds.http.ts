import type { calendarFeedRoutes } from '#contract/calendar-feeds.ts';
import { createFeed, endFeed, listFeeds } from '#features/calendar-feeds/calendar-feeds.service.ts';
import { type CalendarPorts, readCalendar } from '#features/calendar-feeds/read-calendar.service.ts';
import type { HandlersOf } from '#platform/handler.ts';
import { hopsIn } from '#platform/hops.ts';

export const calendarFeedHandlers = (ports: CalendarPorts): HandlersOf<typeof calendarFeedRoutes> => ({
  listCalendarFeeds: ({ ctx }) => listFeeds(ctx),
  createCalendarFeed: ({ ctx, body }) => createFeed(ctx, { ...body, url: ports.url }),
  endCalendarFeed: ({ ctx, params }) => endFeed(ctx, params.id),
  readCalendar: ({ params, request }) => readCalendar(ports, { token: params.token, hops: hopsIn(request) }),
});
