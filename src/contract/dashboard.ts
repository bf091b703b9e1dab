import { z } from 'zod';
import { Empty, Id, InstantText } from '#contract/common.ts';
import { reminderStatuses } from '#contract/reminders.ts';
import { get, post } from '#contract/route.ts';

const Counts = z.object({
  activeReminders: z.number().int(),
  /** Jobs that completed, or were partly sent: they failed for some people and reached others. */
  completedThisWeek: z.number().int(),
  teamMembers: z.number().int(),
  templates: z.number().int(),
});

/** Which of its first steps a workspace has done. */
const FirstSteps = z.object({
  contact: z.boolean(),
  /** Null where messages arrive in the sandbox: no channel is needed to begin. */
  channel: z.boolean().nullable(),
  reminder: z.boolean(),
  /** Whether a message was sent, by a test or a reminder. */
  message: z.boolean(),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

const Dashboard = Counts.extend({
  /** Those of completedThisWeek that were partly sent. */
  partlySentThisWeek: z.number().int(),
  /** The difference from the figures of a week ago. */
  changes: Counts,
  /** Null once all steps are done, or when the caller has dismissed them. */
  first_steps: FirstSteps.nullable(),
  recent: z.array(
    z.object({
      id: Id,
      name: z.string(),
      description: z.string().nullable(),
      status: z.enum(reminderStatuses),
      is_done: z.boolean(),
      priority: z.string(),
      created_at: InstantText,
    }),
  ),
});
export type Dashboard = z.infer<typeof Dashboard>;

export const dashboardRoutes = {
  getDashboard: get('/api/dashboard', {
    access: 'member',
    summary: 'Counts of the workspace, and its newest reminders',
    answer: Dashboard,
  }),
  dismissFirstSteps: post('/api/dashboard/first-steps/dismiss', {
    access: 'member',
    callers: 'people',
    summary: 'Show the caller no more first steps of the workspace',
    answer: Empty,
  }),
};
