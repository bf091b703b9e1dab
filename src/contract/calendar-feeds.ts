import { z } from 'zod';
import { Id, InstantText } from '#contract/common.ts';
import { del, get, post } from '#contract/route.ts';

/** The most that a feed holds of the days of the agenda. */
export const calendarLimits = { timesOfReminder: 60, messages: 2_000 } as const;

/** Which reminders the feed shows: all of the workspace, or those that the caller made. */
const Shows = z.enum(['workspace', 'own']);

export const CalendarFeed = z.object({
  id: Id,
  shows: Shows,
  created_at: InstantText,
  /** When a calendar last read the feed, rounded to the minute; null while none has. */
  last_read_at: InstantText.nullable(),
});
export type CalendarFeed = z.output<typeof CalendarFeed>;

/** An answer that contains the address: it is not shown again. */
const NewCalendarFeed = CalendarFeed.extend({ url: z.string() });
export type NewCalendarFeed = z.output<typeof NewCalendarFeed>;

export const calendarFeedRoutes = {
  listCalendarFeeds: get('/api/calendar-feeds', {
    access: 'member',
    callers: 'people',
    summary: "The caller's own calendar feeds of the workspace",
    answer: z.object({ data: z.array(CalendarFeed) }),
  }),
  createCalendarFeed: post('/api/calendar-feeds', {
    access: 'member',
    callers: 'people',
    summary: 'Create a calendar feed; only this answer contains its address. An earlier feed of the same kind ends',
    body: z.strictObject({ shows: Shows }),
    answer: NewCalendarFeed,
    status: 201,
    holdsSecret: true,
  }),
  endCalendarFeed: del('/api/calendar-feeds/:id', {
    access: 'member',
    callers: 'people',
    summary: "End one of the caller's calendar feeds: its address answers no more",
    answer: CalendarFeed,
  }),
  readCalendar: get('/api/calendar/:token', {
    access: 'public',
    summary:
      'A calendar feed as an iCalendar file: what is sent in the next 60 days. The address is its token and `.ics`',
    params: z.object({ token: z.string() }),
    answer: 'file',
  }),
};
