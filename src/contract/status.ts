import { z } from 'zod';
import { InstantText } from '#contract/common.ts';
import { get } from '#contract/route.ts';

/** The components whose state the status page shows, in its order. */
export const components = ['web', 'deliveries', 'database'] as const;
export type Component = (typeof components)[number];

/** How many days the history covers. */
export const historyDays = 90;

/** The share of minutes in which everything should be available, in percent. Source: the specification, section 9. */
export const uptimeGoal = 99.9;

/** Why a component is not fully operational. */
export const troubles = [
  'maintenance',
  'no_web_server',
  'no_worker',
  'paused',
  'late',
  'read_only',
  'no_database',
] as const;
export type Trouble = (typeof troubles)[number];

/** How many minutes of a day (UTC) a component was in each state. */
const Day = z.object({
  day: z.iso.date(),
  operational: z.number().int(),
  degraded: z.number().int(),
  down: z.number().int(),
});
export type HealthDay = z.output<typeof Day>;

export const Status = z.object({
  checked_at: InstantText,
  is_operational: z.boolean(),
  components: z.array(
    z.object({
      component: z.enum(components),
      state: z.enum(['operational', 'degraded', 'down']),
      trouble: z.enum(troubles).nullable(),
      /** Each day from the first that was measured until today, the earliest first; at most 90. */
      days: z.array(Day),
    }),
  ),
});
export type Status = z.output<typeof Status>;

export const statusRoutes = {
  getStatus: get('/api/status', {
    inMaintenance: true,
    access: 'public',
    summary: 'What works and what does not, now and on each of the last 90 days; at most ten seconds old',
    answer: Status,
  }),
};
