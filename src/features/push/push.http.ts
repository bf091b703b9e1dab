import type { pushRoutes } from '#contract/push.ts';
import * as push from '#features/push/push.service.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';

export const pushHandlers = ({
  publicKey,
  guard,
}: {
  publicKey: string;
  guard: EgressGuard;
}): HandlersOf<typeof pushRoutes> => ({
  getPushKey: () => ({ public_key: publicKey }),
  subscribeToPush: ({ ctx, body }) => push.subscribe(ctx, { subscription: body, guard }),
  unsubscribeFromPush: async ({ ctx, body }) => {
    await push.unsubscribe(ctx, body);
    return {};
  },
});
