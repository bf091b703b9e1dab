import { z } from 'zod';
import { ErrorAnswer, errorStatus } from '#contract/errors.ts';
import { isOutsideWorkspaces, type Route } from '#contract/route.ts';
import { routes } from '#contract/routes.ts';

/** The API as an OpenAPI 3.1 document, made from the very shapes that check the requests. */
export function openApiDocument({ version, url }: { version: string; url: string }) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method] = operationOf(name, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cuebird',
      version,
      description: 'Reminders for teams. Errors share one shape; lists are paged by `cursor`.',
    },
    servers: [{ url }],
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

function operationOf(name: string, route: Route) {
  return {
    operationId: name,
    summary: route.summary,
    'x-access': route.access,
    security: securityOf(route),
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...workspaceParameter(route),
    ],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: { required: true, content: { 'application/json': { schema: schemaOf(route.body, 'input') } } },
        }),
    responses: {
      [String(route.status ?? 200)]: { description: 'Success', ...contentOf(route) },
      ...(route.repeatStatus === undefined
        ? {}
        : { [String(route.repeatStatus)]: { description: 'The key came before', ...contentOf(route) } }),
      default: {
        description: `An error (${Object.values(errorStatus).join(', ')})`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

const contentOf = ({ answer }: Route) =>
  answer === 'stream' || answer === 'file'
    ? {}
    : { content: { 'application/json': { schema: schemaOf(answer, 'output') } } };

function parametersOf(shape: z.ZodObject | undefined, place: 'path' | 'query') {
  return Object.entries(shape?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(field, undefined).success,
    schema: schemaOf(field, 'input'),
  }));
}

function securityOf({ access, callers }: Route): Record<string, never[]>[] {
  if (access === 'public') return [];
  return isOutsideWorkspaces(access) || callers === 'people' ? [{ session: [] }] : [{ session: [] }, { apiKey: [] }];
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
  const { $schema: _, ...schema } = z.toJSONSchema(shape, { io, unrepresentable: 'any' });
  return schema;
}
