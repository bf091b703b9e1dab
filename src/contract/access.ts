import { z } from 'zod';
import { Text } from '#contract/common.ts';
import { route } from '#contract/route.ts';

/** The links that the terminal prints at the first start. */
export const accessRoutes = {
  enterDemo: route({
    method: 'get',
    path: '/api/demo/enter',
    access: 'public',
    summary: 'The one-click link into the demo workspace',
    query: z.strictObject({ token: Text(200) }),
    answer: 'file',
  }),
  completeAdminSetup: route({
    inMaintenance: true,
    method: 'post',
    path: '/api/admin/setup',
    access: 'user',
    summary: 'Become system administrator with the one-time link',
    body: z.strictObject({ token: Text(200) }),
    needsReauthentication: true,
    answer: z.object({ completed: z.literal(true) }),
  }),
};
