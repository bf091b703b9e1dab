import { z } from 'zod';
import { get } from '#contract/route.ts';
import { TimeZone } from '#contract/schedules.ts';

/** Whose figures these are: the installation's, or those of the workspaces that the person owns or administers. */
export const AdminScope = z.enum(['installation', 'workspaces']);
export type AdminScope = z.output<typeof AdminScope>;

/** How many days the success rate covers, today included. */
export const successRateDays = 7;

/** The figures at the head of the console. Tests do not count in any of them, and visitors' demos not in those of an installation. */
export const AdminOverview = z.object({
  scope: AdminScope,
  users: z.number().int(),
  workspaces: z.number().int(),
  /** Messages that were due today, by their outcome so far: of an installation by the day of UTC, as its analytics count them. */
  deliveries_today: z.object({ sent: z.number().int(), failed: z.number().int() }),
  /** The share of `reached` in all, in percent; 100 when there are none. */
  success_rate: z.number().min(0).max(100),
  /** Of workspaces people, each once in a run, since they were made; of an installation messages of the last seven days. */
  reached: z.number().int(),
  missed: z.number().int(),
  /** Accounts of visitors of the demo, which are left out. */
  demos: z.number().int(),
});
export type AdminOverview = z.output<typeof AdminOverview>;

export const adminOverviewRoutes = {
  getAdminOverview: get('/api/admin/overview', {
    access: 'user',
    summary:
      'The figures above the admin console: of the installation for its administrators, else of the workspaces that one administers',
    query: z.strictObject({ timezone: TimeZone.default('UTC') }),
    isCostly: true,
    answer: AdminOverview,
  }),
};
