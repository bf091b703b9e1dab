import { z } from 'zod';
import { Text } from '#contract/common.ts';
import { route } from '#contract/route.ts';

export const installationRoutes = {
  getConfig: route({
    method: 'get',
    path: '/api/config',
    access: 'public',
    summary: 'What this installation offers',
    answer: z.object({
      google: z.boolean(),
      sandbox: z.boolean(),
      email_verification: z.boolean(),
      demo: z.boolean(),
      version: z.string(),
    }),
  }),
  getHealth: route({
    method: 'get',
    path: '/api/health',
    access: 'public',
    summary: 'The process is alive',
    answer: z.object({ status: z.literal('ok') }),
  }),
  getReady: route({
    method: 'get',
    path: '/api/ready',
    access: 'public',
    summary: 'The database answers and the engine is running',
    answer: z.object({ status: z.literal('ready') }),
  }),
  enterDemo: route({
    method: 'get',
    path: '/api/demo/enter',
    access: 'public',
    summary: 'The one-click link into the demo workspace that the terminal prints',
    query: z.strictObject({ token: Text(200) }),
    answer: 'file',
  }),
  claimAdministration: route({
    method: 'post',
    path: '/api/admin/claim',
    access: 'user',
    summary: 'Become system administrator by the one-time link that the terminal prints',
    body: z.strictObject({ token: Text(200) }),
    answer: z.object({ claimed: z.literal(true) }),
  }),
  openStream: route({
    method: 'get',
    path: '/api/stream',
    access: 'member',
    summary: 'Server-sent events: what changed in the workspace',
    query: z.strictObject({ workspace: z.uuid() }),
    answer: 'stream',
  }),
  getOpenApi: route({
    method: 'get',
    path: '/api/openapi.json',
    access: 'public',
    summary: 'This API as an OpenAPI 3.1 document',
    answer: z.looseObject({ openapi: z.string() }),
  }),
};

/** What `/api/stream` sends: something of this table changed in the workspace; the reader fetches it again. */
export const Change = z.object({
  table: z.enum(['reminders', 'jobs', 'deliveries', 'inbox', 'channels', 'workspaces']),
});
export type Change = z.output<typeof Change>;
