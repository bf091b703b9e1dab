import { z } from 'zod';
import { Id } from '#contract/common.ts';
import { channelTypes } from '#contract/channel-types.ts';
import { topicReasons } from '#contract/topics.ts';
import { del, get, post } from '#contract/route.ts';

/** What an unsubscribe link stops, and whether it has. */
export const UnsubscribeLink = z.object({
  /** The workspace that sends the messages. */
  company: z.string(),
  /** What the page shows in place of Cuebird's logo: the workspace's picture, if it has one; null where its plan does not include that. */
  brand: z.object({ name: z.string(), logo: z.string().nullable() }).nullable(),
  /** `messages`: messages of the workspace over the channel. `monthly_report`: one monthly report. */
  stops: z.enum(['messages', 'monthly_report']),
  channel: z.enum(channelTypes),
  recipient: z.string(),
  /** The topic of the message that the link came with; null where that has none. Links of older messages have none. */
  topic: z.object({ id: Id, name: z.string() }).nullable(),
  /** What the recipient does not get now, the widest: this topic, all optional topics, or everything. Of a monthly report, `everything` or `nothing`. */
  left: z.enum(['nothing', 'topic', 'optional', 'everything']),
  /** The topics that the recipient cannot leave, by name, and why. */
  required: z.array(z.object({ name: z.string(), why: z.enum(topicReasons) })),
  is_subscribed: z.boolean(),
  /**
   * The id of the widest suppression that such a link created and that can be removed; null where there is none. A link cannot remove a
   * suppression that was created in another way.
   */
  undo: Id.nullable(),
});
export type UnsubscribeLink = z.output<typeof UnsubscribeLink>;

// Any text is accepted: an unknown token answers 404.
const params = z.object({ token: z.string() });

export const unsubscribeRoutes = {
  // A file, because a person's browser is redirected to the page; programs receive an UnsubscribeLink.
  readUnsubscribeLink: get('/api/unsubscribe/:token', {
    inMaintenance: true,
    access: 'public',
    summary: 'Show what an unsubscribe link stops; changes nothing, since programs open links in mails',
    params,
    answer: 'file',
  }),
  unsubscribe: post('/api/unsubscribe/:token', {
    inMaintenance: true,
    access: 'public',
    summary: 'Unsubscribe with one click (RFC 8058), from the topic of the message or from all optional ones',
    params,
    /** Without it the topic of the message, or all optional ones where it has none. */
    query: z.object({ covers: z.enum(['topic', 'optional']).optional() }),
    answer: UnsubscribeLink,
  }),
  resubscribe: del('/api/unsubscribe/:token', {
    inMaintenance: true,
    access: 'public',
    summary: 'Undo an unsubscription of the same link, named by `undo`',
    params,
    query: z.object({ undo: Id }),
    answer: UnsubscribeLink,
  }),
};
