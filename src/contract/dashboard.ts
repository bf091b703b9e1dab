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

export const dashboardRoutes = {
  getDashboard: route({
    method: 'get',
    path: '/api/dashboard',
    access: 'member',
    summary: 'The figures of the day',
    answer: Counts.extend({
      /** Against the state one week ago. */
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
    }),
  }),
};
