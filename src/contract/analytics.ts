import { z } from 'zod';
import { Id, InstantText } from '#contract/common.ts';
import { ChannelDay } from '#contract/day.ts';
import { jobTypes } from '#contract/job-types.ts';
import { JobCounts } from '#contract/jobs.ts';
import { jobStatuses } from '#contract/job-states.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { get } from '#contract/route.ts';
import { TimeZone } from '#contract/schedules.ts';

/** The longest range in days, how many entries each list has at most, and among how many who missed most the unreached are sought. */
export const analyticsLimits = { days: 366, recent: 10, reasons: 20, unreached: 50, candidates: 20_000 } as const;

/** A percentage with one decimal. It is 100 when there are none to compare, and otherwise only when none failed. */
const Rate = z.number().min(0).max(100);

const Run = z.object({
  id: Id,
  job_id: Id,
  name: z.string(),
  status: z.enum(['completed', 'failed']),
  /** Whether it failed after it had reached somebody. */
  is_partly_sent: z.boolean(),
  started_at: InstantText,
  duration_ms: z.number().int(),
});

/** Each counts once in a run: reached by at least one message, or missed by all. Whose message still waits is neither. */
const People = z.object({ reached: z.number().int(), missed: z.number().int() });

/** Tests count in none of these figures. */
export const Analytics = z.object({
  templates: z.number().int(),
  reminders: z.number().int(),
  active_reminders: z.number().int(),
  members: z.number().int(),
  channels: z.number().int(),
  contacts: z.number().int(),
  jobs: JobCounts,
  /** People who were reached, among those who were reached or missed. */
  success_rate: Rate,
  people: People,
  executions: z.object({
    total: z.number().int(),
    average_ms: z.number().nullable(),
    latest: z.array(Run),
  }),
  recent_jobs: z.array(
    z.object({
      id: Id,
      name: z.string(),
      type: z.enum(jobTypes),
      status: z.enum(jobStatuses),
      /** Whether it failed, and reached somebody. */
      is_partly_sent: z.boolean(),
      created_at: InstantText,
    }),
  ),
});
export type Analytics = z.output<typeof Analytics>;

/** What became of the messages that were due in a range of days. */
export const DeliveryAnalytics = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  sent: z.number().int(),
  failed: z.number().int(),
  people: People,
  /** Days and channels without messages are omitted. */
  days: z.array(ChannelDay),
  /** Seconds from when a message was due until a provider accepted it, to two significant digits; null where none was accepted. */
  latency: z.object({ median: z.number(), p95: z.number(), p99: z.number() }).nullable(),
  /** Why messages failed, the most frequent reason first. */
  reasons: z.array(z.object({ channel: z.enum(channelTypes), reason: z.string(), count: z.number().int() })),
  /** People who got none of the messages that were due to them, those who missed most first, with the last of these messages. */
  unreached: z.array(
    z.object({
      channel: z.enum(channelTypes),
      recipient: z.string(),
      name: z.string().nullable(),
      contact_id: Id.nullable(),
      missed: z.number().int(),
      last_due: InstantText,
      reason: z.string().nullable(),
    }),
  ),
  /** False where more people missed messages than can be looked up, so that some who got none may not be listed. */
  are_all_unreached_sought: z.boolean(),
});
export type DeliveryAnalytics = z.output<typeof DeliveryAnalytics>;

const Day = z.iso.date('must be a day such as 2026-12-01');

const daysIn = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;

/** Both days are included. */
const DayRange = z
  .strictObject({ from: Day, to: Day, timezone: TimeZone.default('UTC') })
  .refine((range) => daysIn(range) >= 1, { path: ['to'], message: 'must not be before the first day' })
  .refine((range) => daysIn(range) <= analyticsLimits.days, {
    path: ['to'],
    message: `must be at most ${analyticsLimits.days} days after the first day`,
  });

export const analyticsRoutes = {
  getAnalytics: get('/api/analytics', {
    access: 'member',
    summary: 'What the workspace has, how its jobs ended, and the latest of them',
    isCostly: true,
    answer: Analytics,
  }),
  getDeliveryAnalytics: get('/api/analytics/deliveries', {
    access: 'member',
    summary: 'Messages of a range of days: how many, how fast, why they failed, and who got none',
    query: DayRange,
    isCostly: true,
    answer: DeliveryAnalytics,
  }),
  exportDeliveryAnalytics: get('/api/analytics/deliveries/export', {
    access: 'member',
    summary: 'Messages sent and failed per day and channel as CSV',
    query: DayRange.safeExtend({ workspace: Id.optional() }),
    isCostly: true,
    answer: 'file',
  }),
};
