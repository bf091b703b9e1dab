import { randomUUID } from 'node:crypto';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import { type Admitted, admit, bearerOf, type GuardDeps } from '#http/guard.ts';
import { errorResponse } from '#http/errors.ts';
import { onceByKey } from '#http/idempotency.ts';
import { assertOwnOrigin } from '#http/origin.ts';
import { parseRequest } from '#http/parse.ts';
import { serveWeb } from '#http/web.ts';
import { NotFound } from '#platform/errors.ts';
import { type Handlers, Repeated } from '#platform/handler.ts';
import type { Log } from '#platform/log.ts';
import { tooLarge } from '#platform/request-body.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type AppDeps = GuardDeps & {
  handlers: Handlers;
  secrets: SecretBox;
  appUrl: string | undefined;
  webRoot: string;
  log: Log;
};

/** What a handler is given once its request has been parsed and admitted; which parts it has, its type says. */
type AnyHandler = (input: {
  ctx: Admitted;
  params: unknown;
  query: unknown;
  body: unknown;
  request: Request;
}) => unknown;

const maxSignInKiB = 64;

/** The whole HTTP surface: the contract's routes, sign-in, and the web. */
export function createApp(deps: AppDeps): Hono {
  const app = new Hono();
  const refuse = (error: Error) => errorResponse(error, { requestId: randomUUID(), log: deps.log });
  app.onError(refuse);
  app.use(secureHeaders);
  app.use(compress());
  app.use('/api/auth/*', bodyLimit({ maxSize: maxSignInKiB * 1024, onError: () => refuse(tooLarge(maxSignInKiB)) }));
  app.all('/api/auth/*', (c) =>
    deps.auth.handle(c.req.raw, { clientAddress: getConnInfo(c).remote.address ?? 'unknown' }),
  );
  for (const [name, route] of Object.entries<Route>(routes).sort(fixedPathsFirst)) {
    const handler = handlerNamed(deps.handlers, name);
    app.on(route.method.toUpperCase(), route.path, (c) =>
      answer(route, { handler, deps, request: c.req.raw, params: c.req.param() }),
    );
  }
  app.all('/api/*', () => refuse(new NotFound('route in this API')));
  serveWeb(app, deps.webRoot);
  return app;
}

/** `/api/inbox/account` must not be taken for the message `account` of `/api/inbox/:id`. */
const fixedPathsFirst = ([, a]: [string, Route], [, b]: [string, Route]) =>
  Number(a.path.includes(':')) - Number(b.path.includes(':'));

/** The contract ties each route to its handler's type; only here, where all of them meet, the types are let go. */
function handlerNamed(handlers: Handlers, name: string): AnyHandler {
  const handler: unknown = Reflect.get(handlers, name);
  if (typeof handler !== 'function') throw new Error(`the route ${name} has no handler`);
  return (input) => Reflect.apply(handler, handlers, [input]);
}

type Call = { handler: AnyHandler; deps: AppDeps; request: Request; params: Record<string, string> };

async function answer(route: Route, { handler, deps, request, params }: Call): Promise<Response> {
  const requestId = randomUUID();
  const headers = new Headers();
  try {
    // Only a cookie can be lent to another site's page.
    if (route.access !== 'public' && bearerOf(request) === null) assertOwnOrigin(request, deps.appUrl);
    const parsed = await parseRequest(route, { request, params });
    const status = route.status ?? 200;
    const result = await admit(route, {
      request,
      deps,
      headers,
      run: async (ctx) => {
        const work = async () => handler({ ctx, request, ...parsed });
        const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null;
        if (key === null || ctx === null || route.repeatStatus !== undefined) return work();
        const sealedBy = route.holdsSecret === true ? deps.secrets : null;
        return onceByKey(ctx, { call: { key, request, rawBody: parsed.rawBody, status, sealedBy }, work });
      },
    });
    if (result instanceof Response) return result;
    headers.set('x-request-id', requestId);
    headers.set('cache-control', 'no-store');
    return result instanceof Repeated
      ? Response.json(result.answer, { status: route.repeatStatus ?? status, headers })
      : Response.json(result, { status, headers });
  } catch (error) {
    return errorResponse(error, { requestId, log: deps.log, headers });
  }
}

const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "object-src 'none'",
].join('; ');

const secureHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers } = c.res;
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', policy);
  if (!headers.has('x-frame-options')) headers.set('x-frame-options', 'DENY');
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'strict-origin-when-cross-origin');
};
