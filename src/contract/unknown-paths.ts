import { z } from 'zod';
import { InstantText } from '#contract/common.ts';
import { get } from '#contract/route.ts';

/** How many paths without a page are kept, how many characters of each, and for how many days. */
export const unknownPathLimits = { paths: 500, characters: 200, days: 90 } as const;

const UnknownPath = z.object({
  path: z.string(),
  count: z.number().int(),
  first_at: InstantText,
  last_at: InstantText,
});
export type UnknownPath = z.output<typeof UnknownPath>;

export const unknownPathRoutes = {
  listUnknownPaths: get('/api/admin/unknown-paths', {
    access: 'system_admin',
    summary: 'Paths without a page that browsers asked for in the last 90 days, the latest 500, newest first',
    answer: z.object({ data: z.array(UnknownPath) }),
  }),
};
