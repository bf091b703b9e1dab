import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { ErrorAnswer, errorStatus } from '#contract/errors.ts';
import { exampleOf } from '#http/open-api-example.ts';
import { bodyExamples } from '#http/open-api-examples.ts';
import { tagOf, tags } from '#http/open-api-tags.ts';
import { refusalsOf } from '#contract/refusals.ts';
import { type Route, isOutsideWorkspaces, scopesOf } from '#contract/route.ts';
import { type RouteName, routes } from '#contract/routes.ts';
import type { Scope } from '#contract/scopes.ts';

/** Answers with the document, which is built and compressed once, because anybody may request it. */
export function createOpenApiAnswer(of: () => { version: string; url: string }): (request: Request) => Response {
  let made: { text: string; zipped: Buffer<ArrayBuffer>; tag: string } | null = null;
  const make = () => {
    const text = JSON.stringify(openApiDocument(of()));
    const tag = `W/"${createHash('sha256').update(text).digest('base64url')}"`;
    return { text, zipped: gzipSync(text), tag };
  };
  return ({ headers: asked }) => {
    made ??= make();
    const { text, zipped, tag } = made;
    const headers = { etag: tag, 'cache-control': 'no-cache, no-transform', vary: 'accept-encoding' };
    if (asked.get('if-none-match') === tag) return new Response(null, { status: 304, headers });
    const type = { 'content-type': 'application/json' };
    return takesGzip.test(asked.get('accept-encoding') ?? '')
      ? new Response(zipped, { headers: { ...headers, ...type, 'content-encoding': 'gzip' } })
      : new Response(text, { headers: { ...headers, ...type } });
  };
}

const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

/** The API as an OpenAPI 3.1 document, built from the same shapes that validate requests. */
function openApiDocument({ version, url }: { version: string; url: string }) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    if (isRouteName(name)) (paths[path] ??= {})[route.method] = operationOf(name, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cuebird',
      version,
      description: 'Reminders for teams. Errors share one shape; lists are paged by `cursor`.',
    },
    servers: [{ url }],
    tags,
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorAnswer, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'cuebird.session_token' },
        apiKey: { type: 'http', scheme: 'bearer', description: 'A key of /api/api-keys; it implies its workspace' },
      },
    },
  };
}

const isRouteName = (name: string): name is RouteName => name in routes;

function operationOf(name: RouteName, route: Route) {
  return {
    operationId: name,
    summary: route.summary,
    tags: [tagOf(route.path)],
    'x-access': route.access,
    ...(route.needsReauthentication === undefined
      ? {}
      : { 'x-reauthentication': true, description: reauthenticationText }),
    security: securityOf(route),
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...workspaceParameter(route),
    ],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: { required: true, content: { 'application/json': bodyOf(name, route.body) } },
        }),
    responses: {
      [String(route.status ?? 200)]: { description: 'Success', ...contentOf(route) },
      ...(route.repeatStatus === undefined
        ? {}
        : {
            [String(route.repeatStatus)]: {
              description: 'The Idempotency-Key was used before: the first answer again',
              ...contentOf(route),
            },
          }),
      ...refusedResponses(name, route),
      default: { description: 'Trouble of the server (500, 503)', ...errorContent },
    },
  };
}

const errorContent = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };

/** One response for each status, which names the codes that the route may answer with it. */
function refusedResponses(name: RouteName, route: Route) {
  const byStatus = Map.groupBy(refusalsOf(name, route), (code) => errorStatus[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      { description: `Refused: ${codes.map((code) => `\`${code}\``).join(' or ')}`, ...errorContent },
    ]),
  );
}

const reauthenticationText =
  'A session whose last proof of who uses it is older than 10 minutes is refused with `reauthentication_required`: see `POST /api/reauthentication`. API keys are not asked.';

function bodyOf(name: string, body: z.ZodType) {
  const schema = schemaOf(body, 'input');
  return { schema, example: Object.entries(bodyExamples).find(([route]) => route === name)?.[1] ?? exampleOf(schema) };
}

function contentOf({ answer }: Route) {
  if (answer === 'stream')
    return { content: { 'text/event-stream': { schema: { type: 'string' }, example: streamExample } } };
  if (answer === 'file') return { content: { '*/*': { schema: {}, example: 'The file' } } };
  const schema = schemaOf(answer, 'output');
  return { content: { 'application/json': { schema, example: exampleOf(schema) } } };
}

const streamExample = 'data: {"table":"jobs"}\n\n';

function parametersOf(shape: z.ZodObject | undefined, location: 'path' | 'query') {
  return Object.entries(shape?.shape ?? {}).map(([name, field]) => ({
    name,
    in: location,
    required: location === 'path' || !z.safeParse(field, undefined).success,
    schema: schemaOf(field, 'input'),
    ...(location === 'path' && { example: exampleOf(schemaOf(field, 'input'), name) }),
  }));
}

/** A key needs one of the scopes. */
function securityOf(route: Route): Record<string, Scope[]>[] {
  const { access, callers } = route;
  if (access === 'public') return [];
  if (isOutsideWorkspaces(access) || callers === 'people') return [{ session: [] }];
  return [{ session: [] }, ...scopesOf(route).map((scope) => ({ apiKey: [scope] }))];
}

const workspaceParameter = ({ access, callers }: Route) =>
  isOutsideWorkspaces(access)
    ? []
    : [
        {
          name: 'X-Workspace-Id',
          in: 'header',
          required: callers === 'people',
          description: 'Required with a session; an API key implies it',
          schema: { type: 'string', format: 'uuid' },
        },
      ];

function schemaOf(shape: z.core.$ZodType, io: 'input' | 'output') {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any', override: nameMembers });
  return schema;
}

/** A record with fixed keys is an object with these members: `required` names what `properties` has. */
function nameMembers({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { required = [], propertyNames, additionalProperties, properties = {} } = jsonSchema;
  const missing = required.filter((member) => !(member in properties));
  if (missing.length === 0 || propertyNames === undefined || additionalProperties === undefined) return;
  jsonSchema.properties = { ...properties, ...Object.fromEntries(missing.map((name) => [name, additionalProperties])) };
  jsonSchema.additionalProperties = false;
  delete jsonSchema.propertyNames;
}
