import { z } from 'zod';
import { Empty, InstantText, Text } from '#contract/common.ts';
import { del, get, post } from '#contract/route.ts';

/** The most browsers of one person in a workspace; a new one replaces the oldest. */
export const maxBrowsers = 20;

const key = (bytes: number) =>
  z.string().refine((text) => byteLengthOf(text) === bytes, `must be ${bytes} bytes in base64url`);

const byteLengthOf = (text: string) =>
  /^[A-Za-z0-9_-]+={0,2}$/.test(text) ? Math.floor((text.replace(/={1,2}$/, '').length * 3) / 4) : 0;

const Endpoint = Text(2_048);

/** The format of `PushSubscription.toJSON()`. */
export const PushBrowserInput = z.object({
  endpoint: Endpoint,
  keys: z.object({ p256dh: key(65), auth: key(16) }),
});
export type PushBrowserInput = z.output<typeof PushBrowserInput>;

/** A subscribed browser, as its owner sees it. */
const PushBrowser = z.object({
  endpoint: z.string(),
  user_agent: z.string().nullable(),
  created_at: InstantText,
  /** When its push service last accepted a message. */
  last_used_at: InstantText.nullable(),
});
export type PushBrowser = z.output<typeof PushBrowser>;

/** `ended`: the push service no longer knows the browser, which is deleted. */
const PushTest = z.object({ outcome: z.enum(['accepted', 'ended', 'failed']), message: z.string() });
export type PushTest = z.output<typeof PushTest>;

export const pushRoutes = {
  getPushKey: get('/api/push-key', {
    access: 'member',
    summary: 'The key that a browser subscribes to (applicationServerKey)',
    answer: z.object({ public_key: z.string() }),
  }),
  listPushBrowsers: get('/api/push-browsers', {
    access: 'member',
    callers: 'people',
    summary:
      "Your browsers that take the workspace's push notifications, the newest first, and how many there are in all",
    answer: z.object({
      data: z.array(PushBrowser),
      /** The browsers of all members, and how many members have one. */
      browsers: z.number().int(),
      members: z.number().int(),
    }),
  }),
  addPushBrowser: post('/api/push-browsers', {
    access: 'member',
    callers: 'people',
    summary: "Subscribe this browser to the workspace's push notifications",
    body: PushBrowserInput,
    answer: PushBrowser,
    status: 201,
  }),
  removePushBrowser: del('/api/push-browsers', {
    access: 'member',
    callers: 'people',
    summary: 'Send no more to one of your browsers',
    body: z.object({ endpoint: Endpoint }),
    answer: Empty,
  }),
  testPush: post('/api/push-browsers/test', {
    access: 'member',
    callers: 'people',
    summary: 'Send a test message to one of your browsers',
    limit: { usage: 'tests' },
    body: z.object({ endpoint: Endpoint }),
    answer: PushTest,
  }),
};
