import { z } from 'zod';
import { get, post } from '#contract/route.ts';

// Any text is accepted: an unknown provider or token answers 404.
const params = z.object({ provider: z.string(), token: z.string() });

export const callbackRoutes = {
  receiveCallback: post('/api/callbacks/:provider/:token', {
    inMaintenance: true,
    access: 'public',
    summary: "Receives a provider's delivery reports and replies, verified by the provider's signature",
    params,
    // Meta's reports: up to 3 MB in one request.
    maxBodyKiB: 3_072,
    answer: 'file',
  }),
  answerCallback: get('/api/callbacks/:provider/:token', {
    inMaintenance: true,
    access: 'public',
    summary: 'The same for providers that report by GET, or check the URL',
    params,
    answer: 'file',
  }),
};
