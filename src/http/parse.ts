import type { z } from 'zod';
import type { Route } from '#contract/route.ts';
import { Invalid } from '#platform/errors.ts';
import { fieldErrors } from '#platform/field-errors.ts';
import { jsonOf, readBytes, textOf } from '#platform/request-body.ts';

const maxBodyKiB = 1024;

export type Parsed = { params: unknown; query: unknown; body: unknown; rawBody: string };

/** Checks everything a request says against its route's shapes. Throws Invalid with the path of each wrong value. */
export async function parseRequest(
  route: Route,
  { request, params }: { request: Request; params: Record<string, string> },
): Promise<Parsed> {
  const rawBody = route.body === undefined ? '' : await readBody(request, route.maxBodyKiB ?? maxBodyKiB);
  return {
    params: route.params === undefined ? undefined : check(route.params, params),
    query: route.query === undefined ? undefined : check(route.query, queryOf(request)),
    body: route.body === undefined ? undefined : check(route.body, storable(jsonOf(rawBody))),
    rawBody,
  };
}

function check(shape: z.ZodType, value: unknown): unknown {
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new Invalid(fieldErrors(parsed.error));
  return parsed.data;
}

function queryOf(request: Request): Record<string, string> {
  const parameters = new URL(request.url).searchParams;
  for (const name of parameters.keys()) {
    if (parameters.getAll(name).length > 1) throw new Invalid([{ path: name, message: 'is there more than once' }]);
  }
  return Object.fromEntries(parameters);
}

async function readBody(request: Request, maxKiB: number): Promise<string> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\b/i.test(type))
    throw new Invalid([{ path: '', message: 'Send the body as application/json' }]);
  return textOf(await readBytes(request, { maxKiB }));
}

const maxDepth = 30;

/** Refuses, wherever it stands, what the database's text and JSON cannot hold: NUL, half a surrogate pair, endless depth. */
function storable(value: unknown, path: readonly string[] = []): unknown {
  if (typeof value === 'string') assertText(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (path.length === maxDepth) throw new Invalid([{ path: path.join('.'), message: 'is nested too deeply' }]);
  for (const [key, part] of Object.entries(value)) {
    assertText(key, path);
    storable(part, [...path, key]);
  }
  return value;
}

function assertText(text: string, path: readonly string[]): void {
  const refuse = (message: string) => new Invalid([{ path: path.join('.'), message }]);
  if (text.includes('\0')) throw refuse('must not contain the NUL character');
  if (!text.isWellFormed()) throw refuse('must not contain half of a character (a lone surrogate)');
}
