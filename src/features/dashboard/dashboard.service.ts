import type { Dashboard } from '#contract/dashboard.ts';
import { countForDashboard, recentReminders } from '#features/dashboard/dashboard.db.ts';
import { firstStepsOf } from '#features/dashboard/first-steps.service.ts';
import type { TenantContext } from '#platform/context.ts';

/** The counts of the dashboard, each with its change since a week ago. */
export async function dashboardOf(ctx: TenantContext, options: { hasSandbox: boolean }): Promise<Dashboard> {
  const { db, workspaceId, now } = ctx;
  const weekAgo = now.subtract({ hours: 7 * 24 }).toString();
  const twoWeeksAgo = now.subtract({ hours: 14 * 24 }).toString();
  const counts = await countForDashboard(db, { workspaceId, weekAgo, twoWeeksAgo, now: now.toString() });
  const recent = await recentReminders(db, { workspaceId });
  return {
    activeReminders: counts.activeReminders,
    completedThisWeek: counts.completedThisWeek,
    partlySentThisWeek: counts.partlySentThisWeek,
    teamMembers: counts.teamMembers,
    templates: counts.templates,
    changes: {
      activeReminders: counts.activeReminders - counts.activeRemindersBefore,
      completedThisWeek: counts.completedThisWeek - counts.completedLastWeek,
      teamMembers: counts.teamMembers - counts.teamMembersBefore,
      templates: counts.templates - counts.templatesBefore,
    },
    first_steps: await firstStepsOf(ctx, options),
    recent: recent.map(({ metadata, ...reminder }) => ({ ...reminder, priority: metadata.priority })),
  };
}
