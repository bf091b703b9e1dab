import { z } from 'zod';
import { Id, InstantText } from '#contract/common.ts';
import { reminderStatuses } from '#contract/reminders.ts';
import { route } from '#contract/route.ts';

const Counts = z.object({
  activeReminders: z.number().int(),
  completedThisWeek: z.number().int(),
  teamMembers: z.number().int(),
  templates: z.number().int(),
});

const Dashboard = Counts.extend({
  /** The difference from the figures of a week ago. */
  changes: Counts,
  recent: z.array(
    z.object({
      id: Id,
      name: z.string(),
      description: z.string().nullable(),
      status: z.enum(reminderStatuses),
      priority: z.string(),
      created_at: InstantText,
    }),
  ),
});
export type Dashboard = z.infer<typeof Dashboard>;

export const dashboardRoutes = {
  getDashboard: route({
    method: 'get',
    path: '/api/dashboard',
    access: 'member',
    summary: 'Counts of the workspace, and its newest reminders',
    answer: Dashboard,
  }),
};
