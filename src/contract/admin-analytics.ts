import { z } from 'zod';
import { ChannelDay } from '#contract/day.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { get } from '#contract/route.ts';

/** Ranges of days that end today. */
export const installationAnalyticsDays = [7, 30, 90, 365] as const;

export const InstallationAnalytics = z.object({
  /** Days of the calendar in UTC, both included. */
  from: z.iso.date(),
  to: z.iso.date(),
  new_users: z.number().int(),
  new_workspaces: z.number().int(),
  sent: z.number().int(),
  failed: z.number().int(),
  /** The accepted among the deliveries that ended, in percent with one decimal; 100 when none ended. */
  success_rate: z.number().min(0).max(100),
  /** Per day, how many users and workspaces were created. Days without any are omitted. */
  growth: z.array(z.object({ day: z.iso.date(), users: z.number().int(), workspaces: z.number().int() })),
  /** By the day of their outcome. Days and channels without deliveries are omitted; tests do not count. */
  deliveries: z.array(ChannelDay),
  channels: z.array(
    z.object({
      channel: z.enum(channelTypes),
      sent: z.number().int(),
      failed: z.number().int(),
      success_rate: z.number().min(0).max(100),
    }),
  ),
});
export type InstallationAnalytics = z.output<typeof InstallationAnalytics>;

export const adminAnalyticsRoutes = {
  getInstallationAnalytics: get('/api/admin/analytics', {
    access: 'system_admin',
    summary: 'New people and workspaces, and deliveries with their success, per day of all workspaces together',
    query: z.strictObject({
      days: z.enum(installationAnalyticsDays.map(String)).default('30'),
    }),
    answer: InstallationAnalytics,
  }),
};
