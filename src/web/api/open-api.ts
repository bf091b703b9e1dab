import { queryOptions } from '@tanstack/react-query';
import { z } from 'zod';
import { installationRoutes } from '#contract/installation.ts';
import { jsonOf, reach, refusalOf } from '#web/api/client.ts';

const Schema = z.record(z.string(), z.unknown());
const Content = z.record(z.string(), z.object({ schema: Schema, example: z.unknown().optional() }));

const Parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  schema: Schema,
  example: z.unknown().optional(),
});
export type ApiParameter = z.output<typeof Parameter>;

const Operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(Parameter),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })),
});

const Document = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
});

/** An operation that a program can call. */
export type ApiOperation = {
  id: string;
  /** The method in capitals. */
  method: string;
  /** The path with its parameters in braces: `/api/jobs/{id}`. */
  path: string;
  summary: string;
  area: string;
  /** An API key needs one of these scopes; none where the URL itself is the secret. */
  scopes: string[];
  parameters: ApiParameter[];
  body: { schema: unknown; example: unknown } | null;
  answer: { status: number; kind: AnswerKind; example: unknown };
};

export type AnswerKind = 'json' | 'file' | 'stream' | 'nothing';

export type ApiArea = { name: string; description: string; operations: ApiOperation[] };

/** The areas of the API as the server describes them: what API keys may call, and what needs no key. */
export const openApiQuery = queryOptions({
  queryKey: ['open-api'],
  queryFn: async ({ signal }): Promise<ApiArea[]> => {
    const response = await reach(installationRoutes.getOpenApi.path, { signal });
    const json = await jsonOf(response);
    if (!response.ok) throw refusalOf(response, json);
    return areasOf(json);
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** @param json an OpenAPI document of Cuebird */
export function areasOf(json: unknown): ApiArea[] {
  const { tags, paths } = Document.parse(json);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(
        ([, { security, tags: of }]) => isForPrograms(security) || (security.length === 0 && !of.includes('Other')),
      )
      .map(([method, operation]) => operationOf({ path, method, operation })),
  );
  return tags
    .map((tag) => ({ ...tag, operations: operations.filter(({ area }) => area === tag.name) }))
    .filter((area) => area.operations.length > 0);
}

const isForPrograms = (security: Record<string, string[]>[]) => security.some((scheme) => 'apiKey' in scheme);

function operationOf({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: z.output<typeof Operation>;
}): ApiOperation {
  // The first status is the usual answer; a further one is that to a repeated request.
  const [status = '200', { content = {} } = {}] =
    Object.entries(operation.responses).findLast(([code]) => Number(code) < 400) ?? [];
  const body = operation.requestBody?.content['application/json'];
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    area: operation.tags[0] ?? '',
    scopes: operation.security.flatMap(({ apiKey = [] }) => apiKey),
    parameters: operation.parameters.filter((parameter) => parameter.in !== 'header'),
    body: body === undefined ? null : { schema: body.schema, example: body.example },
    answer: {
      status: Number(status),
      kind: kindOf(status, Object.keys(content)[0]),
      example: Object.values(content)[0]?.example,
    },
  };
}

function kindOf(status: string, type: string | undefined): AnswerKind {
  if (status === '204' || type === undefined) return 'nothing';
  if (type === 'text/event-stream') return 'stream';
  return type === 'application/json' ? 'json' : 'file';
}
