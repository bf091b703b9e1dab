import { isDeepStrictEqual } from 'node:util';
import { ErrorAnswer, errorStatus } from '#contract/errors.ts';
import { refusalsOf } from '#contract/refusals.ts';
import type { Route } from '#contract/route.ts';
import { type RouteName, routes } from '#contract/routes.ts';

const known = Object.entries<Route>(routes)
  .toSorted(([, a], [, b]) => Number(a.path.includes(':')) - Number(b.path.includes(':')))
  .map(([name, route]) => ({ name, route, pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`) }));

const isRouteName = (name: string): name is RouteName => name in routes;

const refusals: readonly number[] = Object.values(errorStatus);

/** Throws where an answer of the API is not one that its description, which is made from the same shapes, promises. */
export function assertDocumented(
  { method, path }: { method: string; path: string },
  { status, json }: { status: number; json: unknown },
): void {
  const found = known.find(({ route, pattern }) => route.method === method.toLowerCase() && pattern.test(path));
  if (found === undefined || typeof json === 'string') return;
  const { name, route } = found;
  const refuse = (why: string) =>
    new Error(`${name} answered ${status}, and ${why}: ${JSON.stringify(json).slice(0, 500)}`);
  if (status >= 400) {
    if (!refusals.includes(status)) throw refuse('no error has this status');
    const parsed = ErrorAnswer.safeParse(json);
    if (!parsed.success) throw refuse('not in the shape of an error');
    const codes: readonly string[] = isRouteName(name) ? refusalsOf(name, route) : [];
    if (status < 500 && !codes.includes(parsed.data.error.code))
      throw refuse('contract/refusals.ts does not name the code');
    return;
  }
  if (status !== (route.status ?? 200) && status !== route.repeatStatus) throw refuse('declares another status');
  if (route.answer === 'file' || route.answer === 'stream') return;
  const parsed = route.answer.safeParse(json);
  if (!parsed.success)
    throw refuse(
      `its shape is another (${parsed.error.issues
        .map(({ path: at, message }) => `${at.join('.')} ${message}`)
        .join('; ')
        .slice(0, 300)})`,
    );
  if (!isDeepStrictEqual(parsed.data, json))
    throw refuse(`its shape has no such members, only ${JSON.stringify(parsed.data).slice(0, 500)}`);
}
