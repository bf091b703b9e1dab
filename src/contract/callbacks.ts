import { z } from 'zod';
import { route } from '#contract/route.ts';

// Whatever it is: what is no channel's is not found.
const params = z.object({ provider: z.string(), token: z.string() });

export const callbackRoutes = {
  receiveCallback: route({
    method: 'post',
    path: '/api/callbacks/:provider/:token',
    access: 'public',
    summary:
      "Where a channel's provider reports what became of messages, and brings replies; signed as the provider does",
    params,
    answer: 'file',
  }),
  answerCallback: route({
    method: 'get',
    path: '/api/callbacks/:provider/:token',
    access: 'public',
    summary: 'The same for providers that report by GET, or ask whether the address is the right one',
    params,
    answer: 'file',
  }),
};
