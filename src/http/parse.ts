import type { z } from 'zod';
import type { Route } from '#contract/route.ts';
import { Invalid } from '#platform/errors.ts';
import { fieldErrors } from '#platform/field-errors.ts';
import { finishInSlices, serveOthers } from '#platform/in-slices.ts';
import { jsonOf, textOf } from '#platform/request-body.ts';

/** Validates path and query against the route's shapes. Throws Invalid with the path of each wrong value. */
export const parseAddress = (
  route: Route,
  { request, params }: { request: Request; params: Record<string, string> },
): { params: unknown; query: unknown } => ({
  params: route.params === undefined ? undefined : check(route.params, params),
  query: route.query === undefined ? undefined : check(route.query, queryOf(request)),
});

/** Characters from which on parsing and checking a body are two pieces of work. */
const longText = 256 * 1024;

/** Validates a body against its route's shape. Throws Invalid with the path of each wrong value. */
export async function parseBody(route: Route & { body: z.ZodType }, text: string): Promise<unknown> {
  const value = await jsonOf(text, { maxValues: route.maxBodyValues });
  if (text.length > longText) await serveOthers();
  // Neither can be written in JSON but as an escape.
  if (text.includes('\\u')) await finishInSlices(assertingStorable(value, []));
  return check(route.body, value);
}

/** Throws Invalid for a body that is not sent as JSON. */
export async function readText(request: Request, readBody: () => Promise<Buffer>): Promise<string> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\b/i.test(type))
    throw new Invalid([{ path: '', message: 'Send the body as application/json' }]);
  return textOf(await readBody());
}

function check(shape: z.ZodType, value: unknown): unknown {
  const parsed = shape.safeParse(value);
  if (!parsed.success) throw new Invalid(fieldErrors(parsed.error));
  return parsed.data;
}

function queryOf(request: Request): Record<string, string> {
  const parameters = new URL(request.url).searchParams;
  const names = new Set<string>();
  for (const name of parameters.keys()) {
    if (names.has(name)) throw new Invalid([{ path: name, message: 'is given more than once' }]);
    names.add(name);
  }
  return Object.fromEntries(parameters);
}

/** Refuses values that PostgreSQL's text and JSON cannot hold, at any depth: NUL and unpaired surrogates. */
function* assertingStorable(value: unknown, path: readonly string[]): Generator<void, void> {
  yield;
  if (typeof value === 'string') assertText(value, path);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    assertText(key, path);
    yield* assertingStorable(part, [...path, key]);
  }
}

function assertText(text: string, path: readonly string[]): void {
  const refuse = (message: string) => new Invalid([{ path: path.join('.'), message }]);
  if (text.includes('\0')) throw refuse('must not contain the NUL character');
  if (!text.isWellFormed()) throw refuse('must not contain half of a character (a lone surrogate)');
}
