import type { Pool } from 'pg';
import { type accessRoutes, usedSetupLink } from '#contract/access.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { completeAdminSetup, isAdminSetupUsable } from '#features/auth/admin-setup.service.ts';
import { isDemoToken } from '#features/demo/demo-link.ts';
import { enterPage } from '#features/demo/enter-page.ts';
import { beginDemo, type VisitorPorts } from '#features/demo/visitors.service.ts';
import { Forbidden, NotFound } from '#platform/errors.ts';
import { isFromAnotherSite } from '#platform/fetch-site.ts';
import type { HandlersOf } from '#platform/handler.ts';

export type AccessPorts = {
  auth: Auth;
  pool: Pool;
  demo: { userId: string; secrets: () => readonly string[] } | null;
  visitors: VisitorPorts;
};

export const accessHandlers = ({ auth, pool, demo, visitors }: AccessPorts): HandlersOf<typeof accessRoutes> => ({
  getDemoEntrance({ query }) {
    mustBeOpen(demo, { token: query.token, now: visitors.now() });
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
    return new Response(enterPage(query.token), { headers });
  },
  async enterDemo({ query, request }) {
    if (isFromAnotherSite(request)) throw new Forbidden('This request comes from another site');
    const { userId } = mustBeOpen(demo, { token: query.token, now: visitors.now() });
    const headers = new Headers({ location: '/dashboard' });
    for (const cookie of await auth.issueSession(userId, request)) headers.append('set-cookie', cookie);
    return new Response(null, { status: 303, headers });
  },
  async beginDemo({ body, request, clientAddress }) {
    const headers = new Headers({ 'content-type': 'application/json' });
    // Who is signed in keeps their session, and is led to their demo or their own workspace.
    if ((await auth.sessionOf(request.headers)) === null) {
      const { userId } = await beginDemo(visitors, { ...body, clientAddress });
      for (const cookie of await auth.issueSession(userId, request)) headers.append('set-cookie', cookie);
    }
    return new Response('{}', { status: 201, headers });
  },
  checkAdminSetup: async ({ body }) => ({ usable: await isAdminSetupUsable(pool, body.token) }),
  async completeAdminSetup({ ctx, body, request }) {
    const result = await completeAdminSetup(pool, { userId: ctx.actor.userId, token: body.token, now: ctx.now });
    if (result === 'refused') throw new Forbidden(usedSetupLink);
    auth.forget(request.headers);
    return { completed: true };
  },
});

/** The demo that the link opens. Its token is text of the link's own alphabet from here on. */
function mustBeOpen(demo: AccessPorts['demo'], { token, now }: { token: string; now: Temporal.Instant }) {
  if (demo === null || !isDemoToken(token, { secrets: demo.secrets(), now })) throw new NotFound('demo');
  return demo;
}
