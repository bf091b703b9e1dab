import { randomUUID } from 'node:crypto';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import type { Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';
import type { Auth } from '#features/auth/auth.service.ts';
import { type BodyBudget, type BodyShare, createBodyBudget } from '#http/body-budget.ts';
import { clientAddressOf, type TrustedProxies } from '#http/client-address.ts';
import { type Admitted, admit, bearerOf, type GuardDeps } from '#http/guard.ts';
import { errorResponse } from '#http/errors.ts';
import type { Pages } from '#http/pages.ts';
import { assertOpen, closedPages } from '#http/maintenance.ts';
import { onceByKey } from '#http/idempotency.ts';
import { createRefusalLog, type Refusal } from '#http/refusals.ts';
import { assertOwnOrigin } from '#http/origin.ts';
import { parseAddress, parseBody, readText } from '#http/parse.ts';
import { secureHeaders } from '#http/secure-headers.ts';
import { asPage, routesOf } from '#http/public-pages.ts';
import { serveWeb } from '#http/web.ts';
import type { Clock } from '#platform/clock.ts';
import { AppError, NotFound, Unavailable } from '#platform/errors.ts';
import { type Handlers, Repeated } from '#platform/handler.ts';
import type { Log } from '#platform/log.ts';
import { bodyLimits, readBytes } from '#platform/request-body.ts';
import type { PublicPage } from '#platform/public-page.ts';
import type { SecretBox } from '#platform/secrets.ts';
import { defaultPoolSizes } from '#platform/connection-budget.ts';
import { sharedBy } from '#platform/fair-pool.ts';
import { createFairSlots, type FairSlots, type Sharers } from '#platform/fair-slots.ts';
import { networkOf } from '#platform/limit-subject.ts';
import { spendUsage } from '#platform/usage-limits.ts';

export type AppDeps = GuardDeps & {
  auth: Pick<Auth, 'handle' | 'sessionOf'>;
  handlers: Handlers;
  /** The connections of the pool of requests; those of a process without a setting, if not given. */
  requestConnections?: number;
  /** The guard; tests switch it off, to show that the database keeps workspaces apart by itself. */
  admit?: typeof admit | undefined;
  secrets: SecretBox;
  appUrl: string | undefined;
  trustedProxies: TrustedProxies;
  /** False only in tests, where one person sends thousands of requests. */
  hasLimits: boolean;
  /** Called for each answered request of the API; `route` is the path in its declaration. */
  onAnswered: (of: { method: string; route: string; status: number; seconds: number }) => void;
  onSignInRefused: () => void;
  webRoot: string;
  /** Called when a browser asks for a path where the web app has no page. */
  onUnknownPath: (path: string) => void;
  /** Null in tests that have no web. */
  pages: Pages | null;
  /** Aborts when a newer version has migrated the database. */
  superseded: AbortSignal;
  /** Pages for people without an account, with forms. */
  publicPages: readonly PublicPage[];
  log: Log;
  clock: Pick<Clock, 'now' | 'sleepUntil'>;
};

/** What a handler gets once its request is parsed and admitted; its type says which parts it has. */
type AnyHandler = (input: {
  ctx: Admitted;
  params: unknown;
  query: unknown;
  body: unknown;
  request: Request;
  clientAddress: string;
  readBody: () => Promise<Buffer>;
}) => unknown;

/** The HTTP server: the contract's routes, sign-in and the web app. */
export function createApp(deps: AppDeps): Hono {
  const app = new Hono();
  const refuse = (error: Error) =>
    errorResponse(error, { requestId: randomUUID(), log: deps.log, superseded: deps.superseded });
  app.onError(refuse);
  app.use(secureHeaders(deps.appUrl));
  app.use(compress());
  const addressOf = (c: Context) =>
    clientAddressOf(
      { peer: getConnInfo(c).remote.address, forwardedFor: c.req.header('x-forwarded-for') ?? null },
      deps.trustedProxies,
    );
  const timed = (route: string, answer: (c: Context) => Response | Promise<Response>) => async (c: Context) => {
    const begun = performance.now();
    // A thrown refusal becomes its answer here, so that `onAnswered` sees it too.
    const response = await Promise.resolve(c)
      .then(answer)
      .catch((error: unknown) => refuse(error instanceof Error ? error : new Error(String(error))));
    const { status } = response;
    deps.onAnswered({ method: methodOf(c), route, status, seconds: (performance.now() - begun) / 1_000 });
    if (isRefusedSignIn(c.req, response)) deps.onSignInRefused();
    return response;
  };
  app.all(
    '/api/auth/*',
    timed('/api/auth', (c) => {
      const clientAddress = addressOf(c);
      return sharedBy(strangerAt(clientAddress), () => deps.auth.handle(c.req.raw, { clientAddress }));
    }),
  );
  const bodies = createBodyBudget(deps.clock);
  const { requestConnections = defaultPoolSizes.app } = deps;
  const slots = createFairSlots(costlySlots(requestConnections));
  const onRefused = createRefusalLog(deps.log, { epochMs: () => deps.now().epochMilliseconds });
  type Finish = (answered: Promise<Response>, params: Record<string, string>) => Promise<Response>;
  const serve = (route: Route, handler: AnyHandler, finish: Finish) =>
    app.on(
      route.method.toUpperCase(),
      route.path,
      timed(route.path, (c) => {
        const clientAddress = addressOf(c);
        const call = {
          handler,
          deps,
          bodies,
          slots,
          onRefused,
          request: c.req.raw,
          clientAddress,
          params: c.req.param(),
        };
        const sharers = sharersUntilKnown(route, { request: c.req.raw, clientAddress });
        return finish(
          inTime(
            route,
            sharedBy(sharers, () => answer(route, call)),
          ),
          c.req.param(),
        );
      }),
    );
  for (const [name, route] of Object.entries<Route>(routes).sort(fixedPathsFirst))
    serve(route, handlerNamed(deps.handlers, name), (answered) => answered);
  for (const page of deps.publicPages)
    for (const { route, handler } of routesOf(page))
      serve(route, handler, async (answered, params) => asPage(await answered, () => page.brandOf(params)));
  app.all(
    '/api/*',
    timed('unknown', () => refuse(new NotFound('route in this API'))),
  );
  serveWeb(app, {
    root: deps.webRoot,
    closedPages: closedPages(deps),
    onUnknownPath: deps.onUnknownPath,
    pages: deps.pages,
    appUrl: deps.appUrl,
  });
  return app;
}

/** Costly requests of a process: fewer than the connections of the database pool, so that some are left for everything else. */
const costlySlots = (connections: number) => {
  const ofOne = connections < 4 ? 1 : 2;
  return {
    ofAll: Math.max(1, Math.floor(connections / 2)),
    of: { person: ofOne, workspace: ofOne, address: ofOne, strangers: ofOne },
    waitingOfSharer: 20,
  };
};

/** By whom the work for a caller is counted who is not known: a flood from one address keeps no connection from others, nor does one from many. */
const strangerAt = (clientAddress: string): Sharers => ({ strangers: 'all', address: networkOf(clientAddress) });

/** Until the guard knows who calls. Nobody invents a cookie that a session is looked up for: it is signed. */
function sharersUntilKnown(
  { access }: Route,
  { request, clientAddress }: { request: Request; clientAddress: string },
): Sharers {
  if (access === 'public') return strangerAt(clientAddress);
  return bearerOf(request) === null ? {} : { address: networkOf(clientAddress) };
}

/** The method of a request, or `other`: a request may name any, and metrics must not grow with them. */
const methodOf = (c: Context) => methods.find((method) => method === c.req.method) ?? 'other';
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A wrong password, a wrong code of the second factor, or too many attempts with either. */
const isRefusedSignIn = ({ path, method }: { path: string; method: string }, { status }: Response) =>
  method === 'POST' && (status === 401 || status === 429) && /^\/api\/auth\/(sign-in|two-factor\/verify)/.test(path);

/** Paths without parameters are registered first: `/api/inbox/account` is not the message `account` of `/api/inbox/:id`. */
const fixedPathsFirst = ([, a]: [string, Route], [, b]: [string, Route]) =>
  Number(a.path.includes(':')) - Number(b.path.includes(':'));

/** The contract types each route's handler; here, where all handlers meet, the types are erased. */
function handlerNamed(handlers: Handlers, name: string): AnyHandler {
  const handler: unknown = Reflect.get(handlers, name);
  if (typeof handler !== 'function') throw new Error(`the route ${name} has no handler`);
  return (input) => Reflect.apply(handler, handlers, [input]);
}

type Call = {
  handler: AnyHandler;
  deps: AppDeps;
  bodies: BodyBudget;
  slots: FairSlots;
  onRefused: (refusal: Refusal) => void;
  request: Request;
  clientAddress: string;
  params: Record<string, string>;
};

/** A person whose session is over is no refusal worth a line: the web leads them to sign in, where wrong passwords are counted. */
const isMerelySignedOut = ({ code }: AppError, request: Request) =>
  code === 'unauthenticated' && bearerOf(request) === null;

/** Answers as unavailable after `answerWithinMs`: a health check must not wait for the database's own, longer time-outs. */
async function inTime({ answerWithinMs }: Route, answered: Promise<Response>): Promise<Response> {
  if (answerWithinMs === undefined) return answered;
  const late = Promise.withResolvers<never>();
  const seconds = answerWithinMs / 1_000;
  const timer = setTimeout(
    () =>
      late.reject(
        new Unavailable(`The database has not answered within ${seconds} seconds.`, { retryAfterSeconds: 15 }),
      ),
    answerWithinMs,
  );
  try {
    return await Promise.race([answered, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The caller is admitted first, then the body is read, then the work begins. No database connection is held while the
 * body is read, because a slow sender decides how long that takes. The price: the role is read twice, again in the
 * transaction of the work.
 */
async function answer(
  route: Route,
  { handler, deps, bodies, slots, onRefused, request, clientAddress, params }: Call,
): Promise<Response> {
  const requestId = randomUUID();
  const startedMs = performance.now();
  const headers = new Headers();
  let share: BodyShare | null = null;
  let caller: string | null = null;
  try {
    await assertOpen(route, { request, deps });
    // A request with a token needs no check of its origin: other sites can only make a browser send its cookie.
    if (route.access !== 'public' && bearerOf(request) === null) assertOwnOrigin(request, deps.appUrl);
    const admission = await (deps.admit ?? admit)(route, {
      request,
      clientAddress,
      deps,
      headers,
      onCaller: (id) => (caller = id),
    });
    const bodyShare = bodies.shareOf(admission.sender ?? new URL(request.url).pathname);
    share = bodyShare;
    const readBody = async () => {
      const maxKiB = route.maxBodyKiB ?? bodyLimits.kiB;
      const bytes = await readBytes(request, {
        maxKiB,
        onBytes: (part) => bodyShare.add(part),
        signal: bodyShare.tooSlow,
      });
      bodyShare.arrived();
      return bytes;
    };
    const rawBody = route.body === undefined ? '' : await readText(request, readBody);
    const body = route.body === undefined ? undefined : await parseBody({ ...route, body: route.body }, rawBody);
    await admission.assertReauthenticated(body);
    const { limit } = route;
    if (limit !== undefined && deps.hasLimits)
      await admission.enter(async (ctx) => {
        if (ctx !== null) await spendUsage(ctx, { usage: limit.usage, cost: limit.cost?.(body) });
      });
    const status = route.status ?? 200;
    const sentBytes = route.method === 'get' ? undefined : Buffer.byteLength(rawBody);
    const run = () =>
      admission.enter(async (ctx) => {
        const address = parseAddress(route, { request, params });
        const work = async () => (await handler({ ctx, request, clientAddress, readBody, body, ...address })) ?? {};
        const key = request.method === 'POST' ? request.headers.get('idempotency-key') : null;
        if (key === null || ctx === null || route.repeatStatus !== undefined || route.changesNothing === true)
          return work();
        const sealedBy = route.holdsSecret === true ? deps.secrets : null;
        return onceByKey(ctx, { call: { key, request, rawBody, status, sealedBy }, work });
      }, sentBytes);
    const result = await (route.isCostly === true ? slots.take(admission.sharers, run) : run());
    if (result instanceof Response) {
      // Hono drops the body of a response to HEAD, and with it the only way to end a stream.
      if (request.method === 'HEAD') await result.body?.cancel();
      return result;
    }
    headers.set('x-request-id', requestId);
    headers.set('cache-control', 'no-store');
    // The compression would add it, and would turn the finished text into a stream for that.
    headers.set('vary', 'accept-encoding');
    return result instanceof Repeated
      ? Response.json(result.answer, { status: route.repeatStatus ?? status, headers })
      : Response.json(result, { status, headers });
  } catch (error) {
    if (error instanceof AppError && !isMerelySignedOut(error, request))
      onRefused({ requestId, code: error.code, method: request.method, route: route.path, caller, clientAddress });
    return errorResponse(error, { requestId, log: deps.log, superseded: deps.superseded, headers });
  } finally {
    share?.release();
    const ms = Math.round(performance.now() - startedMs);
    deps.log.debug({ requestId, method: request.method, route: route.path, ms }, 'a request was answered');
  }
}
