import { z } from 'zod';
import { templateRoutes } from '#contract/templates.ts';
import type { ApiArea, ApiOperation } from '#web/api/open-api.ts';

/** What a person fills in for a request. */
export type RequestInput = {
  /** The values of parameters by name. */
  values: Record<string, string>;
  /** The body as JSON text; empty for none. */
  body: string;
};

export type RequestToSend = {
  method: string;
  /** Path and query. A parameter without a value stays in braces. */
  path: string;
  /** The parsed body; undefined where there is none, or it is not JSON. */
  body: unknown;
  needsKey: boolean;
  /** Why the request cannot be sent; null when it can. */
  problem: string | null;
};

export const templatesPath = templateRoutes.listTemplates.path;

const isDanger = ({ method }: ApiOperation) => method === 'DELETE';

/**
 * The list that contains the thing in a path, such as `/api/jobs` for `/api/jobs/{id}`; null where there is none, and where an example would do harm.
 */
export function listOf(operation: ApiOperation, areas: ApiArea[]): string | null {
  const [list = '', ...rest] = operation.path.split('/{id}');
  if (rest.length !== 1 || isDanger(operation)) return null;
  const found = areas
    .flatMap(({ operations }) => operations)
    .find(({ method, path }) => method === 'GET' && path === list);
  return found?.parameters.some(({ name }) => name === 'limit') === true ? list : null;
}

const WithTemplate = z.looseObject({ template_id: z.string() });

/** The input of the description's example, with ids that exist in the workspace, if possible. */
export function exampleInput(
  { parameters, body }: ApiOperation,
  { id, templateId }: { id: string | undefined; templateId: string | undefined },
): RequestInput {
  const values = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, example }) => [
      name,
      name === 'id' && id !== undefined ? id : typeof example === 'string' ? example : JSON.stringify(example ?? ''),
    ]);
  if (body === null) return { values: Object.fromEntries(values), body: '' };
  const example =
    WithTemplate.safeParse(body.example).success && templateId !== undefined
      ? { ...WithTemplate.parse(body.example), template_id: templateId }
      : body.example;
  return { values: Object.fromEntries(values), body: JSON.stringify(example, null, 2) };
}

/** The request that the input makes. */
export function requestOf(operation: ApiOperation, { values, body }: RequestInput): RequestToSend {
  const valueOf = (name: string) => (values[name] ?? '').trim();
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (braces, name: string) =>
    valueOf(name) === '' ? braces : encodeURIComponent(valueOf(name)),
  );
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && valueOf(parameter.name) !== '')
    .map(({ name }): [string, string] => [name, valueOf(name)]);
  const search = new URLSearchParams(query).toString();
  const parsed = operation.body === null ? undefined : jsonOrUndefined(body);
  const missing = operation.parameters.find(({ name, required }) => required && valueOf(name) === '');
  return {
    method: operation.method,
    path: search === '' ? path : `${path}?${search}`,
    body: parsed,
    needsKey: operation.scopes.length > 0,
    problem:
      missing !== undefined
        ? `Enter ${missing.name}`
        : operation.body !== null && parsed === undefined
          ? 'The body is not valid JSON'
          : null,
  };
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
