import type { pushRoutes } from '#contract/push.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import * as push from '#features/push/push.service.ts';
import type { HandlersOf } from '#platform/handler.ts';
import type { EgressGuard } from '#platform/outbound/guard.ts';

type Deps = { auth: Pick<Auth, 'requirePerson'>; guard: EgressGuard; ports: push.PushPorts };

export const pushHandlers = ({ auth, guard, ports }: Deps): HandlersOf<typeof pushRoutes> => ({
  getPushKey: () => ({ public_key: ports.sender.public_key }),
  listPushBrowsers: ({ ctx }) => push.listBrowsers(ctx),
  async addPushBrowser({ ctx, body, request: { headers } }) {
    const { sessionId } = await auth.requirePerson(headers);
    return push.addBrowser(ctx, { browser: body, sessionId, userAgent: headers.get('user-agent'), guard });
  },
  removePushBrowser: ({ ctx, body }) => push.removeBrowser(ctx, body),
  testPush: ({ ctx, body }) => push.testBrowser(ctx, { ...body, ports }),
});
