import type { PushSubscription, PushSubscriptionInput } from '#contract/push.ts';
import * as rows from '#features/push/push.db.ts';
import type { MemberContext } from '#platform/context.ts';
import { Invalid } from '#platform/errors.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';

/** How many browsers of one person hear of a workspace; the oldest makes room. */
const maxBrowsers = 20;

/** Remembers a browser of the person. What is sent there passes the egress guard again each time. */
export async function subscribe(
  { db, workspaceId, actor, now }: MemberContext,
  { subscription, guard }: { subscription: PushSubscriptionInput; guard: EgressGuard },
): Promise<PushSubscription> {
  const { endpoint, keys } = subscription;
  const verdict = await guard.checkUrl(endpoint);
  if (verdict !== 'allowed') throw new Invalid([{ path: 'endpoint', message: verdict.refused }]);
  const { userId } = actor;
  const saved = await rows.saveSubscription(db, { workspaceId, userId, endpoint, ...keys, now: now.toString() });
  await rows.dropOldest(db, { workspaceId, userId, keep: maxBrowsers });
  return saved;
}

/** Nothing is said of a browser that is not the person's. */
export async function unsubscribe(
  { db, workspaceId, actor }: MemberContext,
  { endpoint }: { endpoint: string },
): Promise<void> {
  await rows.deleteSubscription(db, { workspaceId, userId: actor.userId, endpoint });
}
