import { z } from 'zod';
import { get } from '#contract/route.ts';

/** A change notice of the stream: a row of this table changed in the workspace, and the client fetches it again. */
export const Change = z.object({
  table: z.enum([
    'reminders',
    'jobs',
    'deliveries',
    'events',
    'inbox',
    'simulated_failures',
    'channels',
    'workspaces',
    'members',
    'contacts',
    'contact_groups',
    'suppressions',
    'consents',
    'topics',
    'templates',
    'template_categories',
    'webhooks',
  ]),
});
export type Change = z.output<typeof Change>;

export const realtimeRoutes = {
  openStream: get('/api/stream', {
    access: 'member',
    whileDeleted: true,
    summary: 'Server-sent events: what changed in the workspace',
    query: z.strictObject({ workspace: z.uuid() }),
    answer: 'stream',
  }),
};
