import type { Pool } from 'pg';
import type { accessRoutes } from '#contract/access.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { completeAdminSetup } from '#features/auth/admin-setup.service.ts';
import { isDemoToken } from '#features/demo/demo-link.ts';
import { beginDemo, type VisitorPorts } from '#features/demo/visitors.service.ts';
import { Forbidden, NotFound } from '#platform/errors.ts';
import type { HandlersOf } from '#platform/handler.ts';

export type AccessPorts = {
  auth: Auth;
  pool: Pool;
  demo: { userId: string; secrets: () => readonly string[] } | null;
  visitors: VisitorPorts;
};

export const accessHandlers = ({ auth, pool, demo, visitors }: AccessPorts): HandlersOf<typeof accessRoutes> => ({
  async enterDemo({ query, request }) {
    if (demo === null || !isDemoToken(query.token, demo.secrets())) throw new NotFound('demo');
    const headers = new Headers({ location: '/dashboard' });
    for (const cookie of await auth.issueSession(demo.userId, request)) headers.append('set-cookie', cookie);
    return new Response(null, { status: 302, headers });
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
  async completeAdminSetup({ ctx, body, request }) {
    const result = await completeAdminSetup(pool, { userId: ctx.actor.userId, token: body.token, now: ctx.now });
    if (result === 'refused')
      throw new Forbidden('This link was used already, or is not from the newest start of the server');
    auth.forget(request.headers);
    return { completed: true };
  },
});
