import { z } from 'zod';
import { Empty, Id, InstantText, Text } from '#contract/common.ts';
import { route } from '#contract/route.ts';

const key = (bytes: number) =>
  z.string().refine((text) => byteLengthOf(text) === bytes, `must be ${bytes} bytes in base64url`);

const byteLengthOf = (text: string) =>
  /^[A-Za-z0-9_-]+={0,2}$/.test(text) ? Math.floor((text.replace(/={1,2}$/, '').length * 3) / 4) : 0;

const Endpoint = Text(2_048);

/** The format of `PushSubscription.toJSON()`. */
export const PushSubscriptionInput = z.object({
  endpoint: Endpoint,
  keys: z.object({ p256dh: key(65), auth: key(16) }),
});
export type PushSubscriptionInput = z.output<typeof PushSubscriptionInput>;

const PushSubscription = z.object({ id: Id, endpoint: z.string(), created_at: InstantText });
export type PushSubscription = z.output<typeof PushSubscription>;

export const pushRoutes = {
  getPushKey: route({
    method: 'get',
    path: '/api/push-key',
    access: 'member',
    summary: 'The key that a browser subscribes to (applicationServerKey)',
    answer: z.object({ public_key: z.string() }),
  }),
  subscribeToPush: route({
    method: 'post',
    path: '/api/push-subscriptions',
    access: 'member',
    callers: 'people',
    summary: "Subscribe this browser to the workspace's push notifications",
    body: PushSubscriptionInput,
    answer: PushSubscription,
    status: 201,
  }),
  unsubscribeFromPush: route({
    method: 'delete',
    path: '/api/push-subscriptions',
    access: 'member',
    callers: 'people',
    summary: 'Unsubscribe this browser from push notifications',
    body: z.object({ endpoint: Endpoint }),
    answer: Empty,
  }),
};
