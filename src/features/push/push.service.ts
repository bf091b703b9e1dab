import type { PushSubscription, PushSubscriptionInput } from '#contract/push.ts';
import * as rows from '#features/push/push.db.ts';
import type { MemberContext } from '#platform/context.ts';
import { Invalid } from '#platform/errors.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';

/** The most browsers of one person in a workspace; a new one replaces the oldest. */
const maxBrowsers = 20;

/** Stores a browser of the person. The egress guard checks its address again at each message. */
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

/** Does not reveal whether the browser belongs to another user. */
export async function unsubscribe(
  { db, workspaceId, actor }: MemberContext,
  { endpoint }: { endpoint: string },
): Promise<void> {
  await rows.deleteSubscription(db, { workspaceId, userId: actor.userId, endpoint });
}
