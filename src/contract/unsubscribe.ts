import { z } from 'zod';
import { channelTypes } from '#contract/reminders.ts';
import { route } from '#contract/route.ts';

/** What a link to unsubscribe is about. */
export const Subscription = z.object({
  /** The workspace that writes. */
  company: z.string(),
  channel: z.enum(channelTypes),
  recipient: z.string(),
  is_subscribed: z.boolean(),
  /** Whether it was such a link that ended it: what others have decided, it does not take back. */
  can_undo: z.boolean(),
});
export type Subscription = z.output<typeof Subscription>;

// Whatever it is: what is no link of this installation is not found.
const params = z.object({ token: z.string() });

export const unsubscribeRoutes = {
  // A file, because a person's browser is led on to the page; programs get a Subscription.
  getSubscription: route({
    method: 'get',
    path: '/api/unsubscribe/:token',
    access: 'public',
    summary: 'What a link to unsubscribe is about; changes nothing, since programs open the links in mails',
    params,
    answer: 'file',
  }),
  unsubscribe: route({
    method: 'post',
    path: '/api/unsubscribe/:token',
    access: 'public',
    summary: 'Unsubscribe with one click (RFC 8058), as mail programs and the page do',
    params,
    answer: Subscription,
  }),
  resubscribe: route({
    method: 'delete',
    path: '/api/unsubscribe/:token',
    access: 'public',
    summary: 'Take back what the same link did',
    params,
    answer: Subscription,
  }),
};
