import { z } from 'zod';
import { route } from '#contract/route.ts';

/** What the stream sends: something of this table changed in the workspace; the reader fetches it again. */
export const Change = z.object({
  table: z.enum([
    'reminders',
    'jobs',
    'deliveries',
    'inbox',
    'rehearsals',
    'channels',
    'workspaces',
    'contacts',
    'suppressions',
    'templates',
    'template_categories',
  ]),
});
export type Change = z.output<typeof Change>;

export const realtimeRoutes = {
  openStream: route({
    method: 'get',
    path: '/api/stream',
    access: 'member',
    summary: 'Server-sent events: what changed in the workspace',
    query: z.strictObject({ workspace: z.uuid() }),
    answer: 'stream',
  }),
};
