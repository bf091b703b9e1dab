import type { dashboardRoutes } from '#contract/dashboard.ts';
import { countForDashboard, recentReminders } from '#features/dashboard/dashboard.db.ts';
import type { HandlersOf } from '#platform/handler.ts';

export const dashboardHandlers: HandlersOf<typeof dashboardRoutes> = {
  async getDashboard({ ctx }) {
    const weekAgo = ctx.now.subtract({ hours: 7 * 24 }).toString();
    const twoWeeksAgo = ctx.now.subtract({ hours: 14 * 24 }).toString();
    const counts = await countForDashboard(ctx.db, { workspaceId: ctx.workspaceId, weekAgo, twoWeeksAgo });
    const recent = await recentReminders(ctx.db, { workspaceId: ctx.workspaceId });
    return {
      activeReminders: counts.activeReminders,
      completedThisWeek: counts.completedThisWeek,
      teamMembers: counts.teamMembers,
      templates: counts.templates,
      changes: {
        activeReminders: counts.activeReminders - counts.activeRemindersBefore,
        completedThisWeek: counts.completedThisWeek - counts.completedLastWeek,
        teamMembers: counts.teamMembers - counts.teamMembersBefore,
        templates: counts.templates - counts.templatesBefore,
      },
      recent: recent.map(({ metadata, ...reminder }) => ({ ...reminder, priority: metadata.priority })),
    };
  },
};
