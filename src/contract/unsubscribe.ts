import { z } from 'zod';
import { Empty } from '#contract/common.ts';
import { get, post } from '#contract/route.ts';

// Any text is accepted: an unknown token answers 404.
const params = z.object({ token: z.string() });

/** What mail programs call. People open the page of the link, which is no part of the API. */
export const unsubscribeRoutes = {
  // A file, because it redirects.
  openUnsubscribeLink: get('/api/unsubscribe/:token', {
    inMaintenance: true,
    access: 'public',
    summary: 'Redirect to the page of an unsubscribe link; changes nothing, since programs open links in mails',
    params,
    answer: 'file',
  }),
  unsubscribe: post('/api/unsubscribe/:token', {
    inMaintenance: true,
    access: 'public',
    summary:
      'Unsubscribe with one click (RFC 8058), from the topic of the message, or from all optional ones where it has none',
    params,
    answer: Empty,
  }),
};
