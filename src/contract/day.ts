import { z } from 'zod';
import { Id, InstantText } from '#contract/common.ts';
import { channelTypes } from '#contract/reminders.ts';
import { route } from '#contract/route.ts';
import { TimeZone } from '#contract/schedules.ts';

/** An occurrence of the next 24 hours. */
const Upcoming = z.object({
  job_id: Id,
  name: z.string(),
  scheduled_for: InstantText,
  /** In which its time is meant; null where nothing recurs. */
  timezone: z.string().nullable(),
  channels: z.array(z.enum(channelTypes)),
  recipients: z.number().int(),
});
export type Upcoming = z.output<typeof Upcoming>;

/** A job that failed in the last seven days and that nobody has tried again. */
const Failure = z.object({
  job_id: Id,
  name: z.string(),
  failed_at: InstantText,
  error_message: z.string().nullable(),
});
export type Failure = z.output<typeof Failure>;

/** What was sent over a channel on one day of the caller's calendar. */
const ChannelDay = z.object({
  day: z.iso.date(),
  channel: z.enum(channelTypes),
  /** Accepted or delivered. */
  sent: z.number().int(),
  failed: z.number().int(),
});
export type ChannelDay = z.output<typeof ChannelDay>;

export const dayRoutes = {
  getDay: route({
    method: 'get',
    path: '/api/dashboard/day',
    access: 'member',
    summary: 'What goes out in the next 24 hours, and what has failed',
    answer: z.object({
      /** The next ones, soonest first, and how many there are in all. */
      upcoming: z.object({ count: z.number().int(), next: z.array(Upcoming) }),
      /** The latest ones, newest first. */
      failures: z.object({ count: z.number().int(), latest: z.array(Failure) }),
    }),
  }),
  getDeliveryDays: route({
    method: 'get',
    path: '/api/dashboard/deliveries',
    access: 'member',
    summary: 'How much was sent over each channel on each of the last 30 days',
    query: z.strictObject({ timezone: TimeZone.default('UTC') }),
    /** Days and channels without any are left out. */
    answer: z.object({ from: z.iso.date(), to: z.iso.date(), data: z.array(ChannelDay) }),
  }),
};
