import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { defaultSettings } from '#contract/admin-settings.ts';
import { ErrorAnswer } from '#contract/errors.ts';
import { type AppDeps, createApp } from '#http/app.ts';
import { createTrustedProxies } from '#http/client-address.ts';
import { systemClock } from '#platform/clock.ts';
import type { Handlers, HandlerInput } from '#platform/handler.ts';
import { createLog } from '#platform/log.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import type { PlainRequest } from '#testing/http-connection.ts';

/** What the app makes of a request before a handler is called. */
export type Parsed =
  /** The handler's input; `rawBody` where the handler reads the body itself. */
  | { outcome: 'accepted'; input: { route: string; params: unknown; query: unknown; body: unknown; rawBody: string } }
  /** `firstField`: the path of the first value that is named as invalid. */
  | { outcome: 'refused'; status: number; firstField: string | null; bytes: number }
  /** No route of the contract: a page of the web app, or the plain refusal of its address. */
  | { outcome: 'elsewhere'; status: number };

/**
 * The HTTP app in this process, without a database: every caller is admitted, and handlers only report their input.
 * @returns parses one request at a time. Throws where a refusal has another shape than the API's errors.
 */
export function createParsingApp(): (request: PlainRequest) => Promise<Parsed> {
  const reports: Parsed[] = [];
  const report = (route: string) => async (given: HandlerInput<AnyRoute>) => {
    const { params, query, body, request, readBody } = given;
    const rawBody = request.method === 'GET' || body !== undefined ? '' : (await readBody()).toString('latin1');
    reports.push({ outcome: 'accepted', input: { route, params, query, body, rawBody } });
    return new Response(null, { status: 204 });
  };
  const app = createApp({ ...withoutDatabase(), handlers: handlersLike(report) });
  return async ({ method, path, headers, body }) => {
    // A server hands over no body of a GET.
    const request = new Request(`http://127.0.0.1${path}`, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body }),
    });
    const answer = await app.fetch(request, { incoming: { socket: { remoteAddress: '127.0.0.1' } } });
    return reports.pop() ?? refusalIn(answer);
  };
}

type AnyRoute = { method: 'post'; path: '/api/'; access: 'public'; summary: ''; answer: 'file' };

/** A handler for every route. */
const handlersLike = (handler: (route: string) => (input: HandlerInput<AnyRoute>) => Promise<Response>): Handlers =>
  new Proxy({} as Handlers, { get: (_, route) => handler(String(route)) });

async function refusalIn(answer: Response): Promise<Parsed> {
  const { status, headers } = answer;
  if (headers.get('content-type')?.startsWith('application/json') !== true) return { outcome: 'elsewhere', status };
  const text = await textOf(answer);
  const { error } = ErrorAnswer.parse(JSON.parse(text));
  const firstField = error.fields?.[0]?.path ?? null;
  return { outcome: 'refused', status, firstField, bytes: Buffer.byteLength(text) };
}

/** A hostile header may have asked for compression. */
async function textOf({ headers, body }: Response): Promise<string> {
  const encoding = headers.get('content-encoding');
  if (encoding === null || body === null) return new Response(body).text();
  return new Response(body.pipeThrough(new DecompressionStream(encoding === 'gzip' ? 'gzip' : 'deflate'))).text();
}

function withoutDatabase(): Omit<AppDeps, 'handlers'> {
  const log = createLog('silent');
  const nobody = async () => {
    throw new Error('Nobody signs in here.');
  };
  return {
    auth: {
      handle: async () => new Response(null, { status: 404 }),
      sessionOf: async () => null,
      requirePerson: nobody,
      assertReauthenticated: nobody,
    },
    admit: async () => ({
      sender: null,
      sharers: {},
      assertReauthenticated: async () => {},
      enter: (work) => work(null),
    }),
    db: new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    }),
    settings: () => defaultSettings,
    secrets: createSecretBox(TEST_ENCRYPTION_KEY),
    appUrl: undefined,
    trustedProxies: createTrustedProxies([], { log }),
    hasLimits: false,
    publicPages: [],
    superseded: new AbortController().signal,
    billing: 'off',
    pages: null,
    webRoot: 'dist/web',
    onUnknownPath: () => {},
    log,
    now: systemClock.now,
    clock: systemClock,
    onAnswered: () => {},
    onSignInRefused: () => {},
  };
}
