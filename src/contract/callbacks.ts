import { z } from 'zod';
import { route } from '#contract/route.ts';

// Any text is accepted: an unknown provider or token answers 404.
const params = z.object({ provider: z.string(), token: z.string() });

export const callbackRoutes = {
  receiveCallback: route({
    method: 'post',
    path: '/api/callbacks/:provider/:token',
    access: 'public',
    summary:
      "Where a channel's provider reports what became of messages, and brings replies; signed as the provider does",
    params,
    // Meta sends up to 3 MB in one request.
    maxBodyKiB: 3_072,
    answer: 'file',
  }),
  answerCallback: route({
    method: 'get',
    path: '/api/callbacks/:provider/:token',
    access: 'public',
    summary: 'The same for providers that report by GET, or verify the address',
    params,
    answer: 'file',
  }),
};
