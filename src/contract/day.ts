import { z } from 'zod';
import { AgendaEntry } from '#contract/agenda-entry.ts';
import { Id, InstantText } from '#contract/common.ts';
import { PeopleCounts, RecipientCounts } from '#contract/job-states.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { get } from '#contract/route.ts';
import { TimeZone } from '#contract/schedules.ts';

/** A job that failed in the last seven days and has not been retried. */
const Failure = z.object({
  job_id: Id,
  name: z.string(),
  failed_at: InstantText,
  error_message: z.string().nullable(),
  /** Null where counting them would take too long. */
  recipients: RecipientCounts.nullable(),
  people: PeopleCounts.nullable(),
});
export type Failure = z.output<typeof Failure>;

/** A run of the last seven days that has ended without a failure and has not reached everybody who was to get it: the latest of its reminder. */
const MissedRun = z.object({ job_id: Id, name: z.string(), completed_at: InstantText, people: PeopleCounts });
export type MissedRun = z.output<typeof MissedRun>;

/** The messages of one channel on one day in the caller's timezone. */
export const ChannelDay = z.object({
  day: z.iso.date(),
  channel: z.enum(channelTypes),
  /** Messages that were accepted or delivered. */
  sent: z.number().int(),
  failed: z.number().int(),
});
export type ChannelDay = z.output<typeof ChannelDay>;

export const dayRoutes = {
  getDay: get('/api/dashboard/day', {
    access: 'member',
    summary: 'What is sent in the next 24 hours, and what has failed',
    answer: z.object({
      /** How many occurrences there are, as in the agenda, and the next ones, soonest first. `is_complete` is false where there are more than were counted. */
      upcoming: z.object({ count: z.number().int(), is_complete: z.boolean(), next: z.array(AgendaEntry) }),
      /** How many there are, and the latest ones, newest first. */
      failures: z.object({ count: z.number().int(), latest: z.array(Failure) }),
      /** The latest ones, newest first: people without an address or on the suppression list got nothing. */
      missed: z.object({ latest: z.array(MissedRun), has_more: z.boolean() }),
    }),
  }),
  getDeliveryDays: get('/api/dashboard/deliveries', {
    access: 'member',
    summary: 'Messages sent per channel and day, for the last 30 days',
    query: z.strictObject({ timezone: TimeZone.default('UTC') }),
    /** Days and channels without messages are omitted. */
    answer: z.object({ from: z.iso.date(), to: z.iso.date(), data: z.array(ChannelDay) }),
  }),
};
